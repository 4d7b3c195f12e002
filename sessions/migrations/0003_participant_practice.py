"""How far a practice is, for a reload in its middle."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """A column for it, empty for everybody who is there."""

    dependencies = [("study_sessions", "0002_episode_in_turn")]

    operations = [
        migrations.AddField(
            "participant", "practice", models.JSONField(blank=True, default=dict, editable=False)
        ),
    ]
