import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from accounts.triggers import AppendOnly, Frozen


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0022_aliases_of_submitted'),
        ('review', '0007_client_calls'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SetProtocol',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.TextField(verbose_name='content')),
                ('digest', models.CharField(max_length=64, verbose_name='digest')),
                ('essays', models.PositiveIntegerField(verbose_name='essays')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
                ('voided_at', models.DateTimeField(null=True, verbose_name='void since')),
                ('voided_because', models.CharField(blank=True, choices=[('reopened', 'a check was reopened'), ('regraded', 'points were graded anew'), ('changed', 'other checks or points count'), ('version', 'an essay has a new version'), ('essays', 'essays came in or were taken out'), ('rules', 'the set has other rules'), ('returned', 'the set was returned')], max_length=8, verbose_name='void because')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('about', models.CharField(blank=True, max_length=80, verbose_name='essay')),
                ('essay_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='protocols', to='annotator.essayset', verbose_name='essay set')),
            ],
            options={
                'verbose_name': 'protocol of a set',
                'verbose_name_plural': 'protocols of sets',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('verified', 'verified'), ('approved', 'approved'), ('returned', 'returned')], max_length=8, verbose_name='verdict')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='time')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('seen', models.CharField(editable=False, max_length=64)),
                ('protocol', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='review.setprotocol', verbose_name='protocol of a set')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who')),
            ],
            options={
                'verbose_name': 'verdict',
                'verbose_name_plural': 'verdicts',
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='letter',
            name='verdict',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to='review.verdict', verbose_name='verdict'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(fields=('person', 'verdict'), name='one_letter_of_a_verdict'),
        ),
        migrations.AddConstraint(
            model_name='setprotocol',
            constraint=models.UniqueConstraint(condition=models.Q(('voided_at', None)), fields=('essay_set',), name='one_protocol_stands_per_set'),
        ),
        migrations.AddConstraint(
            model_name='setprotocol',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('voided_at', None), ('voided_because', '')), models.Q(('voided_at__isnull', False), models.Q(('voided_because', ''), _negated=True)), _connector='OR'), name='void_protocol_says_why'),
        ),
        migrations.AddConstraint(
            model_name='verdict',
            constraint=models.UniqueConstraint(fields=('protocol', 'kind'), name='one_verdict_of_a_kind_per_protocol'),
        ),
        migrations.AddConstraint(
            model_name='verdict',
            constraint=models.UniqueConstraint(fields=('protocol', 'who'), name='one_verdict_of_a_person_per_protocol'),
        ),
        migrations.AddConstraint(
            model_name='verdict',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'returned'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='returned_set_says_why'),
        ),
        Frozen("review_setprotocol", ["essay_set_id", "content", "digest", "essays", "made_at"]),
        AppendOnly("review_verdict"),
    ]
