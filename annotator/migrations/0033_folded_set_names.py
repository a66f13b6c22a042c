from django.db import migrations, models

import annotator.models.sets


def fold(apps, _editor):
    """Fold all names. No set is renamed: of those alike already the first one's folded name is the
    plain one, every other bears the number of its set in a line more and so stays apart.
    """
    sets = apps.get_model("annotator", "EssaySet")
    taken = set()
    for each in sets.objects.order_by("pk"):
        plain = annotator.models.sets.folded(each.name)
        each.name_folded = f"{plain}\n{each.pk}" if plain in taken else plain
        taken.add(plain)
        each.save(update_fields=["name_folded"])


class Migration(migrations.Migration):
    dependencies = [("annotator", "0032_narrow_indexes")]

    operations = [
        migrations.AddField(
            model_name="essayset",
            name="name_folded",
            field=annotator.models.sets.FoldedName(default="", editable=False, max_length=260),
            preserve_default=False,
        ),
        migrations.RunPython(fold, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="essayset",
            constraint=models.UniqueConstraint(
                fields=("name_folded",), name="one_set_per_name_in_any_case"
            ),
        ),
    ]
