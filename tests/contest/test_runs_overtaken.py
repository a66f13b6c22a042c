"""No results are checked of a run that counts what was decided otherwise since (R 7.15, 9.5)."""

from __future__ import annotations

import pytest

from contest.models import ExchangeSession, Final, PhaseProtocol
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.services.contest_finals import (
    WantedRestart,
    WantedRun,
    cancel_contest_final,
    plan_contest_final,
    restart_contest_final,
)
from scoring.pages.set_apart import late_of_runs
from tests.contest.phases import applied, checked_by_two, say, waits_for_judges
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.team_world import a_session
from tests.factories import EssayFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db
OTHERWISE = (
    r"^Score run %d of the set “spring final” counts solutions that were annulled, excluded or "
    r"taken back since: apply another one first\.$"
)


@pytest.fixture
def contest():
    made = announced()
    team_in(made, "Lynx")
    return made


@pytest.fixture
def final(contest):
    """The final was held, and its files are not all of the set."""
    held = contest.data_sets.get(role="final").essay_set
    EssayFactory.create_batch(3, essay_set=held)
    asked = WantedRun("Finals", held, now() + 31 * DAY, count=3)
    made = plan_contest_final(contest=contest, wanted=asked, actor=person("organiser"))
    Final.objects.update(starts_at=now() - 2 * DAY)
    over(contest, "finals")
    made.refresh_from_db()
    return made


def check(contest):
    return say(contest, "checked", "judge", of="finals")


def test_an_exclusion_since_the_run_asks_for_another_run(contest):
    over(contest, "finals")
    run = applied(contest)
    act = {
        "contest": contest,
        "team": contest.teams.get(),
        "reason": "Cheated",
        "actor": person("organiser"),
    }
    exclude_team(protocol="No. 3", **act)

    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)
    assert (PhaseProtocol.objects.exists(), waits_for_judges(contest)) == (False, False)
    take_team_back(**act)
    assert waits_for_judges(contest)
    check(contest)

    assert PhaseProtocol.objects.count() == 1


def test_an_annulment_that_a_run_knows_is_its_result_until_it_is_taken_back(contest, final):
    checked_by_two(final.essay_set)
    run = applied(contest)
    session = _held(final, contest.teams.get())
    run.entries.update(origin=session.origin)
    act = {
        "contest": contest,
        "solution": session,
        "reason": "By hand",
        "actor": person("organiser"),
    }
    annul_solution(protocol="No. 3", **act)

    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)
    run.entries.update(state="annulled", rank=None, reason="By hand")
    check(contest)
    say(contest, "returned", "commission", of="finals", reason="Look again")
    lift_annulment(**act)
    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)

    assert PhaseProtocol.objects.count() == 1


def test_a_run_that_excludes_a_team_which_is_back_and_annulled_counts_it_otherwise(contest, final):
    checked_by_two(final.essay_set)
    run = applied(contest)
    session = _held(final, contest.teams.get())
    run.entries.update(origin=session.origin, state="excluded", rank=None, reason="Cheated")
    annul_solution(
        contest=contest,
        solution=session,
        reason="By hand",
        protocol="No. 3",
        actor=person("organiser"),
    )

    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)
    (since,) = late_of_runs([run])[run.pk].values()

    assert since == "annulled"


def test_a_run_of_the_finals_that_is_to_come_keeps_their_results_back(contest, final):
    run = applied(contest)
    run.entries.update(origin=_held(final, contest.teams.get()).origin)
    wanted = WantedRestart(now() + DAY, "A failure", "No. 1", "No. 2")
    contest.phases.filter(kind="finals").update(ends_at=now() + 2 * DAY)
    restart_contest_final(contest=contest, final=final, wanted=wanted, actor=person("organiser"))
    over(contest, "finals")

    with pytest.raises(Refused) as refused:
        check(contest)
    assert str(refused.value) == (
        "“Finals, 2” is still to be held: the results of the finals are checked afterwards."
    )
    assert not waits_for_judges(contest)
    Final.objects.filter(run=2).update(starts_at=now() - DAY)
    checked_by_two(final.essay_set)
    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)
    Final.objects.filter(run=2).update(cancelled_at=now(), cancelled_because="No power")

    assert not PhaseProtocol.objects.exists()


def test_a_run_counts_no_session_of_a_final_that_was_cancelled_since(contest, final):
    run = applied(contest)
    run.entries.update(origin=_held(final, contest.teams.get()).origin)
    actor = person("organiser")
    cancel_contest_final(contest=contest, final=final, reason="No power", actor=actor)

    with pytest.raises(Refused, match=OTHERWISE % run.pk):
        check(contest)

    assert not PhaseProtocol.objects.exists()


def test_finals_are_not_ready_for_judges_while_a_session_goes_on_or_the_run_was_returned(
    contest, final
):
    checked_by_two(final.essay_set)
    run = applied(contest)
    session = _held(final, contest.teams.get())
    run.entries.update(origin=session.origin)
    waits = [waits_for_judges(contest)]

    ExchangeSession.objects.filter(pk=session.pk).update(closed_at=None, state="open")
    waits.append(waits_for_judges(contest))
    ExchangeSession.objects.filter(pk=session.pk).update(closed_at=now(), state="finished")
    run.verdicts.create(kind="returned", who=person("judge"), reason="Look again")
    waits.append(waits_for_judges(contest))

    assert waits == [True, False, False]


def test_a_rehearsal_that_is_to_come_keeps_no_results_back(contest):
    over(contest, "finals")
    applied(contest)
    held = contest.data_sets.get(role="training").essay_set
    rehearsal = WantedRun("Rehearsal", held, now() + DAY, Final.Kind.REHEARSAL)
    plan_contest_final(contest=contest, wanted=rehearsal, actor=person("organiser"))

    check(contest)

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def _held(final, team):
    return a_session(team, size=3, mode="final", final=final)
