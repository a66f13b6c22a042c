from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0023_practice")]

    operations = [
        migrations.AddField(
            model_name="essayimport",
            name="digest",
            field=models.CharField(default="", max_length=64),
        ),
    ]
