import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from accounts.triggers import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0029_origin'),
        ('scoring', '0009_decisions_leave'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RunEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('origin', models.CharField(blank=True, max_length=40, verbose_name='origin')),
                ('name', models.CharField(max_length=150, verbose_name='name')),
                ('state', models.CharField(choices=[('ranked', 'ranked'), ('few', 'too few essays count'), ('part', 'over a part of the set'), ('annulled', 'annulled'), ('excluded', 'excluded'), ('no-answers', 'nothing counts'), ('former', 'a later solution counts')], max_length=10, verbose_name='state')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('asked', models.PositiveIntegerField(default=0, verbose_name='essays')),
                ('counted', models.PositiveIntegerField(default=0, verbose_name='counted')),
                ('star', models.FloatField(null=True, verbose_name='STAR')),
                ('otar', models.FloatField(null=True, verbose_name='OTAR')),
                ('metrics', models.JSONField(default=list)),
                ('rank', models.PositiveIntegerField(null=True, verbose_name='rank')),
                ('position', models.PositiveIntegerField(null=True)),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('best', models.PositiveIntegerField(null=True)),
                ('worst', models.PositiveIntegerField(null=True)),
                ('like', models.JSONField(null=True)),
                ('markups_digest', models.CharField(blank=True, max_length=64)),
                ('counts_digest', models.CharField(blank=True, max_length=64)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='run_entries', to=settings.AUTH_USER_MODEL, verbose_name='participant')),
            ],
            options={
                'verbose_name': 'entry of a score run',
                'verbose_name_plural': 'entries of score runs',
                'ordering': ['run', 'position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ScoreRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.BigIntegerField(default=0, verbose_name='seed')),
                ('code', models.CharField(editable=False, max_length=64, verbose_name='version of the code')),
                ('state', models.CharField(choices=[('computing', 'being computed'), ('ready', 'ready, in the shadow'), ('applied', 'applied'), ('discarded', 'discarded'), ('failed', 'failed')], default='computing', max_length=9, verbose_name='state')),
                ('ordered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='ordered at')),
                ('essays', models.PositiveIntegerField(default=0, verbose_name='essays')),
                ('pairs', models.PositiveIntegerField(default=0, verbose_name='pairs')),
                ('left_out', models.JSONField(default=list, verbose_name='left out')),
                ('ster', models.FloatField(null=True, verbose_name='STER')),
                ('unsure', models.CharField(blank=True, choices=[('few-essays', 'fewer than 10 essays'), ('many-ranked', 'more than 1,000 are ranked'), ('no-numpy', 'NumPy is missing')], max_length=12, verbose_name='no intervals because')),
                ('numpy', models.CharField(blank=True, editable=False, max_length=20)),
                ('digest', models.CharField(blank=True, max_length=64, verbose_name='digest')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
                ('failure', models.TextField(blank=True, verbose_name='what went wrong')),
                ('proposal', models.CharField(blank=True, choices=[('apply', 'apply'), ('discard', 'discard')], max_length=7, verbose_name='proposal')),
                ('proposed_at', models.DateTimeField(null=True, verbose_name='proposed at')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided at')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('essay_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='annotator.essayset', verbose_name='essay set')),
                ('ordered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='ordered by')),
                ('proposed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='proposed by')),
                ('rules', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='annotator.ruleset', verbose_name='rules')),
                ('set_rules', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.ruleset')),
            ],
            options={
                'verbose_name': 'score run',
                'verbose_name_plural': 'score runs',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='RunVerdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('checked', 'checked'), ('verified', 'verified'), ('returned', 'returned')], max_length=8, verbose_name='verdict')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='time')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='scoring.scorerun', verbose_name='score run')),
            ],
            options={
                'verbose_name': 'verdict of a score run',
                'verbose_name_plural': 'verdicts of score runs',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RunPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('essays', models.PositiveIntegerField()),
                ('pairs', models.PositiveIntegerField(default=0)),
                ('left_out', models.JSONField(default=list)),
                ('done_at', models.DateTimeField(null=True)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='scoring.scorerun')),
            ],
            options={
                'verbose_name': 'part of a score run',
                'verbose_name_plural': 'parts of score runs',
                'ordering': ['run', 'number'],
            },
        ),
        migrations.CreateModel(
            name='RunPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('m', models.PositiveIntegerField()),
                ('found', models.PositiveIntegerField(verbose_name='pairs found')),
                ('equal_codes', models.PositiveIntegerField(verbose_name='equal codes')),
                ('equal_subcodes', models.PositiveIntegerField(verbose_name='equal subcodes')),
                ('localization', models.FloatField(verbose_name='exactness of borders')),
                ('equal_corrections', models.PositiveIntegerField(verbose_name='equal corrections')),
                ('m1', models.FloatField(null=True)),
                ('accuracy', models.FloatField(null=True, verbose_name='pairwise accuracy')),
                ('assessed', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='annotator.markuprecord')),
                ('entry', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='scoring.runentry')),
                ('essay', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='annotator.essay')),
                ('reference', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='annotator.markuprecord')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='scoring.scorerun')),
            ],
            options={
                'verbose_name': 'pair of a score run',
                'verbose_name_plural': 'pairs of score runs',
            },
        ),
        migrations.AddField(
            model_name='runentry',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='scoring.scorerun'),
        ),
        migrations.CreateModel(
            name='StandingBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('frozen_at', models.DateTimeField(null=True, verbose_name='frozen at')),
                ('published_at', models.DateTimeField(null=True, verbose_name='published at')),
                ('applied', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.scorerun', verbose_name='applied run')),
                ('essay_set', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='board', to='annotator.essayset', verbose_name='essay set')),
                ('public', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.scorerun', verbose_name='published run')),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
            ],
            options={
                'verbose_name': 'board',
                'verbose_name_plural': 'boards',
                'ordering': ['essay_set'],
            },
        ),
        migrations.AddConstraint(
            model_name='scorerun',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'computing')), fields=('essay_set',), name='one_run_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='scorerun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'applied'), _negated=True), models.Q(('decided_by__isnull', False), ('proposal', 'apply'), ('proposed_by__isnull', False), models.Q(('proposed_by', models.F('decided_by')), _negated=True)), _connector='OR'), name='two_people_apply_a_run'),
        ),
        migrations.AddConstraint(
            model_name='scorerun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), _negated=True), models.Q(('failure', ''), _negated=True), _connector='OR'), name='failed_run_says_why'),
        ),
        migrations.AddConstraint(
            model_name='runverdict',
            constraint=models.UniqueConstraint(fields=('run', 'kind'), name='one_verdict_of_a_kind_per_run'),
        ),
        migrations.AddConstraint(
            model_name='runverdict',
            constraint=models.UniqueConstraint(fields=('run', 'who'), name='one_verdict_of_a_person_per_run'),
        ),
        migrations.AddConstraint(
            model_name='runverdict',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'returned'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='returned_run_says_why'),
        ),
        migrations.AddConstraint(
            model_name='runpart',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='one_part_per_number'),
        ),
        migrations.AddConstraint(
            model_name='runpair',
            constraint=models.UniqueConstraint(fields=('run', 'assessed', 'reference'), name='one_result_per_run_and_pair'),
        ),
        migrations.AddConstraint(
            model_name='runpair',
            constraint=models.CheckConstraint(condition=models.Q(('accuracy', None), models.Q(('accuracy__gte', 0), ('accuracy__lt', 101)), _connector='OR'), name='accuracy_of_a_pair_is_percent'),
        ),
        migrations.AddIndex(
            model_name='runentry',
            index=models.Index(fields=['run', 'state', 'position'], name='entries_by_position'),
        ),
        migrations.AddConstraint(
            model_name='runentry',
            constraint=models.UniqueConstraint(fields=('run', 'participant', 'origin'), name='one_entry_per_solution'),
        ),
        migrations.AddConstraint(
            model_name='runentry',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'former'), _negated=True), fields=('run', 'participant'), name='one_entry_of_a_participant_stands'),
        ),
        migrations.AddConstraint(
            model_name='runentry',
            constraint=models.CheckConstraint(condition=models.Q(('rank', None), models.Q(('star__isnull', False), ('state', 'ranked')), _connector='OR'), name='only_ranked_entries_have_a_rank'),
        ),
        migrations.AddConstraint(
            model_name='runentry',
            constraint=models.CheckConstraint(condition=models.Q(('star', None), models.Q(('star__gte', 0), ('star__lt', 101)), _connector='OR'), name='score_of_an_entry_is_percent'),
        ),
        migrations.AddConstraint(
            model_name='standingboard',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('public', None), ('published_at', None)), models.Q(('public__isnull', False), ('published_at__isnull', False)), _connector='OR'), name='published_board_has_its_time'),
        ),
        AppendOnly("scoring_runverdict"),
    ]
