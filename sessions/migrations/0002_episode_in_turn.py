"""An index in the order in which a run's episodes are taken: finding the next costs the same in a long run."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The index by run and status becomes one that also gives the order."""

    dependencies = [("study_sessions", "0001_initial")]

    operations = [
        migrations.RemoveIndex("episode", "episode_by_run"),
        migrations.AddIndex(
            "episode",
            models.Index(fields=["run", "status", "attempt", "position"], name="episode_in_turn"),
        ),
    ]
