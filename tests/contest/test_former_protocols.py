"""Protocols that were frozen before they said by which rules a run went, and not approved yet."""

from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import EssaySet
from annotator.services.set_acts import rule_anew
from contest.models import PhaseProtocol, PhaseVerdict
from contest.queries.phase_contents import content_of
from review.core.canonical import canonical, digest_of
from scoring.models import ScoreRun
from tests.contest.phases import counted, phase, say
from tests.contest.running_world import announced, over, person, team_in
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    made = announced()
    team_in(made)
    over(made, "qualification")
    return made


def set_of(contest):
    return contest.data_sets.get(role="test").essay_set


def checked_formerly(contest):
    """What a judge checked is frozen without rules and hardness of its runs."""
    content = content_of(phase(contest))
    for board in content["boards"]:
        del board["rules"], board["hardness"]
    text = canonical(content)
    made = PhaseProtocol.objects.create(phase=phase(contest), content=text, digest=digest_of(text))
    PhaseVerdict.objects.create(protocol=made, kind="checked", who=person("judge"))
    return made


def test_it_is_verified_and_approved_without_being_returned(contest):
    counted(set_of(contest), set_of(contest).rules)
    frozen = checked_formerly(contest)

    say(contest, "verified", "commission")
    say(contest, "approved", "organiser")

    found = PhaseProtocol.objects.get()
    assert (found.content, found.voided_at) == (frozen.content, None)
    assert phase(contest).closed_at is not None


def test_where_results_changed_it_is_returned(contest):
    counted(set_of(contest), set_of(contest).rules)
    checked_formerly(contest)
    counted(set_of(contest), set_of(contest).rules)

    with pytest.raises(Refused, match="The results are other ones than those that were checked"):
        say(contest, "verified", "commission")


def test_a_run_by_other_rules_that_was_checked_then_is_named(contest):
    held = set_of(contest)
    rules = rule_anew(
        essay_set=contest.data_sets.get(role="final").essay_set,
        newest=1,
        seen=contest.data_sets.get(role="final").essay_set.revision,
        actor=person("coordinator"),
        values={"hardness": 0.5},
    )
    counted(held, rules)
    checked_formerly(contest)

    with pytest.raises(Refused) as refused:
        say(contest, "verified", "commission")

    named = f"Score run {ScoreRun.objects.get().pk} of the set “{held}” counts by the rules"
    assert str(refused.value).startswith(named)


def test_other_names_since_are_no_other_results(contest):
    held, judge = set_of(contest), person("judge", username="judge")
    counted(held, held.rules)
    team = contest.teams.get()
    team.verdicts.create(kind="checked", round=1, who=judge, conclusion={})
    say(contest, "checked", "judge")

    User.objects.filter(pk=judge.pk).update(username="another")
    EssaySet.objects.filter(pk=held.pk).update(name="Another set")
    say(contest, "verified", "commission")
    team.verdicts.create(kind="verified", round=1, who=person("commission"), conclusion={})

    with pytest.raises(Refused, match="The results are other ones than those that were checked"):
        say(contest, "approved", "organiser")
