import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

MODELS = ["storedkey", "schemerun", "schemeinput", "schemeitem"]


def take_content_types(apps, schema_editor):
    """Permissions and the log of the administration follow, they know only the row."""
    relabel(apps, schema_editor.connection.alias, "scoring", "schemes")


def give_content_types_back(apps, schema_editor):
    relabel(apps, schema_editor.connection.alias, "schemes", "scoring")


def relabel(apps, database, old, new):
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(database)
    for kept in content_types.filter(app_label=old, model__in=MODELS):
        # Django makes an empty one whenever it has met the new label before its rows came
        content_types.filter(app_label=new, model=kept.model).delete()
        kept.app_label = new
        kept.save(update_fields=["app_label"])


class Migration(migrations.Migration):
    """The models of the schemes leave ``scoring``; tables and rows stay as they are."""

    initial = True

    dependencies = [
        ('scoring', '0006_client_digest'),
        ('jobs', '0004_priority_bell_workers'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name='StoredKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('scheme', models.CharField(max_length=40, verbose_name='scheme')),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('offered', models.BooleanField(default=False, verbose_name='offered to everybody')),
                    ('content', models.BinaryField(verbose_name='contents')),
                    ('size', models.PositiveIntegerField(verbose_name='size in bytes')),
                    ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scheme_keys', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ],
                options={
                    'verbose_name': 'stored key',
                    'verbose_name_plural': 'stored keys',
                    'db_table': 'scoring_storedkey',
                    'ordering': ['scheme', 'name', 'pk'],
                },
            ),
            migrations.CreateModel(
                name='SchemeRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('scheme', models.CharField(max_length=40, verbose_name='scheme')),
                    ('version', models.CharField(max_length=20, verbose_name='version of the scheme')),
                    ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                    ('options', models.JSONField(default=dict, verbose_name='options')),
                    ('veiled', models.BooleanField(default=False, verbose_name='of somebody else’s key')),
                    ('client_key', models.CharField(blank=True, max_length=80, null=True, verbose_name='key of the sender')),
                    ('client_digest', models.CharField(blank=True, max_length=64, verbose_name='digest of what was sent')),
                    ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=8, verbose_name='state')),
                    ('done', models.PositiveIntegerField(default=0, verbose_name='items done')),
                    ('total', models.PositiveIntegerField(default=0, verbose_name='items in all')),
                    ('figures', models.JSONField(default=dict, verbose_name='figures')),
                    ('problems', models.JSONField(default=list, verbose_name='problems')),
                    ('readings', models.JSONField(default=list, verbose_name='readings')),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='ordered at')),
                    ('started_at', models.DateTimeField(null=True, verbose_name='begun at')),
                    ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
                    ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job', verbose_name='job')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scheme_runs', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                    ('key', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='schemes.storedkey', verbose_name='stored key')),
                ],
                options={
                    'verbose_name': 'run of a scheme',
                    'verbose_name_plural': 'runs of schemes',
                    'db_table': 'scoring_schemerun',
                    'ordering': ['-pk'],
                },
            ),
            migrations.CreateModel(
                name='SchemeItem',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField(verbose_name='number')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('group', models.CharField(blank=True, max_length=200, verbose_name='group')),
                    ('verdict', models.CharField(max_length=20, verbose_name='verdict')),
                    ('points', models.FloatField(null=True, verbose_name='points')),
                    ('maximum', models.FloatField(null=True, verbose_name='of')),
                    ('reason', models.JSONField(default=dict, verbose_name='reason')),
                    ('cells', models.JSONField(default=dict, verbose_name='cells')),
                    ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='schemes.schemerun', verbose_name='run')),
                ],
                options={
                    'verbose_name': 'item of a run',
                    'verbose_name_plural': 'items of runs',
                    'db_table': 'scoring_schemeitem',
                    'ordering': ['run', 'number'],
                    'indexes': [models.Index(fields=['run', 'verdict', 'number'], name='items_by_verdict'), models.Index(fields=['run', 'group', 'number'], name='items_by_group')],
                    'constraints': [models.UniqueConstraint(fields=('run', 'number'), name='one_item_of_a_number')],
                },
            ),
            migrations.CreateModel(
                name='SchemeInput',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('source', models.CharField(max_length=40, verbose_name='input')),
                    ('name', models.CharField(blank=True, max_length=200, verbose_name='name of the file')),
                    ('content', models.BinaryField(verbose_name='contents')),
                    ('size', models.PositiveIntegerField(verbose_name='size in bytes')),
                    ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inputs', to='schemes.schemerun', verbose_name='run')),
                ],
                options={
                    'verbose_name': 'input of a run',
                    'verbose_name_plural': 'inputs of runs',
                    'db_table': 'scoring_schemeinput',
                    'constraints': [models.UniqueConstraint(fields=('run', 'source'), name='one_input_of_each_kind')],
                },
            ),
            migrations.AddConstraint(
                model_name='storedkey',
                constraint=models.UniqueConstraint(fields=('owner', 'scheme', 'name'), name='one_key_of_a_name_and_scheme'),
            ),
            migrations.AddIndex(
                model_name='schemerun',
                index=models.Index(fields=['owner', 'scheme', '-id'], name='runs_of_an_owner'),
            ),
            migrations.AddConstraint(
                model_name='schemerun',
                constraint=models.UniqueConstraint(fields=('owner', 'client_key'), name='one_run_per_client_key'),
            ),
        ]),
        migrations.RunPython(take_content_types, give_content_types_back),
    ]
