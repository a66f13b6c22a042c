from django.db import migrations, models
from django.db.models import Q

CURRENT = ~Q(state="superseded") & ~Q(source="key")


class Migration(migrations.Migration):
    dependencies = [("annotator", "0028_hints")]

    operations = [
        migrations.AddField(
            model_name="markuprecord",
            name="origin",
            field=models.CharField(
                blank=True, default="", editable=False, max_length=40, verbose_name="origin"
            ),
            preserve_default=False,
        ),
        migrations.RemoveConstraint("markuprecord", "one_current_markup_per_author"),
        migrations.AddConstraint(
            "markuprecord",
            models.UniqueConstraint(
                condition=CURRENT,
                fields=["essay", "author", "origin"],
                name="one_current_markup_per_author",
            ),
        ),
        migrations.AddConstraint(
            "markuprecord",
            models.CheckConstraint(
                condition=Q(origin="") | Q(source="algorithm"),
                name="only_an_algorithm_has_an_origin",
            ),
        ),
    ]
