from django.db import migrations


class Migration(migrations.Migration):
    """The models of the schemes are those of ``schemes`` now; tables and rows stay as they are."""

    dependencies = [
        ('scoring', '0006_client_digest'),
        ('schemes', '0001_from_scoring'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.DeleteModel(name='SchemeItem'),
            migrations.DeleteModel(name='SchemeInput'),
            migrations.DeleteModel(name='SchemeRun'),
            migrations.DeleteModel(name='StoredKey'),
        ]),
    ]
