from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("review", "0010_no_address_is_a_code")]

    operations = [
        migrations.AddIndex(
            model_name="thirdcheck",
            index=models.Index(condition=Q(needed=True), fields=["essay"], name="thirds_needed"),
        ),
    ]
