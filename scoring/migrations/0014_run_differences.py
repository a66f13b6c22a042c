import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0013_published_runs"),
    ]

    operations = [
        migrations.CreateModel(
            name="RunDifference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("moves", models.JSONField()),
                ("after", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="differences", to="scoring.scorerun")),
                ("before", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="scoring.scorerun")),
            ],
            options={
                "verbose_name": "difference of two score runs",
                "verbose_name_plural": "differences of score runs",
                "constraints": [models.UniqueConstraint(fields=("before", "after"), name="one_difference_of_two_runs")],
            },
        ),
    ]
