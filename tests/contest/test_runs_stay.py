"""Once results are approved the run of their protocol counts, and no other one (R 8.2.5)."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from contest.models import Phase
from scoring.models import RunVerdict, ScoreRun, StandingBoard
from scoring.services.run_acts import decide_run, give_verdict, propose_run
from tests.contest.phases import counted
from tests.contest.running_world import announced, person
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

APPLY, DISCARD = ScoreRun.Proposal.APPLY, ScoreRun.Proposal.DISCARD
WORDS = (
    "Clause 8.2.5 of the regulation: the results are approved (qualification, “The contest”). "
    "The score run of their protocol counts, and no other one."
)


@pytest.fixture
def contest():
    return announced()


@pytest.fixture
def run(contest):
    """The one that counts for the test set."""
    held = contest.data_sets.get(role="test").essay_set
    return counted(held, held.rules)


def another(run, **values):
    """A run of the same set that is ready to be decided about."""
    return ScoreRun.objects.create(
        essay_set=run.essay_set,
        rules=run.rules,
        set_rules=run.set_rules,
        code="x",
        state="ready",
        digest="e" * 64,
        **values,
    )


def approved(contest, kind="qualification"):
    Phase.objects.filter(contest=contest, kind=kind).update(closed_at=Now())


def propose(run, proposal=APPLY):
    return propose_run(run=run, proposal=proposal, reason="Later", actor=person("organiser"))


def decide(run, against):
    return decide_run(run=run, proposal=APPLY, against=against.pk, actor=person("judge"))


def returned(run):
    kind = RunVerdict.Kind.RETURNED
    return give_verdict(run=run, kind=kind, reason="Wrong", actor=person("judge"))


def test_another_run_is_neither_proposed_nor_applied_once_results_are_approved(contest, run):
    second = propose(another(run))
    approved(contest)

    with pytest.raises(Refused) as decided:
        decide(second, run)
    with pytest.raises(Refused) as proposed:
        propose(another(run))

    assert (str(decided.value), str(proposed.value)) == (WORDS, WORDS)
    assert StandingBoard.objects.get().applied == run


def test_the_run_of_an_approved_protocol_is_not_returned(contest, run):
    approved(contest)

    with pytest.raises(Refused) as refused:
        returned(run)

    assert (str(refused.value), RunVerdict.objects.count()) == (WORDS, 0)


def test_what_is_not_applied_is_discarded_at_any_time(contest, run):
    approved(contest)

    assert propose(another(run), DISCARD).proposal == DISCARD


def test_of_a_set_no_run_of_which_counts_yet_the_first_one_may(contest):
    held = contest.data_sets.get(role="test").essay_set
    first = counted(held, held.rules)
    StandingBoard.objects.all().delete()
    approved(contest)

    propose(another(first))


@pytest.mark.parametrize("closed", [None, "finals"])
def test_before_the_phase_of_the_set_is_approved_another_run_is_applied(contest, run, closed):
    approved(contest, closed)

    decide(propose(another(run)), run)

    assert StandingBoard.objects.get().applied != run


def test_the_pages_say_so_and_offer_neither(contest, run, log_in):
    ready = another(run)
    approved(contest)
    organiser, judge = log_in(person("organiser")), log_in(person("judge"))

    proposing = page_of(organiser.get(f"/scores/runs/{ready.pk}/")).one("main")
    counting = page_of(judge.get(f"/scores/runs/{run.pk}/")).one("main")

    assert WORDS in proposing.text
    assert [each["value"] for each in proposing.find("button[name=proposal]")] == ["discard"]
    assert [each["value"] for each in counting.find("button[name=kind]")] == ["checked"]
