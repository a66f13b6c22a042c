"""An upload may be annulled as a session may; taken back, this drops the annulments of uploads."""

import django.db.models.deletion
from django.db import migrations, models

from accounts.triggers import FrozenAnew

FORMER = ["session_id", "reason", "protocol", "who_id", "at"]


def drop_those_of_uploads(apps, _editor):
    apps.get_model("contest", "Annulment").objects.filter(session=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0013_sessions_frozen'),
    ]

    operations = [
        # Taken back, this comes last: SQLite loses the promise with the table that is made anew.
        FrozenAnew("contest_annulment", FORMER, former=FORMER),
        migrations.AddField(
            model_name='annulment',
            name='upload',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='contest.upload', verbose_name='upload'),
        ),
        migrations.AlterField(
            model_name='annulment',
            name='session',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='contest.exchangesession', verbose_name='session'),
        ),
        migrations.AddConstraint(
            model_name='annulment',
            constraint=models.UniqueConstraint(condition=models.Q(('lifted_at', None)), fields=('upload',), name='one_annulment_stands_per_upload'),
        ),
        migrations.AddConstraint(
            model_name='annulment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('session', None), ('upload__isnull', False)), models.Q(('session__isnull', False), ('upload', None)), _connector='OR'), name='annulled_is_a_session_or_an_upload'),
        ),
        FrozenAnew("contest_annulment", [*FORMER, "upload_id"], former=FORMER),
        migrations.RunPython(migrations.RunPython.noop, drop_those_of_uploads),
    ]
