from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE, AFTER = (("accounts", name) for name in ("0010_user_closings", "0011_login_in_any_case"))


@pytest.fixture
def migrate():
    """Migrates to a point; returns the accounts of then. In the end everything is as it was."""

    def to(target):
        executor = MigrationExecutor(connection)
        executor.migrate([target])
        return executor.loader.project_state([target]).apps.get_model("accounts", "User")

    yield to
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_logins_that_differ_in_letter_case_only_are_named_by_the_migration(migrate):
    users = migrate(BEFORE).objects
    anna, other = (users.create(username=name) for name in ("anna", "Anna"))
    users.create(username="olga")

    with pytest.raises(ValueError, match="letter case only") as failed:
        migrate(AFTER)

    assert str(failed.value) == (
        "These logins differ in letter case only: "
        f"anna (account {anna.pk}), Anna (account {other.pk}). "
        "Rename all but one of each by the former version, then migrate again."
    )
    other.delete()
