from django.db import migrations, models

import annotator.models.rules
from accounts.triggers import FrozenAnew

RULES = ["name", "version", "hardness", "third_total", "nomination_only", "allow_crossing"]
WEIGHTS = ["w1", "w2", "w3", "w4", "w5", "w6", "w7"]
FORMER = [*RULES, *WEIGHTS, "blind_first", "days_to_mark"]


class Migration(migrations.Migration):
    """Rule sets that are there say nothing of final grades: it is not stated."""

    dependencies = [("annotator", "0016_withdrawn_may_have_it_again")]

    operations = [
        migrations.AddField(
            "ruleset",
            "final_grades",
            models.JSONField(
                blank=True,
                null=True,
                validators=[annotator.models.rules.known_final_rules],
                verbose_name="final grades",
            ),
        ),
        FrozenAnew("annotator_ruleset", [*FORMER, "final_grades"], FORMER),
    ]
