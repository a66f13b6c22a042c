from django.db import migrations


class Migration(migrations.Migration):
    """What is decided about checks is ``review``'s now; tables and rows stay as they are."""

    dependencies = [
        ('scoring', '0008_neither_and_reason'),
        ('review', '0001_from_scoring'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.DeleteModel(name='Ruling'),
            migrations.DeleteModel(name='ThirdCheck'),
        ]),
    ]
