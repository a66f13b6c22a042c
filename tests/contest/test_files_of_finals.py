"""Which essays a final gets where other runs are held on the same set."""

from __future__ import annotations

import pytest

from annotator.models import EssaySet
from annotator.services.versions import replace_essay
from contest.core.moments import at
from contest.models import Delivery, Final, SessionFile
from contest.services.sessions.asking import next_file
from contest.services.sessions.finals import Planned, cancel_final, plan_final, restart_final
from tests.contest.world import SECOND, Client, Door, Mode, marked_set, team, unmarked_set
from tests.factories import EssayFactory, PersonFactory, submitted
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


@pytest.mark.parametrize("door", [Door.REST, Door.SOCKETIO])
def test_what_had_opened_when_a_run_was_cancelled_counts_as_given_out_with_no_hand_out_written(
    door,
):
    found, person = unmarked_set(3), team()
    former = run_on(found, "Spring", person=person)
    client = Client(person, door=door, mode=Mode.FINAL, moment=START)
    cancel_final(final=former, reason="a power cut", actor=None, moment=client.moment(61))
    opened = set(client.session.files.filter(position__lte=2).values_list("name", flat=True))

    again = run_on(found, "Summer")

    assert not Delivery.objects.exists()
    assert files_of(again) == {each.number for each in found.essays.all()} - opened


def replaced(essay):
    text, actor = f"{essay.text} And a comma.", PersonFactory(role="coordinator")
    return replace_essay(essay=essay, text=text, reason="a comma", actor=actor).essay


def test_another_version_of_an_essay_that_a_former_run_gave_out_is_not_given_out_anew():
    found, person = unmarked_set(4), team()
    former = run_on(found, "Spring", count=2, person=person)
    moment = Client(person, mode=Mode.FINAL, moment=START).moment(90)
    cancel_final(final=former, reason="a misprint", actor=None, moment=moment)
    replaced(former.files.first().essay)

    plan = {"starts_at": at(START + 3600 * SECOND), "actor": None, "moment": moment}
    restarted = restart_final(final=former, reason="a misprint", **plan)

    assert files_of(restarted).isdisjoint(files_of(former))
    with pytest.raises(Refused, match="has 0 essays"):
        run_on(found, "Summer")


def test_an_essay_of_which_an_expert_had_another_version_is_in_no_final():
    found = unmarked_set(1)
    essay = found.essays.get()
    submitted(essay)
    replaced(essay)

    with pytest.raises(Refused, match=r"Clause 2\.8"):
        run_on(found, "Spring")


def test_what_any_session_has_given_out_is_in_no_final_but_in_a_rehearsal():
    found = marked_set(0)
    essays = [EssayFactory(essay_set=found) for _ in range(7)]
    Client(mode=Mode.TECHNICAL).next(1)
    EssaySet.objects.update(access="final")
    (given,) = SessionFile.objects.exclude(opens_at=None).values_list("name", flat=True)

    final = run_on(found, "Spring", count=3)
    rehearsal = run_on(found, "Trial", kind=Final.Kind.REHEARSAL)

    assert given not in files_of(final)
    assert files_of(rehearsal) == {each.number for each in essays} - files_of(final)
