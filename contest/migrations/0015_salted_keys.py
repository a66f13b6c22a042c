"""Everybody reads the digest of a key with a secret before it: from that of a short key the key
itself could be found.
"""

import secrets
from hashlib import sha256

from django.db import migrations, models


def salt_keys(apps, _editor):
    found = apps.get_model("contest", "UploadTerms").objects.exclude(key=None)
    for terms in found.select_related("key"):
        terms.salt = secrets.token_hex(16)
        terms.public_digest = sha256(terms.salt.encode() + bytes(terms.key.content)).hexdigest()
        terms.save(update_fields=["salt", "public_digest"])


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0014_annulled_uploads'),
    ]

    operations = [
        migrations.AddField(
            model_name='uploadterms',
            name='public_digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='uploadterms',
            name='salt',
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.RunPython(salt_keys, migrations.RunPython.noop),
    ]
