from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0026_recall")]

    operations = [
        migrations.AddField(
            model_name="phrase",
            name="subcode",
            field=models.CharField(blank=True, max_length=60, verbose_name="subcode"),
        ),
        migrations.AddField(
            model_name="phrase",
            name="correction",
            field=models.CharField(blank=True, max_length=200, verbose_name="correction"),
        ),
    ]
