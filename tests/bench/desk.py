"""The coordinators' pages at 5,000 essays with three checks each, beside one that lists nothing.

On the database of DATABASE_URL, SQLite without one; one client, and the peer is the page of one's
own account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import Assignment, EssaySet
from config.garbage import stand
from review.core.plan_options import Options, Picked
from review.models import Export
from review.models.plans import Plan
from review.services.agreeing import compute_agreement
from review.services.plans import preview_plan
from tests.bench.timing import Case
from tests.factories import PersonFactory
from tests.review.desk_world import make_large

ESSAYS = 5000
KEPT = 200
"""So many plans and exports stand in their lists."""
LISTS = {
    "desk, late first": "/desk/",
    "desk, late first, last page": "/desk/?page=100",
    "desk, overdue": "/desk/?state=late",
    "desk, settled": "/desk/?state=settled",
    "desk, by deadline, last page": "/desk/?order=due&page=100",
    "desk, words": "/desk/?q=471",
    "desk, of an expert": "/desk/?expert={expert}",
    "desk, handed back": "/desk/?state=returned",
    "desk, waiting for the third": "/desk/?state=third",
    "problems": "/desk/problems/",
    "people, by lateness": "/people/?sort=late",
    "deadlines": "/deadlines/",
    "sets": "/sets/",
    "verification": "/verdicts/",
    "verification, a set": "/verdicts/sets/{set}/",
    "agreement": "/agreement/?set=large",
    "agreement, pairs": "/agreement/{set}/pairs/?subject=eng",
    "exports": "/exports/",
    "plans": "/planning/",
    "a plan of all": "/planning/{plan}/",
    "limits of experts": "/planning/experts/",
}
PLANS = {
    "plan of all, moved": Options(adjusts=True),
    "plan of the overdue, moved": Options(adjusts=True, picked=Picked(state="late")),
}


def cases() -> Iterator[Case]:
    """Each page, what it takes to make a plan, and the page without a list."""
    make_large(ESSAYS)
    coordinator = PersonFactory(role=User.Role.COORDINATOR)
    named = keep(coordinator)
    if connection.vendor == "postgresql":
        connection.cursor().execute("ANALYZE")  # as it does by itself a minute later
    stand()  # as the web's processes do
    client = Client()
    client.force_login(coordinator)
    peer = partial(client.get, "/account/")
    for name, address in LISTS.items():
        ask = partial(client.get, address.format(**named))
        yield Case(f"{name}, {statements(ask)} statements", ask, peer, "/account/")
    for name, options in PLANS.items():
        ask = partial(preview_plan, options=options, actor=coordinator)
        yield Case(f"{name}, {statements(ask)} statements", ask, peer, "/account/")


def keep(coordinator: User) -> dict[str, int]:
    """What lists show beside: checks handed back, agreement, plans, exports; the numbers that
    addresses name.
    """
    essay_set = EssaySet.objects.get(name="large")
    back = Assignment.objects.filter(state=Assignment.State.WAITING, essay__number__endswith="7")
    back.update(state=Assignment.State.RETURNED)
    compute_agreement(set_id=essay_set.pk)
    done = {"actor": coordinator, "state": Plan.State.DONE, "options": Options().to_json()}
    Plan.objects.bulk_create(Plan(**done, done_at=Now()) for _ in range(KEPT))
    ordered = {"owner": coordinator, "kind": Export.Kind.RESULTS, "form": Export.Form.CSV}
    Export.objects.bulk_create(
        Export(**ordered, essay_set=essay_set, state=Export.State.EXPIRED) for _ in range(KEPT)
    )
    expert = User.objects.filter(role=User.Role.EXPERT).earliest("pk")
    plan = preview_plan(options=PLANS["plan of all, moved"], actor=coordinator)
    return {"set": essay_set.pk, "expert": expert.pk, "plan": plan.pk}


def statements(ask: Callable[[], object]) -> int:
    """How much a list asks of the database, once what is made once is made."""
    ask()
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)
