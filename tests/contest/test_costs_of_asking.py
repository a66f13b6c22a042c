"""What the next file costs, however many are open at once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.services.sessions.asking import missed_files
from tests.contest.world import SECOND, Client, Mode, final_at, team

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND


@pytest.fixture
def client():
    """A final of whose twelve files one opens a second, each for an hour."""
    person = team()
    final_at(START, person, essays=12, interval=1, limit=3600)
    return Client(person, mode=Mode.FINAL, moment=START)


def test_the_next_file_costs_the_same_however_many_are_open(client):
    with CaptureQueriesContext(
        connection,
    ) as first:
        assert client.next(0.5).slot.position == 1
    with CaptureQueriesContext(connection) as later:
        assert client.next(11.5).slot.position == 2

    assert len(later) == len(first)


def test_files_nobody_was_handed_come_first_and_then_the_earliest_again(client):
    given = [client.next(11.5).slot.position for _ in range(13)]

    assert given == [*range(1, 13), 1]


def test_what_was_missed_is_told_by_one_question(client):
    client.next(0.5)

    with CaptureQueriesContext(connection) as asked:
        missed = missed_files(session_id=client.session.pk, moment=client.moment(3.5), last=None)

    assert [each.slot.position for each in missed] == [2, 3, 4]
    assert sum("EXISTS" in each["sql"] for each in asked) == 1
