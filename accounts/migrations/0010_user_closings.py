from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_audit_never_replaced")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="closings",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
    ]
