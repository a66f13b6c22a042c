from django.db import migrations

FORMER, KIND = "scoring.score_scheme", "schemes.score_run"


def rename(apps, schema_editor):
    _change(apps, schema_editor.connection.alias, FORMER, KIND)


def rename_back(apps, schema_editor):
    _change(apps, schema_editor.connection.alias, KIND, FORMER)


def _change(apps, database, old, new):
    apps.get_model("jobs", "Job").objects.using(database).filter(kind=old).update(kind=new)


class Migration(migrations.Migration):
    """The jobs of runs bear the name of the task that is in ``schemes`` now."""

    dependencies = [
        ('jobs', '0004_priority_bell_workers'),
        ('schemes', '0001_from_scoring'),
    ]

    operations = [
        migrations.RunPython(rename, rename_back),
    ]
