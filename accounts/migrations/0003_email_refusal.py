from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_audit_append_only")]

    operations = [
        migrations.AlterConstraint(
            model_name="user",
            name="one_account_per_email",
            constraint=models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="one_account_per_email",
                violation_error_message="Another account has this e-mail.",
            ),
        ),
    ]
