import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def name_members(apps, _editor):
    """Who made a key for an account that is not their own stands in the audit trail."""
    keys = apps.get_model("accounts", "ApiToken").objects
    issued = apps.get_model("accounts", "AuditEntry").objects.filter(
        action="token.issued", object_type="accounts.apitoken", actor__isnull=False
    )
    for number, actor in issued.values_list("object_id", "actor").iterator():
        keys.filter(pk=number).exclude(user=actor).update(member=actor)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_login_in_any_case")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="member",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(name_members, migrations.RunPython.noop),
    ]
