from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from contest.core.moments import at
from contest.models import ExchangeSession, Team
from contest.queries.solutions import field_of_set
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import restart_final
from tests.contest.team_world import a_contest
from tests.contest.world import SECOND, Door, Mode, final_at, marked_set, team
from tests.factories import EssayFactory, submitted
from tests.scoring.runs import done_run
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT, MISS = fragment(0, 4), fragment(43, 48)


def closed(person, essays, after=1, marks=(HIT,), mode=Mode.ALGORITHMIC, **fields):
    """A session over essays that has ended, with a markup of each answer."""
    opened = dict.fromkeys(["opened_at", "last_event_at", "judged_until"], at(0))
    session = ExchangeSession.objects.create(
        participant=person,
        mode=mode,
        door=Door.REST,
        rules={},
        seed=1,
        size=len(essays),
        **{"closed_at": at(after * SECOND), "state": "finished", **opened, **fields},
    )
    for position, essay in enumerate(essays, 1):
        session.files.create(position=position, name=essay.number, essay=essay)
        source = MarkupRecord.Source.ALGORITHM
        submitted(essay, *marks, author=person, source=source, origin=session.origin)
    return session


def told(essay_set):
    return {each.origin: each for each in field_of_set(essay_set.pk).solutions}


def entries(run):
    rows = run.entries.values_list("participant__username", "origin", "state", "counted")
    return {(login, origin): (state, counted) for login, origin, state, counted in rows}


def test_an_entry_is_one_session_or_what_was_sent_freely_and_never_a_mixture():
    essay_set = marked_set(essays=4)
    essays = list(essay_set.essays.order_by("pk"))
    lynx, hare, fox = team(), team(), team()
    early, last = closed(lynx, essays, 1), closed(lynx, essays, 2, marks=(MISS,))
    part = closed(lynx, essays[:3], 3)
    only_part = closed(hare, essays[:3])
    for essay in essays:
        submitted(essay, HIT, author=fox, source="algorithm")
    submitted(essays[0], HIT, author=hare, source="algorithm")

    run = done_run(essay_set)

    assert entries(run) == {
        (lynx.username, early.origin): ("former", 4),
        (lynx.username, last.origin): ("ranked", 4),
        (lynx.username, part.origin): ("former", 3),
        (hare.username, only_part.origin): ("former", 3),
        (hare.username, ""): ("few", 1),
        (fox.username, ""): ("ranked", 4),
    }


def test_annulled_sessions_stand_apart_and_do_not_move_the_others():
    essay_set = marked_set(essays=2)
    essays = list(essay_set.essays.all())
    lynx, hare = team(), team()
    annulled = closed(lynx, essays, solution="annulled", annulled=1)
    closed(hare, essays, marks=(MISS,))

    run = done_run(essay_set)

    found = run.entries.get(origin=annulled.origin)
    assert (found.state, found.reason, found.rank, found.star) == ("annulled", "1 / 2", None, 80.0)
    assert list(run.entries.filter(rank=1).values_list("participant", flat=True)) == [hare.pk]


def test_open_aborted_and_technical_sessions_are_no_solutions():
    essay_set = marked_set(essays=1)
    essays = list(essay_set.essays.all())
    closed(team(), essays, state="aborted")
    closed(team(), essays, mode=Mode.TECHNICAL)
    closed(team(), essays, closed_at=None, state="open")

    assert told(essay_set) == {}


def test_while_answers_are_being_read_a_run_fails_by_their_name():
    essay_set = marked_set(essays=1)
    session = closed(team(), essay_set.essays.all())
    session.files.update(verdict="counted")

    run = done_run(essay_set)

    assert (run.state, session.origin in run.failure) == ("failed", True)


def test_a_final_is_over_its_files_alone_and_a_restart_drops_the_answers_before_it():
    lynx = team()
    first = final_at(moment_now(), lynx, essays=2)
    essays = [each.essay for each in first.files.select_related("essay")]
    closed(lynx, essays, mode=Mode.FINAL, final=first)
    others = [EssayFactory(essay_set=first.essay_set) for _ in range(2)]
    second = restart_final(
        final=first, starts_at=at(moment_now()), reason="A flood", actor=None, moment=moment_now()
    )
    kept = closed(lynx, others, mode=Mode.FINAL, final=second)

    found = field_of_set(first.essay_set_id)

    assert found.essays == {each.pk for each in others}
    assert [each.origin for each in found.solutions] == [kept.origin]


def test_whatever_an_excluded_team_sent_stands_apart_in_a_run_with_the_reason():
    essay_set = marked_set(essays=2)
    essays = list(essay_set.essays.all())
    account, hare = team(), team()
    excluded = {"excluded_at": at(0), "excluded_because": "By hand"}
    Team.objects.create(contest=a_contest(), name="Lynx", account=account, **excluded)
    session = closed(account, essays)
    for essay in essays:
        submitted(essay, HIT, author=account, source="algorithm")
        submitted(essay, MISS, author=hare, source="algorithm")

    run = done_run(essay_set)

    rows = run.entries.values_list("participant", "origin", "state", "reason", "rank")
    assert set(rows) == {
        (account.pk, "", "excluded", "By hand", None),
        (account.pk, session.origin, "former", "By hand", None),
        (hare.pk, "", "ranked", "", 1),
    }
