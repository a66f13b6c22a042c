from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0025_steps_of_the_log")]

    operations = [
        migrations.AddField(
            model_name="markuprecord",
            name="final_at",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="can be recalled until"
            ),
        ),
        migrations.AddConstraint(
            model_name="markuprecord",
            constraint=models.CheckConstraint(
                condition=models.Q(("final_at", None))
                | models.Q(("state", "draft"), ("submitted_at__isnull", False)),
                name="only_a_draft_is_recalled",
            ),
        ),
    ]
