from django.db import migrations

from accounts.triggers import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [AppendOnly("accounts_auditentry")]
