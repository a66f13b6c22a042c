"""Who is admitted after a final was planned takes part in it all the same (R 7.2)."""

from __future__ import annotations

import pytest

from contest.core.moments import moment_of
from contest.models import Final
from contest.services.annulling import exclude_team, take_team_back
from contest.services.contest_finals import WantedRun, plan_contest_final, restart_contest_final
from contest.services.teams.admitting import admit_to_runs_ahead
from tests.contest.running_world import DAY, announced, now, person, team_in
from tests.contest.team_world import WHOLE, a_team, judges, letters, qualify
from tests.contest.test_contest_finals import ANEW, begun, run
from tests.contest.test_team_verdicts import KINDS, say
from tests.contest.world import Client, Mode
from tests.factories import EssayFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    """A final and a rehearsal are planned, for the one team there is."""
    made = announced()
    team_in(made)
    EssayFactory.create_batch(3, essay_set=made.data_sets.get(role="final").essay_set)
    run(made, count=3)
    run(made, days=2, kind=Final.Kind.REHEARSAL, role="training", name="Rehearsal")
    return made


def people_of(contest, **which):
    found = Final.objects.filter(essay_set__data_set__contest=contest, **which)
    return {each.participant for final in found for each in final.admissions.all()}


def admitted_by_three(team):
    for actor, kind in zip(judges(), KINDS, strict=True):
        say(team, actor, kind)


def test_a_team_that_is_admitted_later_opens_the_final(contest, log_in):
    late = a_team(contest, "Owl")
    qualify(late)
    before = people_of(contest, kind="final")

    admitted_by_three(late)

    assert late.account not in before
    assert late.account in people_of(contest, kind="final")
    told = page_of(log_in(late.account).get("/exchange/")).text
    assert "you are admitted" in told
    final = Final.objects.get(kind="final")
    Final.objects.filter(pk=final.pk).update(starts_at=now())
    session = Client(late.account, mode=Mode.FINAL, moment=moment_of(now())).session
    assert session.final == final


def test_a_new_team_takes_part_in_the_rehearsal_and_in_no_final(contest, client):
    client.post("/contests/spring/apply/", WHOLE)
    (link,) = letters().values()
    client.post(link)

    team = contest.teams.get(name="Alfa")
    assert people_of(contest, kind="rehearsal") >= {team.account}
    assert team.account not in people_of(contest, kind="final")


def test_what_has_begun_and_what_was_cancelled_takes_nobody_more(contest):
    late = a_team(contest, "Owl")
    qualify(late)
    Final.objects.filter(kind="final").update(starts_at=now() - DAY)
    cancelled = {"cancelled_at": now(), "cancelled_because": "x"}
    Final.objects.filter(kind="rehearsal").update(**cancelled)

    admitted_by_three(late)

    assert late.account not in people_of(contest)


def test_a_team_that_is_taken_back_takes_part_in_what_was_planned_meanwhile(contest):
    team, actor = contest.teams.get(), person("organiser")
    team_in(contest, "Owl")
    admit_to_runs_ahead(contest, actor=actor)
    first = begun(Final.objects.get(kind="final"))
    exclude_team(contest=contest, team=team, reason="Cheated", protocol="No. 3", actor=actor)
    again = restart_contest_final(contest=contest, final=first, wanted=ANEW, actor=actor)
    assert team.account not in people_of(contest, pk=again.pk)

    take_team_back(contest=contest, team=team, reason="A slip", actor=actor)

    assert people_of(contest, pk=again.pk) == {each.account for each in contest.teams.all()}


def test_a_restart_takes_whoever_is_admitted_by_then(contest):
    first = begun(Final.objects.get(kind="final"))
    team_in(contest, "Owl")

    actor = person("organiser")
    again = restart_contest_final(contest=contest, final=first, wanted=ANEW, actor=actor)

    assert people_of(contest, pk=again.pk) == {each.account for each in contest.teams.all()}


def test_a_restart_is_held_for_those_admitted_since_where_all_former_teams_are_excluded(contest):
    (former,), actor = contest.teams.all(), person("organiser")
    first = begun(Final.objects.get(kind="final"))
    owl = team_in(contest, "Owl")
    exclude_team(contest=contest, team=former, reason="Cheated", protocol="No. 3", actor=actor)

    again = restart_contest_final(contest=contest, final=first, wanted=ANEW, actor=actor)

    assert people_of(contest, pk=again.pk) == {owl.account}


def test_teams_of_another_contest_are_admitted_to_nothing_here(contest):
    other = announced("autumn")
    stranger = team_in(other)
    held = other.data_sets.get(role="final").essay_set
    asked = WantedRun("Other finals", held, now() + 32 * DAY)
    plan_contest_final(contest=other, wanted=asked, actor=person("organiser"))
    late = a_team(contest, "Owl")
    qualify(late)

    admitted_by_three(late)

    assert people_of(other) == {stranger.account}
    assert stranger.account not in people_of(contest)
