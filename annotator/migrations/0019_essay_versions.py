import django.db.models.deletion
from django.db import migrations, models

from accounts.triggers import FrozenAnew

FORMER = ["text", "number", "subject", "uuid"]


class Migration(migrations.Migration):
    """An essay that is there is its first version.

    Back only where there is no second one: the number alone is unique again.
    """

    dependencies = [("annotator", "0018_set_states")]

    operations = [
        FrozenAnew("annotator_essay", FORMER, FORMER),  # on the way back SQLite has lost it by then
        migrations.RemoveConstraint("essay", "one_essay_per_number"),
        migrations.AddField(
            "essay",
            "version",
            models.PositiveSmallIntegerField(default=1, editable=False, verbose_name="version"),
        ),
        migrations.AddField(
            "essay", "revision", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.AddField(
            "essay",
            "closed_at",
            models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="replaced at"
            ),
        ),
        migrations.AddField(
            "essay",
            "replaced_because",
            models.TextField(blank=True, editable=False, verbose_name="why it was replaced"),
        ),
        migrations.AddConstraint(
            "essay",
            models.UniqueConstraint(
                fields=["essay_set", "number", "version"], name="one_essay_per_version"
            ),
        ),
        migrations.AddConstraint(
            "essay",
            models.UniqueConstraint(
                condition=models.Q(("closed_at", None)),
                fields=["essay_set", "number"],
                name="one_latest_version_per_number",
            ),
        ),
        migrations.CreateModel(
            name="NotCarried",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=60, verbose_name="code")),
                ("subcode", models.CharField(blank=True, max_length=60, verbose_name="subcode")),
                ("words", models.TextField(blank=True, verbose_name="words")),
                ("comment", models.TextField(blank=True, verbose_name="comment")),
                ("explanation", models.TextField(blank=True, verbose_name="explanation")),
                ("correction", models.TextField(blank=True, verbose_name="correction")),
                ("tag", models.CharField(blank=True, max_length=60, verbose_name="tag")),
                (
                    "dismissed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="seen at"),
                ),
                (
                    "markup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="not_carried",
                        to="annotator.markuprecord",
                        verbose_name="markup",
                    ),
                ),
            ],
            options={
                "verbose_name": "fragment that was not carried",
                "verbose_name_plural": "fragments that were not carried",
                "ordering": ["pk"],
            },
        ),
        FrozenAnew("annotator_essay", [*FORMER, "version"], FORMER),
    ]
