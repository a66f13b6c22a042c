from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0011_thirds_needed")]

    operations = [
        migrations.AlterField(
            model_name="verdict",
            name="kind",
            field=models.CharField(
                choices=[
                    ("verified", "verified"),
                    ("approved", "approved"),
                    ("returned", "returned"),
                    ("sent", "sent again"),
                ],
                max_length=8,
                verbose_name="verdict",
            ),
        ),
    ]
