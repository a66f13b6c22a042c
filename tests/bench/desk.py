"""The coordinators' lists at 5,000 essays with three checks each, beside a page that lists nothing.

On the database of DATABASE_URL, SQLite without one; one client, and the peer is the page of one's
own account.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.bench.timing import Case
from tests.factories import PersonFactory
from tests.review.desk_world import make_large

ESSAYS = 5000
LISTS = {
    "desk, late first": "/desk/",
    "desk, late first, last page": "/desk/?page=100",
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
    if connection.vendor == "postgresql":
        connection.cursor().execute("ANALYZE")  # as it does by itself a minute later
    gc.collect()
    gc.freeze()  # as the web's processes do: what stays is not walked while somebody waits
    client = Client()
    client.force_login(PersonFactory(role=User.Role.COORDINATOR))
    peer = partial(client.get, "/account/")
    for name, address in LISTS.items():
        ask = partial(client.get, address)
        yield Case(f"{name}, {statements(ask)} statements", ask, peer, "/account/")


def statements(ask: Callable[[], object]) -> int:
    """How much a list asks of the database, once what is made once is made."""
    ask()
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)
