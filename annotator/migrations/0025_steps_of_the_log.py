from django.db import migrations, models

STEPS = [
    ("made", "made"),
    ("undone", "undone"),
    ("redone", "made again"),
    ("aside", "no change of marks"),
    ("fixed", "not to be undone"),
]


def set_aside(apps, _schema_editor):
    """Rulings and submissions change no marks: undoing passes them over."""
    changes = apps.get_model("annotator", "MarkupChange").objects
    changes.filter(change={"edits": []}).update(step="aside")


class Migration(migrations.Migration):
    dependencies = [("annotator", "0024_digest_of_imports")]

    operations = [
        migrations.AddField(
            model_name="markupchange",
            name="step",
            field=models.CharField(
                choices=STEPS, default="made", max_length=6, verbose_name="step"
            ),
        ),
        migrations.AddField(
            model_name="markupchange",
            name="page",
            field=models.CharField(blank=True, max_length=80, verbose_name="page"),
        ),
        migrations.RunPython(set_aside, migrations.RunPython.noop),
    ]
