"""Two words at one moment on PostgreSQL: one counts, the other one is told so."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from contest.models import Annulment, DataSet, Membership, ParameterSet, PhaseProtocol
from contest.services.announcing import tell_news
from contest.services.annulling import annul_solution
from contest.services.both_words import Both
from contest.services.contests import hold_contest
from contest.services.data_sets import add_data_set
from contest.services.parameters import give_consent, propose_parameters
from contest.services.phase_protocols import results_now, say_of_phase
from contest.services.teams.applying import Wish, send_application
from contest.services.teams.joining import accept, invite
from contest.services.teams.letters import Post
from tests.contest.running_world import announced, over, person, team_in, wanted
from tests.contest.world import handed
from tests.e2e.database import connected, together
from tests.factories import EssayFactory, EssaySetFactory, submitted
from tests.services import copy_of
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.full
AT_ONCE = 4


@pytest.fixture(scope="module")
def contest(postgres_tables, django_db_blocker):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        made = announced()
        team_in(made)
        over(made, "qualification")
        yield made


def outcomes(tries):
    """What each try at one moment came to: ``True``, or the class of its error."""
    found = together(*tries)
    return [type(each) if isinstance(each, Exception) else True for each in found]


def test_of_many_who_check_a_phase_at_once_one_does(contest):
    judges = [person("judge") for _number in range(AT_ONCE)]
    phase = contest.phases.select_related("contest").get(kind="qualification")
    _results, seen = results_now(phase)

    found = outcomes(
        [
            lambda judge=judge: say_of_phase(
                phase=phase, kind="checked", seen=seen, reason="", actor=judge
            )
            for judge in judges
        ]
    )

    assert sorted(map(str, found)) == sorted(map(str, [True, *[Conflict] * (AT_ONCE - 1)]))
    assert PhaseProtocol.objects.get(phase=phase).verdicts.count() == 1


def test_of_many_proposals_and_consents_at_once_one_of_each_counts(contest):
    actor = person("organiser")
    found = outcomes(
        [
            lambda: propose_parameters(contest=contest, wanted=wanted(limit=90), actor=actor)
            for _number in range(AT_ONCE)
        ]
    )
    assert found.count(True) == 1
    proposal = ParameterSet.objects.get(contest=contest, version=2)
    judges = [person("judge") for _number in range(AT_ONCE)]

    agreed = outcomes(
        [
            lambda judge=judge: give_consent(
                parameters=proposal, agrees=True, reason="", actor=judge
            )
            for judge in judges
        ]
    )

    assert (agreed.count(True), agreed.count(Conflict)) == (1, AT_ONCE - 1)
    assert proposal.consents.count() == 1


def test_a_solution_is_annulled_once(contest):
    session = handed(EssayFactory()).exchange_sessions.get()
    said = {"reason": "By hand", "protocol": "No. 5", "actor": person("organiser")}

    found = outcomes(
        [
            lambda: annul_solution(contest=contest, solution=session, **said)
            for _number in range(AT_ONCE)
        ]
    )

    assert (found.count(True), found.count(Conflict)) == (1, AT_ONCE - 1)
    assert Annulment.objects.filter(session=session).count() == 1


def tell(contest):
    words = Both("Новости", "News")
    tell_news(contest=contest, title=words, body=words, actor=person("organiser"))


@pytest.mark.parametrize("act", [hold_contest, tell])
def test_who_invites_or_applies_waits_for_no_act_of_organisers_on_the_contest(act, contest):
    team, captain = contest.teams.first(), person("participant")
    Membership.objects.filter(team=team, is_captain=True).update(is_captain=False)
    team.memberships.create(contest=contest, person=captain, is_captain=True)
    post = Post("http://127.0.0.1", "en")
    boris, anna = (f"{name}.{act.__name__}@example.org" for name in ("boris", "anna"))
    wish = Wish("Alfa", "", "", [{"name": "Anna", "email": anna}])

    def hurried(act):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '3s'")  # who is held up fails
        return act()

    with transaction.atomic():
        act(contest)
        invited, applied = together(
            lambda: hurried(
                lambda: invite(team=team, actor=captain, post=post, name="Boris", email=boris)
            ),
            lambda: hurried(
                lambda: send_application(
                    contest=contest, wish=wish, network="127.0.0.1", post=post, actor=None
                )
            ),
        )

    assert [getattr(each, "email", each) for each in (invited, applied)] == [boris, anna]


@pytest.mark.parametrize("number", range(4))
def test_whoever_joins_while_a_set_the_person_has_checked_is_added_is_not_beside_it(
    number, contest
):
    organiser, team = person("organiser"), contest.teams.first()
    checker = person("participant", email=f"checker{number}@example.org")
    held = EssaySetFactory(access="closed")
    submitted(EssayFactory(essay_set=held), author=checker)
    captain = person("participant")
    Membership.objects.filter(team=team, is_captain=True).update(is_captain=False)
    team.memberships.create(contest=contest, person=captain, is_captain=True)
    post = Post("http://127.0.0.1", "en")
    asked = {"team": team, "actor": captain, "post": post, "name": "Boris"}
    invitation = invite(**asked, email=checker.email)

    found = outcomes(
        [
            lambda: accept(invitation=invitation, language="en"),
            lambda: add_data_set(
                contest=contest, role=DataSet.Role.TEST, essay_set=held, actor=organiser
            ),
            lambda: invite(**asked, email=f"other{number}@example.org"),
        ]
    )

    assert sorted(map(str, found)) == sorted(map(str, [True, True, Refused]))
    is_in = team.memberships.filter(person=checker).exists()
    assert is_in != contest.data_sets.filter(essay_set=held).exists()
