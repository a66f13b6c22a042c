import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0005_publication'),
    ]

    operations = [
        migrations.AddField(
            model_name='fragmentrecord',
            name='taken_from',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotator.fragmentrecord'),
        ),
        migrations.AddField(
            model_name='markuprecord',
            name='reopened_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='reopened at'),
        ),
        migrations.AddField(
            model_name='markuprecord',
            name='reopened_because',
            field=models.TextField(blank=True, verbose_name='reason of the reopening'),
        ),
    ]
