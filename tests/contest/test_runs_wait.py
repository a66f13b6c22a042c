"""Score runs of contests stand on the pages of those who have the next word."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from contest.models import Contest
from scoring.models import PublishedRun, ScoreRun, StandingBoard
from tests.contest.running_world import announced, over, person, team_in
from tests.contest.test_phase_protocols import applied
from tests.contest.test_runs_stay import another

pytestmark = pytest.mark.django_db


def test_a_run_waits_for_those_who_decide_it_then_for_its_verdicts_until_its_board_is_seen(log_in):
    contest = announced()
    team_in(contest, "Lynx")
    over(contest, "finals")
    run = applied(contest)
    organiser, judge, commission = (person(each) for each in ("organiser", "judge", "commission"))
    pages = ((organiser, "/desk/"), (judge, "/verdicts/"), (commission, "/verdicts/"))

    def waits(words):
        line = f"Score run {run.pk} of “{run.essay_set}”{words}"
        seen = [log_in(who).get(path).content.decode() for who, path in pages]
        return [line in each for each in seen]

    StandingBoard.objects.update(applied=None)
    ScoreRun.objects.update(state="ready", proposed_by=organiser, decided_by=None)
    proposed = " is proposed: do it or not"
    assert (waits(proposed), waits("</a>")) == ([False, True, True], [False, False, False])

    ScoreRun.objects.update(state="applied", decided_by=judge)
    StandingBoard.objects.update(applied=run)
    assert (waits(proposed), waits("</a>")) == ([False] * 3, [False, True, False])

    Contest.objects.update(final_at=Now())
    assert waits("</a>") == [False, True, False]
    run.verdicts.create(kind="checked", who=judge)
    assert waits("</a>") == [False, False, True]
    run.verdicts.create(kind="verified", who=commission)
    assert waits(": publish its board") == [True, False, False]
    PublishedRun.objects.create(run=run)
    assert (waits("</a>"), waits(": publish its board")) == ([False] * 3, [False] * 3)


@pytest.mark.parametrize(
    ("kind", "proposal", "waits"),
    [
        ("finals", "apply", False),
        ("finals", "discard", True),
        ("qualification", "apply", True),
    ],
)
def test_a_proposed_run_waits_as_long_as_it_may_be_done(log_in, kind, proposal, waits):
    contest = announced()
    team_in(contest, "Lynx")
    counts = applied(contest)
    ready = another(counts, proposal=proposal, proposed_by=person("organiser"))
    contest.phases.filter(kind=kind).update(closed_at=Now())

    page = log_in(person("judge")).get("/verdicts/").content.decode()

    line = f"Score run {ready.pk} of “{ready.essay_set}” is proposed: do it or not"
    assert (line in page) is waits


def test_the_first_run_of_an_approved_set_waits_for_who_decides_it(log_in):
    contest = announced()
    team_in(contest, "Lynx")
    ready = another(applied(contest), proposal="apply", proposed_by=person("organiser"))
    StandingBoard.objects.all().delete()
    contest.phases.filter(kind="finals").update(closed_at=Now())

    page = log_in(person("judge")).get("/verdicts/").content.decode()

    assert f"Score run {ready.pk} of “{ready.essay_set}” is proposed: do it or not" in page
