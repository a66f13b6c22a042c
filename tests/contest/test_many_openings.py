"""Nobody fills the database by opening sessions without end."""

from __future__ import annotations

import pytest

from contest.models import ExchangeSession
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort
from contest.services.sessions.opening import MOST_AN_HOUR
from contest.services.sessions.refusals import SessionRefused
from tests.contest.world import SECOND, Client, Mode, final_at, marked_set, team

pytestmark = pytest.mark.django_db


def test_so_many_sessions_are_opened_in_an_hour_and_no_more():
    marked_set(2)
    person, start = team(), moment_now()
    first = Client(person, mode=Mode.TECHNICAL, moment=start)
    ended = abort(session_id=first.session.pk, moment=start)
    ended.pk = None
    ExchangeSession.objects.bulk_create([ended] * (MOST_AN_HOUR - 1))

    with pytest.raises(SessionRefused) as caught:
        Client(person, mode=Mode.TECHNICAL, moment=start + 3599 * SECOND)

    assert (caught.value.code, caught.value.status) == ("too-often", 429)
    final_at(start + 3599 * SECOND, person)
    final = Client(person, mode=Mode.FINAL, moment=start + 3599 * SECOND)
    abort(session_id=final.session.pk, moment=final.start)
    assert Client(team(), mode=Mode.TECHNICAL, moment=start).is_new
    assert Client(person, mode=Mode.TECHNICAL, moment=start + 3601 * SECOND).is_new
