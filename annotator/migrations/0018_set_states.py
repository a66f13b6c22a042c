from django.db import migrations, models


def moment(words):
    return models.DateTimeField(blank=True, editable=False, null=True, verbose_name=words)


class Migration(migrations.Migration):
    """Sets that are there are open: that is how they were used."""

    dependencies = [("annotator", "0017_final_grade")]

    operations = [
        migrations.AddField(
            "essayset",
            "state",
            models.CharField(
                choices=[
                    ("preparing", "being prepared"),
                    ("open", "open"),
                    ("closed", "closed"),
                    ("archived", "archived"),
                ],
                default="open",
                max_length=9,
                verbose_name="state",
            ),
        ),
        migrations.AddField("essayset", "opened_at", moment("opened at")),
        migrations.AddField("essayset", "closed_at", moment("closed at")),
        migrations.AddField("essayset", "archived_at", moment("archived at")),
        migrations.AddField(
            "essayset", "revision", models.PositiveIntegerField(default=0, editable=False)
        ),
    ]
