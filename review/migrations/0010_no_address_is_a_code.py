"""That somebody has no address is kept as a code: it was a sentence in the worker's language."""

from django.db import migrations


def keep_codes(apps, _editor):
    terms = apps.get_model("review", "LetterTerms").objects
    terms.filter(refused_at__isnull=False, refused_address="").update(refused_because="no-address")


class Migration(migrations.Migration):
    dependencies = [("review", "0009_notes")]
    operations = [migrations.RunPython(keep_codes, migrations.RunPython.noop)]
