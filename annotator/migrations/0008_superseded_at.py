from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Cast, Coalesce, Now

HAS_ITS_TIME = 'submitted_markup_has_its_time'


def remember_when_submitted(apps, schema_editor):
    """The time of a superseded markup was that of its end; the audit trail knows the other one."""
    entries = apps.get_model('accounts', 'AuditEntry').objects.filter(
        action='markup.submitted',
        object_type='annotator.markuprecord',
        object_id=Cast(OuterRef('pk'), models.CharField()),
    )
    superseded(apps).update(
        superseded_at=F('submitted_at'),
        submitted_at=Subquery(entries.order_by('-pk').values('at')[:1]),
    )


def forget_when_submitted(apps, schema_editor):
    superseded(apps).update(submitted_at=Coalesce('superseded_at', 'submitted_at', Now()))


def superseded(apps):
    return apps.get_model('annotator', 'MarkupRecord').objects.filter(state='superseded')


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_verbose_names'),
        ('annotator', '0007_imports'),
    ]

    operations = [
        migrations.AddField(
            model_name='markuprecord',
            name='superseded_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='superseded at'),
        ),
        migrations.RemoveConstraint(model_name='markuprecord', name=HAS_ITS_TIME),
        migrations.AddConstraint(
            model_name='markuprecord',
            constraint=models.CheckConstraint(
                condition=Q(('state', 'submitted'), _negated=True) | Q(('submitted_at__isnull', False)),
                name=HAS_ITS_TIME,
            ),
        ),
        migrations.RunPython(remember_when_submitted, forget_when_submitted),
    ]
