"""Two words at one moment on PostgreSQL: one counts, the other one is told so."""

from __future__ import annotations

import pytest

from contest.models import Annulment, ParameterSet, PhaseProtocol
from contest.services.annulling import annul_solution
from contest.services.parameters import give_consent, propose_parameters
from contest.services.phase_protocols import say_of_phase
from tests.contest.running_world import announced, over, person, team_in, wanted
from tests.contest.world import handed
from tests.e2e.database import connected, together
from tests.factories import EssayFactory
from tests.services import copy_of
from web.refusals import Conflict

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

    found = outcomes(
        [
            lambda judge=judge: say_of_phase(
                phase=phase, kind="checked", seen="", reason="", actor=judge
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
