from django.db import migrations, models


class Migration(migrations.Migration):
    """A ruling decided that neither is taken, with or without a reason: those there are still do."""

    dependencies = [
        ('scoring', '0007_schemes_leave'),
    ]

    operations = [
        migrations.AddField(
            model_name='ruling',
            name='neither',
            field=models.BooleanField(default=True, verbose_name='neither is taken'),
        ),
        migrations.AlterField(
            model_name='ruling',
            name='neither',
            field=models.BooleanField(default=False, verbose_name='neither is taken'),
        ),
        migrations.AlterField(
            model_name='ruling',
            name='reason',
            field=models.CharField(blank=True, max_length=500, verbose_name='reason'),
        ),
    ]
