from datetime import timedelta

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now


def give_expiry(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keys from before are good for a year; those of closed accounts end now, for ever."""
    keys = apps.get_model("accounts", "ApiToken").objects
    keys.update(expires_at=Now() + timedelta(days=365))
    keys.filter(user__is_active=False, revoked_at=None).update(revoked_at=Now())


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_published_password")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="used_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(give_expiry, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(),
        ),
    ]
