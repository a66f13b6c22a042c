import random

from django.db import migrations


def allot(apps, _schema_editor):
    """Every expert with a submission gets a number in its set, drawn from twice as many."""
    record, alias = apps.get_model("annotator", "MarkupRecord"), apps.get_model(
        "annotator", "ExpertAlias"
    )
    found = record.objects.filter(source="expert").exclude(state="draft").order_by()
    experts = {}
    for set_id, author in found.values_list("essay__essay_set", "author").distinct():
        experts.setdefault(set_id, []).append(author)
    for set_id, authors in experts.items():
        drawn = random.SystemRandom().sample(range(1, max(12, 2 * len(authors)) + 1), len(authors))
        alias.objects.bulk_create(
            alias(essay_set_id=set_id, expert_id=author, number=number)
            for author, number in zip(authors, drawn, strict=True)
        )


class Migration(migrations.Migration):
    dependencies = [("annotator", "0021_expert_aliases")]

    operations = [migrations.RunPython(allot, migrations.RunPython.noop)]
