import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0012_publications"),
    ]

    operations = [
        migrations.RenameModel("Publication", "PublishedRun"),
        migrations.AlterModelOptions(
            "PublishedRun",
            {
                "ordering": ["-pk"],
                "verbose_name": "published score run",
                "verbose_name_plural": "published score runs",
            },
        ),
        migrations.AlterField(
            "PublishedRun",
            "run",
            models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="published", to="scoring.scorerun", verbose_name="score run"),
        ),
    ]
