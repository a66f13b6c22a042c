from django.db import migrations

from accounts.triggers import NeverEmptied


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_key_expiry")]

    operations = [NeverEmptied("accounts_auditentry")]
