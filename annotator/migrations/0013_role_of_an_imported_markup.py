from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0012_reasons_in_codes")]

    operations = [
        migrations.AddField(
            model_name="importedfile",
            name="role",
            field=models.CharField(
                blank=True,
                choices=[
                    ("first", "first check"),
                    ("second", "second check"),
                    ("third", "third check"),
                    ("further", "beside the checks"),
                ],
                max_length=7,
            ),
        ),
    ]
