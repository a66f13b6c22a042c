"""On SQLite the promise of 0001 went with the table that 0005 rebuilt: it is stated again."""

from django.db import migrations

from accounts.triggers import FrozenAnew

SAID = ["participant_id", "mode", "door", "rules", "seed", "opened_at", "final_id"]


class Migration(migrations.Migration):

    dependencies = [("contest", "0012_uploads_of_markups")]

    operations = [FrozenAnew("contest_exchangesession", SAID, former=SAID)]
