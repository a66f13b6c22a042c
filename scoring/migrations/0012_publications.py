import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


def note_public_runs(apps, _schema_editor):
    boards = apps.get_model("scoring", "StandingBoard").objects.filter(public__isnull=False)
    publications = apps.get_model("scoring", "Publication").objects
    for board in boards.order_by("published_at"):
        publications.create(run_id=board.public_id, at=board.published_at)


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0011_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name="published at")),
                ("run", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="publication", to="scoring.scorerun", verbose_name="score run")),
            ],
            options={
                "verbose_name": "publication of a score run",
                "verbose_name_plural": "publications of score runs",
                "ordering": ["-pk"],
            },
        ),
        migrations.RunPython(note_public_runs, migrations.RunPython.noop, elidable=True),
    ]
