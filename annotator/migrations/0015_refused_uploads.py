from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0014_import_turns")]

    operations = [
        migrations.AddField("importupload", "refused_for", models.JSONField(default=list)),
    ]
