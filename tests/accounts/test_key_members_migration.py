from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.moments import BACKENDS, go

pytestmark = pytest.mark.full

NAMES = ("0011_login_in_any_case", "0012_keys_members_made")
BEFORE, AFTER = (("accounts", name) for name in NAMES)


@pytest.mark.parametrize("backend", BACKENDS)
def test_who_made_a_key_for_another_account_is_read_from_the_audit_trail(backend, empty_database):
    with empty_database(backend):
        apps = go(BEFORE)
        users, keys = apps("accounts", "User").objects, apps("accounts", "ApiToken").objects
        boris, team = (users.create(username=name) for name in ("boris", "team"))
        until = timezone.now() + timedelta(days=9)
        for whose, who in ((team, boris), (team, None), (boris, boris)):
            key = keys.create(user=whose, name="x", digest=f"{keys.count():064}", expires_at=until)
            apps("accounts", "AuditEntry").objects.create(
                actor=who,
                action="token.issued",
                object_type="accounts.apitoken",
                object_id=str(key.pk),
            )

        found = go(AFTER)("accounts", "ApiToken").objects.order_by("digest")

        assert list(found.values_list("member", flat=True)) == [boris.pk, None, None]
        assert go(BEFORE)("accounts", "ApiToken").objects.count() == 3
