from django.db import migrations


def take_off(apps, _editor):
    """Of a returned run that everybody sees the one published before it stands there, or none."""
    boards = apps.get_model("scoring", "StandingBoard").objects
    published = apps.get_model("scoring", "PublishedRun").objects
    for board in boards.filter(public__verdicts__kind="returned"):
        others = published.filter(run__essay_set=board.essay_set_id)
        last = others.exclude(run__verdicts__kind="returned").order_by("-pk").first()
        boards.filter(pk=board.pk).update(
            public=last and last.run_id,
            published_at=last and last.at,
            published_by=board.published_by_id if last else None,
        )


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0014_run_differences"),
    ]

    operations = [
        migrations.RunPython(take_off, migrations.RunPython.noop, elidable=True),
    ]
