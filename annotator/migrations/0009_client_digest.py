from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0008_superseded_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='markuprecord',
            name='client_digest',
            field=models.CharField(blank=True, max_length=64, verbose_name='digest of what was sent'),
        ),
    ]
