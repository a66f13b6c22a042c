"""What happened in a session, and what was fixed at its opening, stays as it was written."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from contest.models import Delivery, ExchangeSession, FinalFile, SessionEvent
from tests.contest.world import SECOND, Client, Mode, final_at, team

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND


@pytest.fixture
def played():
    """A final whose first file was handed out and answered."""
    person = team()
    final_at(START, person)
    client = Client(person, mode=Mode.FINAL, moment=START)
    client.send(client.next(1).slot, 2)
    return client


def refused(change, *said, **fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        change(*said, **fields)
    return True


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (SessionEvent, {"body": b"another"}),
        (SessionEvent, {"reason": "late"}),
        (SessionEvent, {"number": 99}),
        (Delivery, {"at": "2030-01-01T00:00:00Z"}),
        (ExchangeSession, {"rules": {}}),
        (ExchangeSession, {"seed": 1}),
        (ExchangeSession, {"opened_at": "2030-01-01T00:00:00Z"}),
        (FinalFile, {"position": 99}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else next(iter(each)),
)
def test_what_is_written_of_a_session_is_not_changed(model, changes):
    row = model.objects.earliest("pk")

    assert refused(model.objects.filter(pk=row.pk).update, **changes)


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("model", [SessionEvent, Delivery])
def test_what_is_written_of_a_session_is_not_deleted(model):
    last = model.objects.latest("pk")

    assert refused(model.objects.filter(pk=last.pk)._raw_delete, "default")
    assert model.objects.filter(pk=last.pk).exists()
