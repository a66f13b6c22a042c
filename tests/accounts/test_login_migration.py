from __future__ import annotations

import pytest

from tests.moments import go

BEFORE, AFTER = (("accounts", name) for name in ("0010_user_closings", "0011_login_in_any_case"))


def test_logins_that_differ_in_letter_case_only_are_named_by_the_migration(empty_database):
    with empty_database("sqlite"):
        users = go(BEFORE)("accounts", "User").objects
        anna, other = (users.create(username=name) for name in ("anna", "Anna"))
        users.create(username="olga")

        with pytest.raises(ValueError, match="letter case only") as failed:
            go(AFTER)

    assert str(failed.value) == (
        "These logins differ in letter case only: "
        f"anna (account {anna.pk}), Anna (account {other.pk}). "
        "Rename all but one of each by the former version, then migrate again."
    )
