from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0005_third_tried_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='schemerun',
            name='client_digest',
            field=models.CharField(blank=True, max_length=64, verbose_name='digest of what was sent'),
        ),
    ]
