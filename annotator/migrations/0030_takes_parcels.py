from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0029_origin")]

    operations = [
        migrations.AddField(
            model_name="essayset",
            name="takes_parcels",
            field=models.BooleanField(
                default=False,
                help_text="A .zip of .json and .txt files, as often as they like. Never of finals.",
                verbose_name="participants hand in markups as an archive",
            ),
        ),
    ]
