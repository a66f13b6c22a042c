"""Which essays a final gets where other runs are held on the same set."""

from __future__ import annotations

import pytest

from contest.core.moments import at
from contest.models import Final
from contest.services.sessions.asking import next_file
from contest.services.sessions.finals import Planned, cancel_final, plan_final
from tests.contest.world import SECOND, Client, Mode, team, unmarked_set
from web.refusals import Refused

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND


def run_on(essay_set, name, *, kind=Final.Kind.FINAL, count=None, person=None):
    planned = Planned(name, essay_set, at(START), kind, count)
    return plan_final(planned=planned, admitted=[person or team()], actor=None)


def files_of(run):
    return set(run.files.values_list("essay__number", flat=True))


def test_a_final_gets_no_essay_of_a_rehearsal_and_a_rehearsal_none_of_a_final():
    found = unmarked_set(5)
    rehearsal = run_on(found, "Trial", kind=Final.Kind.REHEARSAL, count=2)
    final = run_on(found, "Spring", count=2)

    again = run_on(found, "Second trial", kind=Final.Kind.REHEARSAL)

    assert files_of(final).isdisjoint(files_of(rehearsal))
    assert files_of(again) == {each.number for each in found.essays.all()} - files_of(final)


def test_two_finals_on_one_set_share_no_essay_and_too_few_are_told():
    found = unmarked_set(3)
    first = run_on(found, "Spring", count=2)

    second = run_on(found, "Summer")

    assert files_of(second) == {each.number for each in found.essays.all()} - files_of(first)
    with pytest.raises(Refused, match=r"has 0 essays that no other run takes or has given out"):
        run_on(found, "Autumn")


def test_of_a_final_that_was_cancelled_what_it_gave_out_is_not_given_out_again():
    found, person = unmarked_set(3), team()
    former = run_on(found, "Spring", person=person)
    client = Client(person, mode=Mode.FINAL, moment=START)
    given = next_file(session_id=client.session.pk, moment=client.moment(1)).slot.name
    cancel_final(final=former, reason="a power cut", actor=None, moment=client.moment(2))

    again = run_on(found, "Summer")

    assert files_of(again) == {each.number for each in found.essays.all()} - {given}
