from django.db import migrations, models
from django.db.models import Q

CURRENT = ~Q(state="superseded")
NAMED = 5
"""So many sets are named at most when going back is refused."""


def refuse_practice(apps, _schema_editor):
    """Going back, there would be no word for practice sets, tries and keys: somebody decides."""
    markups = apps.get_model("annotator", "MarkupRecord").objects
    marked = markups.filter(source__in=["practice", "key"]).values("essay__essay_set")
    sets = apps.get_model("annotator", "EssaySet").objects
    found = sets.filter(Q(access="practice") | Q(pk__in=marked))
    names = list(found.order_by("name").values_list("name", flat=True))
    if names:
        rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        raise ValueError(
            f"These sets are for practice: {', '.join(names[:NAMED])}{rest}. "
            "Before this version there was no practice. Give a set without essays another access; "
            "for others stay with this version, or restore a backup of before it."
        )


class Migration(migrations.Migration):
    dependencies = [("annotator", "0022_aliases_of_submitted")]

    operations = [
        migrations.AlterField(
            "essayset",
            "access",
            models.CharField(
                choices=[
                    ("open", "training: participants see the markups"),
                    ("closed", "test: participants see figures only"),
                    ("final", "finals: participants see the markups once they are published"),
                    ("practice", "practice: experts try essays and see the key at once"),
                ],
                default="closed",
                max_length=8,
                verbose_name="access",
            ),
        ),
        migrations.AlterField(
            "markuprecord",
            "source",
            models.CharField(
                choices=[
                    ("expert", "expert"),
                    ("algorithm", "algorithm"),
                    ("practice", "practice"),
                    ("key", "key"),
                ],
                max_length=9,
                verbose_name="source",
            ),
        ),
        migrations.RemoveConstraint("markuprecord", "one_current_markup_per_author"),
        migrations.AddConstraint(
            "markuprecord",
            models.UniqueConstraint(
                fields=["essay", "author"],
                condition=CURRENT & ~Q(source="key"),
                name="one_current_markup_per_author",
            ),
        ),
        migrations.AddConstraint(
            "markuprecord",
            models.UniqueConstraint(
                fields=["essay"],
                condition=Q(source="key") & CURRENT,
                name="one_key_per_essay",
            ),
        ),
        migrations.RunPython(
            migrations.RunPython.noop, refuse_practice
        ),  # first of all, going back
    ]
