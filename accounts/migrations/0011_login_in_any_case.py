import django.db.models.functions.text
from django.db import migrations, models
from django.db.models import Count
from django.db.models.functions import Lower

NAMED = 20


def name_logins_alike(apps, _editor):
    """Logins that differ in letter case only are for a person to tell apart: they are named."""
    user = apps.get_model("accounts", "User")
    by_login = user.objects.annotate(login=Lower("username")).order_by("login", "pk")
    alike = user.objects.values(login=Lower("username")).annotate(n=Count("pk")).filter(n__gt=1)
    found = by_login.filter(login__in=list(alike.values_list("login", flat=True)))
    names = [f"{each.username} (account {each.pk})" for each in found[: NAMED + 1]]
    if names:
        more = " and others" if len(names) > NAMED else ""
        raise ValueError(
            f"These logins differ in letter case only: {', '.join(names[:NAMED])}{more}. "
            "Rename all but one of each by the former version, then migrate again."
        )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0010_user_closings")]

    operations = [
        migrations.RunPython(name_logins_alike, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("username"),
                name="one_account_per_login",
                violation_error_message="Another account has this login in other letter case.",
            ),
        ),
    ]
