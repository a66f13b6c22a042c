from django.db import migrations, models
from django.db.models import Count, Q

NAME = "one_assignment_per_expert"
FIELDS = ["essay", "round", "expert"]


def forget_lost_checks(apps, schema_editor):
    """On the way back: of a check that somebody lost and was given again, the lost one goes."""
    connection = schema_editor.connection
    assignments = apps.get_model("annotator", "Assignment").objects.using(connection.alias)
    doubled = assignments.order_by().values(*FIELDS).annotate(n=Count("pk")).filter(n__gt=1)
    for each in list(doubled.values(*FIELDS)):
        found = assignments.filter(**each).order_by("-pk")
        kept = found.exclude(state="withdrawn").first() or found.first()
        found.exclude(pk=kept.pk).delete()
    if connection.vendor == "postgresql":  # else the table has pending events
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    """A check withdrawn from somebody does not keep the row from being given to them again."""

    dependencies = [("annotator", "0015_refused_uploads")]

    operations = [
        migrations.RemoveConstraint("assignment", NAME),
        migrations.AddConstraint(
            "assignment",
            models.UniqueConstraint(fields=FIELDS, condition=~Q(state="withdrawn"), name=NAME),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_lost_checks),
    ]
