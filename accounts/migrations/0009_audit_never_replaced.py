from django.db import migrations

from accounts.triggers import NeverReplaced


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_sliding_windows")]

    operations = [NeverReplaced("accounts_auditentry")]
