from django.db import migrations, models
import django.db.models.functions.datetime


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0002_verbose_names'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='job', name='jobs_waiting'),
        migrations.RenameField(model_name='job', old_name='next_ring_at', new_name='next_try_at'),
        migrations.AlterField(
            model_name='job',
            name='next_try_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='not tried before'),
        ),
    ]
