"""Nobody reads an essay of a final before it, whose set belongs to no contest either (R 2.8)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotator.models import EssaySet
from annotator.services.set_acts import describe_set, publish
from contest.core.moments import at
from contest.models import Final
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, cancel_final, plan_final, restart_final
from tests.contest.world import SECOND, team, unmarked_set
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def planned_on(essay_set, kind=Final.Kind.FINAL, after=3600, name="Spring", **fields):
    start = moment_now() + after * SECOND
    planned = Planned(name, essay_set, at(start), kind=kind, **fields)
    return plan_final(planned=planned, admitted=[team()], actor=None)


def open_set():
    found = unmarked_set()
    EssaySet.objects.filter(pk=found.pk).update(access="open", state="preparing")
    found.refresh_from_db()
    return found


def test_no_final_is_planned_on_an_open_set_and_a_rehearsal_is():
    with pytest.raises(Refused, match="participants read the essays of the set “set-") as caught:
        planned_on(open_set())

    assert "2.8" in str(caught.value)
    assert planned_on(open_set(), Final.Kind.REHEARSAL).files.count() == 3


def test_no_final_is_planned_on_a_set_whose_essays_test_sessions_give_out():
    found = unmarked_set()
    EssaySet.objects.filter(pk=found.pk).update(access="closed")
    found.refresh_from_db()

    with pytest.raises(Refused, match="are given in other sessions too"):
        planned_on(found)
    assert planned_on(found, Final.Kind.REHEARSAL).files.count() == 3


@pytest.mark.parametrize(("state", "becomes"), [("open", "open"), ("preparing", "final")])
def test_a_set_that_participants_have_read_is_made_no_set_of_finals(state, becomes):
    found = open_set()
    EssaySet.objects.filter(pk=found.pk).update(state=state)
    found.refresh_from_db()
    actor = PersonFactory(role="coordinator")

    def make():
        values = {"access": "final"}
        describe_set(essay_set=found, seen=found.revision, actor=actor, values=values)

    if becomes == "final":
        make()
    else:
        with pytest.raises(Refused, match="Participants read the essays"):
            make()
    found.refresh_from_db()
    assert found.access == becomes


def test_nor_is_one_they_have_read_before_it_was_closed_to_them():
    found, actor = opened(open_set()), PersonFactory(role="coordinator")

    def give(access):
        values = {"access": access}
        describe_set(essay_set=found, seen=found.revision, actor=actor, values=values)
        found.refresh_from_db()

    give("closed")
    with pytest.raises(Refused, match="Participants read the essays"):
        give("final")
    hidden = open_set()
    for access in ("closed", "final"):
        values = {"access": access}
        describe_set(essay_set=hidden, seen=hidden.revision, actor=actor, values=values)
        hidden.refresh_from_db()
    assert (found.access, hidden.access) == ("closed", "final")


def test_one_that_was_empty_while_it_was_open_may_be():
    found = opened(EssaySetFactory(access="open", state="preparing"))
    actor = PersonFactory(role="coordinator")

    def give(access):
        values = {"access": access}
        describe_set(essay_set=found, seen=found.revision, actor=actor, values=values)
        found.refresh_from_db()

    give("closed")
    EssayFactory(essay_set=found)
    give("final")

    assert found.access == "final"


def test_the_page_and_the_command_say_why(log_in):
    essay_set, person = open_set(), team()
    body = {"name": "Spring", "kind": "final", "essay_set": essay_set.pk, "admitted": [person.pk]}
    body |= {"starts_at": "2030-01-01T10:00", "interval": 60, "limit": 60, "sends": 10}
    body |= {"window": 120, "share": 5, "lost": 900}

    page = log_in(PersonFactory(role="organiser")).post("/exchange/finals/", body)

    assert page.status_code == 422
    assert "participants read the essays" in page_of(page).find(".errorlist")[0].text
    words = ("final", "plan", "Spring", "--set", essay_set.name, "--start", "2030-01-01T10:00")
    with pytest.raises(CommandError, match="participants read the essays"):
        call_command(*words, "--admit", person.username)
    assert not Final.objects.exists()


@pytest.mark.parametrize("published", [-DAY, DAY])
def test_no_final_is_planned_on_a_set_that_is_published_or_will_be(published):
    found = unmarked_set()
    EssaySet.objects.filter(pk=found.pk).update(published_at=timezone.now() + published)

    with pytest.raises(Refused, match="is published, or will be"):
        planned_on(found)


def test_a_run_is_not_started_anew_on_a_set_that_was_published_meanwhile():
    found = unmarked_set(6)
    final = planned_on(found, after=-86_400, count=3)
    publish(essay_set=opened(found), at=None, seen=0, actor=PersonFactory(role="coordinator"))

    with pytest.raises(Refused, match="is published, or will be"):
        restart_final(
            final=final,
            starts_at=timezone.now() + DAY,
            reason="A flood",
            actor=None,
            moment=moment_now(),
        )
    final.refresh_from_db()
    assert final.cancelled_at is None


def opened(essay_set):
    EssaySet.objects.filter(pk=essay_set.pk).update(state="open")
    essay_set.refresh_from_db()
    return essay_set


def made_closed(essay_set):
    actor, values = PersonFactory(role="coordinator"), {"access": "closed"}
    describe_set(essay_set=essay_set, seen=essay_set.revision, actor=actor, values=values)


def made_open(essay_set):
    actor, values = PersonFactory(role="coordinator"), {"access": "open"}
    describe_set(essay_set=essay_set, seen=essay_set.revision, actor=actor, values=values)


def made_public(essay_set):
    actor = PersonFactory(role="coordinator")
    publish(essay_set=essay_set, at=None, seen=essay_set.revision, actor=actor)


def to_be_public(essay_set):
    actor, later = PersonFactory(role="coordinator"), timezone.now() + timedelta(minutes=30)
    publish(essay_set=essay_set, at=later, seen=essay_set.revision, actor=actor)


@pytest.mark.parametrize("show", [made_open, made_closed, made_public, to_be_public])
@pytest.mark.parametrize(
    ("after", "words"),
    [
        (3600, "is sealed until its finals are over"),
        (-60, "is sealed until its finals are over"),
        (-150, "a file of the final “Spring”"),
    ],
)
def test_a_set_is_not_shown_before_its_final_is_over(show, after, words):
    found = opened(unmarked_set())
    planned_on(found, after=after)

    with pytest.raises(Refused, match=words):
        show(found)


@pytest.mark.parametrize("show", [made_open, made_public])
def test_a_set_whose_final_is_over_or_cancelled_is_shown(show):
    over, cancelled = opened(unmarked_set()), opened(unmarked_set())
    planned_on(over, after=-3600)
    run = planned_on(cancelled, name="Autumn")
    cancel_final(final=run, reason="A flood", actor=None, moment=moment_now())

    show(over)
    show(cancelled)

    kept = EssaySet.objects.filter(pk__in=[over.pk, cancelled.pk])
    assert all(each.access == "open" or each.published_at for each in kept)
