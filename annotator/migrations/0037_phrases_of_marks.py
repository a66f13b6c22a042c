from django.db import migrations


def forget(apps, _schema_editor):
    """Wordings that no mark of their expert has any more are offered no more."""
    phrase, fragment = apps.get_model("annotator", "Phrase"), apps.get_model(
        "annotator", "FragmentRecord"
    )
    for user in phrase.objects.order_by().values_list("user", flat=True).distinct():
        marks = fragment.objects.filter(markup__author=user).order_by()
        used = {
            (code, field, text)
            for field in ("comment", "explanation")
            for code, text in marks.exclude(**{field: ""}).values_list("code", field).distinct()
        }
        own = phrase.objects.filter(user=user).order_by()
        gone = [
            pk
            for pk, *wording in own.values_list("pk", "code", "field", "text")
            if tuple(wording) not in used
        ]
        for start in range(0, len(gone), 500):
            phrase.objects.filter(pk__in=gone[start : start + 500]).delete()


class Migration(migrations.Migration):
    """Only the last wording of a mark counts; what was kept from before is looked through once."""

    dependencies = [("annotator", "0036_markups_reopened")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
