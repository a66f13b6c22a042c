from django.db import migrations, models


def in_codes(apps, schema_editor):
    """Sentences of earlier imports are kept as they were said."""

    def said(words):
        return {"code": "as-said", "blocks": True, "fields": {"words": words}}

    files = apps.get_model("annotator", "ImportedFile")
    told = files.objects.exclude(reason="", remarked=[])
    for file in told.iterator():
        file.refused_for = [said(file.reason)] if file.reason else []
        file.remarked = [said(words) for words in file.remarked]
        file.save(update_fields=["refused_for", "remarked"])


def in_words(apps, schema_editor):
    """Back: what was kept as it was said is said so again, of the rest the code alone."""

    def words_of(problem):
        return problem["fields"].get("words", problem["code"])

    for file in apps.get_model("annotator", "ImportedFile").objects.iterator():
        file.reason = " ".join(map(words_of, file.refused_for))
        file.remarked = [words_of(problem) for problem in file.remarked]
        file.save(update_fields=["reason", "remarked"])


class Migration(migrations.Migration):
    dependencies = [("annotator", "0011_markup_changes")]

    operations = [
        migrations.AddField("importedfile", "refused_for", models.JSONField(default=list)),
        migrations.RenameField("importedfile", "remarks", "remarked"),
        migrations.AlterField("importedfile", "remarked", models.JSONField(default=list)),
        migrations.RunPython(in_codes, in_words),
        migrations.RemoveField("importedfile", "reason"),
    ]
