from django.db import migrations

from accounts.triggers import Frozen

RULES = ["name", "version", "hardness", "third_total", "nomination_only", "allow_crossing"]
WEIGHTS = ["w1", "w2", "w3", "w4", "w5", "w6", "w7"]


class Migration(migrations.Migration):
    dependencies = [("annotator", "0001_initial")]

    operations = [
        Frozen("annotator_essay", ["text", "number", "subject", "uuid"]),
        Frozen("annotator_ruleset", [*RULES, *WEIGHTS, "blind_first", "days_to_mark"]),
    ]
