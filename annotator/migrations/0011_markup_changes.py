import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0010_rivals")]

    operations = [
        migrations.CreateModel(
            name="MarkupChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField()),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("change", models.JSONField(verbose_name="change")),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        verbose_name="made at",
                    ),
                ),
                (
                    "markup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="annotator.markuprecord",
                        verbose_name="markup",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of a markup",
                "verbose_name_plural": "changes of markups",
                "ordering": ["markup", "version"],
                "constraints": [
                    models.UniqueConstraint(fields=("markup", "uid"), name="one_change_per_uid"),
                    models.UniqueConstraint(
                        fields=("markup", "version"), name="one_change_per_version"
                    ),
                ],
            },
        ),
    ]
