from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0030_takes_parcels")]

    operations = [
        migrations.AddField(
            model_name="essayimport",
            name="left_out",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="importedfile",
            name="number",
            field=models.CharField(blank=True, max_length=60),
        ),
    ]
