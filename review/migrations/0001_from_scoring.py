import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

MODELS = ["thirdcheck", "ruling"]


def take_content_types(apps, schema_editor):
    """Permissions and the log of the administration follow, they know only the row."""
    relabel(apps, schema_editor.connection.alias, "scoring", "review")


def give_content_types_back(apps, schema_editor):
    relabel(apps, schema_editor.connection.alias, "review", "scoring")


def relabel(apps, database, old, new):
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(database)
    for kept in content_types.filter(app_label=old, model__in=MODELS):
        # Django makes an empty one whenever it has met the new label before its rows came
        content_types.filter(app_label=new, model=kept.model).delete()
        kept.app_label = new
        kept.save(update_fields=["app_label"])


class Migration(migrations.Migration):
    """What is decided about checks leaves ``scoring``; tables and rows stay as they are."""

    initial = True

    dependencies = [
        ('scoring', '0008_neither_and_reason'),
        ('annotator', '0006_third_desk'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('admin', '0003_logentry_add_action_flag_choices'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name='ThirdCheck',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('round', models.PositiveSmallIntegerField(verbose_name='round of checks')),
                    ('needed', models.BooleanField(verbose_name='third check needed')),
                    ('reasons', models.JSONField(default=list, verbose_name='reasons')),
                    ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='decided at')),
                    ('tried_at', models.DateTimeField(null=True, verbose_name='last tried to assign at')),
                    ('essay', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='third_checks', to='annotator.essay', verbose_name='essay')),
                    ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.markuprecord', verbose_name='first markup')),
                    ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.markuprecord', verbose_name='second markup')),
                ],
                options={
                    'verbose_name': 'decision on a third check',
                    'verbose_name_plural': 'decisions on third checks',
                    'db_table': 'scoring_thirdcheck',
                    'constraints': [models.UniqueConstraint(fields=('essay', 'round'), name='one_decision_per_round')],
                },
            ),
            migrations.CreateModel(
                name='Ruling',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('neither', models.BooleanField(default=False, verbose_name='neither is taken')),
                    ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                    ('fragment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='annotator.fragmentrecord', verbose_name='earlier fragment')),
                    ('markup', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='annotator.markuprecord', verbose_name='third markup')),
                ],
                options={
                    'verbose_name': 'ruling of a third expert',
                    'verbose_name_plural': 'rulings of third experts',
                    'db_table': 'scoring_ruling',
                    'constraints': [models.UniqueConstraint(fields=('markup', 'fragment'), name='one_ruling_per_fragment')],
                },
            ),
        ]),
        migrations.RunPython(take_content_types, give_content_types_back),
    ]
