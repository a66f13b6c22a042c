from django.contrib.auth.hashers import check_password
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# the accounts of the demo that may have been loaded before
DEMO = [
    *("coordinator", "organiser", "judge", "commission", "admin", "lynx", "hedgehog"),
    *("exp1", "exp2", "exp3", "exp4", "exp5", "exp6"),
]


def find_published(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    people = apps.get_model("accounts", "User").objects
    known = [
        person.pk
        for person in people.filter(username__in=DEMO)
        if check_password("razbor-demo", person.password)
    ]
    people.filter(pk__in=known).update(password_is_published=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_verbose_names")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="password_is_published",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(find_published, migrations.RunPython.noop),
    ]
