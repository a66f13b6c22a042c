import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

HELP = "Else as “Expert 3”, by a number that is another one in every set."


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0020_open_checks_by_deadline"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "essayset",
            "names_experts",
            models.BooleanField(
                default=False, help_text=HELP, verbose_name="participants read experts’ names"
            ),
        ),
        migrations.CreateModel(
            "ExpertAlias",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "essay_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="annotator.essayset",
                        verbose_name="essay set",
                    ),
                ),
                (
                    "expert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert",
                    ),
                ),
            ],
            {
                "verbose_name": "alias of an expert",
                "verbose_name_plural": "aliases of experts",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("essay_set", "expert"), name="one_alias_per_expert_and_set"
                    ),
                    models.UniqueConstraint(
                        fields=("essay_set", "number"), name="one_expert_per_alias_and_set"
                    ),
                ],
            },
        ),
    ]
