"""What the acts of a third expert ask of the database: nothing twice, nothing row by row."""

from __future__ import annotations

import pytest

from annotator.models import FragmentRecord
from tests.annotator.test_marking_costs import DRAFT, SHOWN, STEP, said_by
from tests.review.thirds import AGREED, LEFT, RIGHT, thirds

pytestmark = pytest.mark.django_db

EARLIER = ("SELECT", "fragmentrecord")
RULINGS = ("SELECT", "ruling")
HELD = [*DRAFT, ("SELECT", "markuprecord"), EARLIER, RULINGS]
MADE = STEP[len(DRAFT) :]
COPIED = ("INSERT", "fragmentrecord")
TAKEN = [*SHOWN, ("SELECT", "markuprecord"), RULINGS]
KEPT = [("SELECT", "markuprecord"), EARLIER, ("INSERT", "ruling")]
ACTS = {
    "take": [*HELD, *MADE, COPIED, *TAKEN],
    "instead": [*HELD, *MADE, ("DELETE", "fragmentrecord"), COPIED, *TAKEN],
    "neither": [*HELD, *MADE, *KEPT, RULINGS],
    "neither, taken": [*HELD, *MADE, ("DELETE", "fragmentrecord"), *KEPT, *TAKEN],
    "reason": [*HELD, *MADE, *KEPT, RULINGS],
}
"""What each act says to the database, besides where transactions begin and end."""


@pytest.mark.parametrize("many", [1, 20])
def test_an_act_of_the_third_desk_asks_for_each_thing_once(log_in, many):
    made = thirds(first=(AGREED, LEFT) * many, second=(AGREED, RIGHT) * many)
    first, second = (" ".join(map(str, made.rows(side))) for side in ("first", "second"))
    client = log_in(made.record.author)
    client.get("/account/")
    base = f"/markups/{made.record.pk}/"
    wanted = {
        "take": ("take", {"sources": first}),
        "instead": ("take", {"sources": second, "instead_of": first}),
        "neither": ("neither", {"fragments": first}),
        "neither, taken": ("neither", {"fragments": second}),
        "reason": ("reasons", {"fragments": first, "reason": "because"}),
    }

    found = {
        name: said_by(client, "post", f"{base}{path}/", {"version": at, **fields})
        for at, (name, (path, fields)) in enumerate(wanted.items())
    }

    assert found == ACTS
    assert FragmentRecord.objects.filter(markup=made.record).count() == 0
