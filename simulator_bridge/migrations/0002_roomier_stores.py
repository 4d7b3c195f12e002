"""An embedded store has room for 128 shoppers unless told otherwise; those there are keep what they have."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    """Another default, and nothing else."""

    dependencies = [("simulator_bridge", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="worldserver",
            name="capacity",
            field=models.PositiveSmallIntegerField(
                default=128,
                help_text="Shoppers at a time. An UnrealCV build has room for one.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(500),
                ],
            ),
        ),
    ]
