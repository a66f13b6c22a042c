from django.db import migrations, models


class Migration(migrations.Migration):
    """Which markups were reopened since a moment is asked of a short index."""

    dependencies = [("annotator", "0035_checks_of_an_expert")]

    operations = [
        migrations.AddIndex(
            model_name="markuprecord",
            index=models.Index(
                condition=models.Q(("reopened_at__isnull", False)),
                fields=["reopened_at"],
                name="markups_reopened",
            ),
        ),
    ]
