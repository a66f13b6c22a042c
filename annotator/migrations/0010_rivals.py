from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0009_client_digest")]

    operations = [
        migrations.AddField(
            model_name="essayset",
            name="shows_rivals",
            field=models.BooleanField(
                default=False,
                help_text="By full names. Else, of test sets and finals, they see their own alone.",
                verbose_name="participants see each other’s figures",
            ),
        ),
    ]
