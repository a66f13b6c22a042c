"""Once results are final nothing of a contest is decided otherwise (R 7.15, 9.5, 10.1, 11.6)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from contest.core.moments import at
from contest.models import Announcement, Annulment, Contest, ExchangeSession, Final, Team
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.services.contest_finals import (
    WantedRestart,
    restart_contest_final,
)
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, plan_final
from contest.services.sessions.settling import settle_due
from tests.contest.running_world import announced, now, person, team_in
from tests.contest.world import SECOND, Client, Mode
from web.refusals import Refused

pytestmark = pytest.mark.django_db

FINAL = "The results of the contest are final: nothing of it changes any more."
SAID = {"reason": "Late", "protocol": "No. 9"}


@pytest.fixture
def contest():
    """A final was held; a session is annulled, a team excluded, another one takes part."""
    made = announced()
    lynx, owl = team_in(made, "Lynx"), team_in(made, "Owl")
    held = made.data_sets.get(role="final").essay_set
    start = moment_now() - 600 * SECOND
    planned, actor = Planned("Finals", held, at(start)), person("organiser")
    plan_final(planned=planned, admitted=[lynx.account, owl.account], actor=None)
    for team in (lynx, owl):
        client = Client(team.account, mode=Mode.FINAL, moment=start)
        for number in range(3):
            client.send(client.next(60 * number + 1).slot, 60 * number + 5)
    settle_due()
    annul_solution(contest=made, solution=session_of("Lynx"), actor=actor, **SAID)
    exclude_team(contest=made, team=owl, actor=actor, **SAID)
    Contest.objects.update(final_at=timezone.now())
    made.refresh_from_db()
    return made


def session_of(name):
    return ExchangeSession.objects.get(participant__team__name=name)


def anew(contest):
    wanted = WantedRestart(now() + timedelta(days=1), "A failure", "No. 1", "No. 2")
    restart_contest_final(
        contest=contest, final=Final.objects.get(), wanted=wanted, actor=person("organiser")
    )


ACTS = {
    "exclude a team": lambda contest, actor: exclude_team(
        contest=contest, team=Team.objects.get(name="Lynx"), actor=actor, **SAID
    ),
    "take a team back": lambda contest, actor: take_team_back(
        contest=contest, team=Team.objects.get(name="Owl"), reason="Late", actor=actor
    ),
    "annul a solution": lambda contest, actor: annul_solution(
        contest=contest, solution=session_of("Owl"), actor=actor, **SAID
    ),
    "let a solution stand": lambda contest, actor: lift_annulment(
        contest=contest, solution=session_of("Lynx"), reason="Late", actor=actor
    ),
    "restart the finals": lambda contest, _actor: anew(contest),
}


def written():
    return [
        list(each.objects.order_by("pk").values())
        for each in (Annulment, Announcement, Team, Final, AuditEntry, ExchangeSession)
    ]


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_nothing_is_decided_once_the_results_are_final(contest, act):
    actor, before = person("organiser"), written()

    with pytest.raises(Refused) as refused:
        act(contest, actor)

    assert (str(refused.value), written()) == (FINAL, before)


def test_before_they_are_final_the_same_is_done(contest):
    Contest.objects.update(final_at=None)
    contest.refresh_from_db()
    actor = person("organiser")

    for each in ("let a solution stand", "take a team back", "exclude a team"):
        ACTS[each](contest, actor)

    assert not Annulment.objects.filter(lifted_at=None).exists()
    excluded = Team.objects.exclude(excluded_at=None).values_list("name", flat=True)
    assert list(excluded) == ["Lynx"]


@pytest.mark.usefixtures("contest")
def test_the_page_of_solutions_offers_nothing_any_more(log_in):
    address = "/contests/spring/manage/solutions/"
    answer = log_in(person("organiser")).get(address)

    assert answer.status_code == 200
    forms = [form for form in answer.text.split("<form")[1:] if "/spring/" in form.split(">")[0]]
    assert forms == []
    assert log_in(person("participant")).get(address).status_code == 403
