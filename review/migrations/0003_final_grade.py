import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


from accounts.triggers import Frozen

SAID = ["essay_id", "round", "first_id", "second_id", "third_id", "rule", "total", "points"]


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0017_final_grade'),
        ('review', '0002_plans'),
    ]

    operations = [
        migrations.CreateModel(
            name='FinalGrade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField(verbose_name='round of checks')),
                ('rule', models.CharField(choices=[('mean-third/total', 'mean of two, rounded up; a third check is final; on the total'), ('mean-third/criteria', 'mean of two, rounded up; a third check is final; by criterion'), ('nearest-two/total', 'mean of the two nearest, rounded up; on the total'), ('nearest-two/criteria', 'mean of the two nearest, rounded up; by criterion'), ('median/total', 'median of three, mean of two rounded up; on the total'), ('median/criteria', 'median of three, mean of two rounded up; by criterion')], max_length=24, verbose_name='rule')),
                ('total', models.PositiveSmallIntegerField(verbose_name='final grade')),
                ('points', models.JSONField(null=True, verbose_name='points')),
                ('sheets', models.JSONField(verbose_name='points of the checks')),
                ('counted', models.JSONField(verbose_name='checks that counted')),
                ('settled_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='settled at')),
                ('voided_at', models.DateTimeField(null=True, verbose_name='void since')),
                ('voided_because', models.CharField(blank=True, choices=[('reopened', 'a check was reopened'), ('regraded', 'points were graded anew'), ('changed', 'other checks or points count')], max_length=8, verbose_name='void because')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('essay', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='final_grades', to='annotator.essay', verbose_name='essay')),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.markuprecord', verbose_name='first markup')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.markuprecord', verbose_name='second markup')),
                ('third', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.markuprecord', verbose_name='third markup')),
            ],
            options={
                'verbose_name': 'final grade',
                'verbose_name_plural': 'final grades',
                'ordering': ['essay', 'round', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('voided_at', None)), fields=('essay', 'round'), name='one_final_grade_per_round'), models.CheckConstraint(condition=models.Q(models.Q(('voided_at', None), ('voided_because', '')), models.Q(('voided_at__isnull', False), models.Q(('voided_because', ''), _negated=True)), _connector='OR'), name='void_grade_says_why')],
            },
        ),
        Frozen("review_finalgrade", [*SAID, "sheets", "counted", "settled_at"]),
    ]
