"""The coordinators' lists at 5,000 essays with three checks each, beside a page that lists nothing.

SQLite, one client; the peer is the page of one's own account.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.test import Client

from accounts.models import User
from tests.bench.timing import Case
from tests.factories import PersonFactory
from tests.review.desk_world import make_large

ESSAYS = 5000
LISTS = {
    "desk, late first": "/desk/",
    "desk, overdue": "/desk/?state=late",
    "desk, settled": "/desk/?state=settled",
    "desk, by deadline, last page": "/desk/?order=due&page=100",
    "desk, words": "/desk/?q=471",
    "problems": "/desk/problems/",
    "people, by lateness": "/people/?sort=late",
}


def cases() -> Iterator[Case]:
    """Each list, and the page without one."""
    make_large(ESSAYS)
    client = Client()
    client.force_login(PersonFactory(role=User.Role.COORDINATOR))
    peer = partial(client.get, "/account/")
    for name, address in LISTS.items():
        yield Case(f"{name}, {ESSAYS} essays", partial(client.get, address), peer, "/account/")
