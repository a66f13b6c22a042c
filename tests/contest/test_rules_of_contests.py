"""Rules of a contest's sets and score runs: those of its parameters and no others (R 2.17)."""

from __future__ import annotations

import json

import pytest
from django.db.models.functions import Now
from django.test import Client

from annotator.models import RuleSet
from annotator.services.set_acts import describe_set, rule_anew
from contest.core.readiness import Name
from contest.models import PhaseProtocol
from contest.queries.parameters import parameters_in_force
from contest.queries.readiness import conclusion_of
from contest.services.parameters import give_consent, propose_parameters
from scoring.models import PublishedRun, RunEntry, RunVerdict, ScoreRun, StandingBoard
from scoring.services.run_acts import decide_run, freeze_board, publish_board
from tests.contest.phases import COURSE, counted, say
from tests.contest.running_world import announced, over, person, team_in, wanted
from tests.factories import EssayFactory, RuleSetFactory, submitted
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

OTHERS = {"hardness": 0.5, "w2": 3, "third_total": "all"}


@pytest.fixture
def contest():
    return announced()


def set_of(contest, role):
    return contest.data_sets.get(role=role).essay_set


def agreed(contest, rules):
    """These rules are proposed, and both bodies agree."""
    asked = wanted(rules=rules)
    made = propose_parameters(contest=contest, wanted=asked, actor=person("organiser"))
    for role in ("judge", "commission"):
        give_consent(parameters=made, agrees=True, reason="", actor=person(role))
    return made


def next_rules(contest, **values):
    """A next version of the rules in force, which no set takes yet."""
    held = set_of(contest, "final")
    return rule_anew(
        essay_set=held, newest=1, seen=held.revision, actor=person("coordinator"), values=values
    )


def test_a_set_of_an_announced_contest_is_given_no_other_rules(contest, log_in):
    held, before = set_of(contest, "final"), set_of(contest, "final").rules
    other = RuleSetFactory()

    with pytest.raises(Refused) as refused:
        describe_set(
            essay_set=held, seen=held.revision, actor=person("coordinator"), values={"rules": other}
        )

    assert str(refused.value) == (
        "Clause 2.17 of the regulation: the set “spring final” belongs to the contest “The "
        "contest” and goes by its parameters. Organisers propose other rules among these; once a "
        "judge and a member of the commission agree, the set takes them."
    )
    held.refresh_from_db()
    assert held.rules == before
    stranger = log_in(person("expert"))
    assert stranger.get(f"/sets/{held.pk}/rules/").status_code == 403


def test_a_next_version_is_made_for_a_proposal_and_given_to_no_set(contest, log_in):
    held = set_of(contest, "final")
    organiser = log_in(person("organiser"))
    parameters = page_of(organiser.get("/contests/spring/parameters/"))
    (address,) = [each["href"] for each in parameters.find("form a") if "rules" in each["href"]]

    told = page_of(organiser.get(address)).one("form.body p").text
    form = page_of(organiser.get(f"/sets/{held.pk}/describe/")).one("#id_rules")
    made = next_rules(contest, **OTHERS)

    assert "disabled" in form.attributes
    assert told.startswith(f"The set keeps {held.rules} until its contest takes others")
    assert (str(made), set_of(contest, "final").rules) == (f"{held.rules.name} 2", held.rules)
    assert parameters_in_force(contest).rules == held.rules


def test_consents_change_weights_h_and_the_third_total_of_every_unmarked_set(contest):
    made = next_rules(contest, **OTHERS)

    agreed(contest, made)

    kept = {each.essay_set.rules for each in contest.data_sets.all()}
    assert kept == {made}
    values = RuleSet.objects.values(*OTHERS).get(pk=parameters_in_force(contest).rules_id)
    assert values == OTHERS
    said = contest.announcements.first()
    assert said.body_en.split("\n\n")[0].split("\n")[-3:] == [
        "w2: 1 → 3.",
        "hardness H: 1 → 0.5.",
        "total for the third check: K1–K5 when known, else K3 + K4 → all criteria.",
    ]


def test_sets_that_were_marked_keep_their_rules_and_everybody_is_told(contest):
    training = set_of(contest, "training")
    submitted(EssayFactory(essay_set=training))
    run = counted(set_of(contest, "test"), training.rules)
    made = next_rules(contest, hardness=0.5)

    agreed(contest, made)

    assert set_of(contest, "training").rules == training.rules
    kept = (
        "Sets keep the rules their markups were handed in under: “spring training” (training) – "
        f"“{training.rules}”. Results count by “{made}”."
    )
    wish = (
        f"Score run {run.pk} of the set “spring test” counts by the rules “{run.rules}”, and the "
        f"parameters of the contest say “{made}”: a run by these is to be applied."
    )
    said = contest.announcements.first()
    assert said.body_en.split("\n\n")[1:] == ["A decision of the committee", f"{kept} {wish}"]
    assert made.name in said.body_ru.split("\n\n")[2]
    page = page_of(Client(headers={"accept-language": "en"}).get("/contests/spring/"))
    assert kept in page.one("#rules").text


def test_results_are_not_checked_of_a_run_by_other_rules(contest):
    team_in(contest)
    over(contest, "qualification")
    held = set_of(contest, "test")
    made = next_rules(contest, hardness=0.5)
    run = counted(held, made)

    with pytest.raises(Refused) as refused:
        say(contest, "checked", "judge")

    assert str(refused.value).startswith(f"Score run {run.pk} of the set “spring test” counts by")
    counted(held, held.rules)
    for kind, role in COURSE:
        say(contest, kind, role)
    (board,) = json.loads(PhaseProtocol.objects.get().content)["boards"]
    assert (board["rules"], board["hardness"]) == (str(held.rules), 1)


def test_what_was_approved_stays_when_the_parameters_change_later(contest):
    team = team_in(contest)
    over(contest, "qualification")
    run = counted(set_of(contest, "test"), set_of(contest, "test").rules)
    RunEntry.objects.create(
        run=run, participant=team.account, name="Lynx", state="ranked", rank=1, star=80, counted=3
    )
    for kind, role in COURSE:
        say(contest, kind, role)

    agreed(contest, next_rules(contest, hardness=0.5))

    found = {each.name: each.value for each in conclusion_of(team).conditions}
    assert found[Name.STAR] == 80


def test_no_readiness_is_concluded_from_a_run_by_other_rules(contest, log_in):
    team = team_in(contest, admitted=False)
    run = counted(set_of(contest, "test"), next_rules(contest, hardness=0.5))
    RunEntry.objects.create(
        run=run, participant=team.account, name="Lynx", state="ranked", rank=1, star=80, counted=3
    )

    found = {each.name: (each.value, each.is_met) for each in conclusion_of(team).conditions}
    page = page_of(log_in(person("judge")).get(f"/contests/spring/teams/{team.pk}/"))

    assert found[Name.STAR] == (None, False)
    assert f"Score run {run.pk} of the set “spring test” counts by the rules" in page.text
    assert log_in(person("participant")).get(f"/contests/spring/teams/{team.pk}/").status_code > 400


def test_a_board_by_other_rules_says_so_and_is_not_published(contest, log_in):
    held = set_of(contest, "final")
    run = counted(held, next_rules(contest, hardness=0.5))
    for kind in ("checked", "verified"):
        RunVerdict.objects.create(run=run, kind=kind, who=person("judge"))

    with pytest.raises(Refused, match=f"Score run {run.pk} of the set “spring final” counts by"):
        publish_board(essay_set=held, run=run, actor=person("organiser"))

    words = (
        page_of(log_in(person("judge")).get(f"/boards/{held.pk}/?run={run.pk}")).one("main").text
    )
    assert f"Score run {run.pk} of the set “spring final” counts by the rules" in words


def test_who_decides_about_a_run_by_other_rules_is_told_before(contest, log_in):
    held = set_of(contest, "test")
    proposer, judge = person("organiser"), person("judge")
    run = ScoreRun.objects.create(
        essay_set=held,
        rules=next_rules(contest, hardness=0.5),
        set_rules=held.rules,
        code="x",
        state="ready",
        proposal="apply",
        reason="Ready",
        proposed_by=proposer,
        digest="f" * 64,
    )
    address = f"/scores/runs/{run.pk}/decide/?proposal=apply&against="

    words = page_of(log_in(judge).get(address)).one("main").text

    assert f"Score run {run.pk} of the set “spring test” counts by the rules “{run.rules}”" in words
    assert log_in(person("participant")).get(address).status_code == 403


def published_with_others(contest, **values):
    """A set whose public board follows its run, and a ready one by other rules that is proposed."""
    held = set_of(contest, "test")
    first = counted(held, held.rules)
    StandingBoard.objects.filter(essay_set=held).update(public=first, published_at=Now(), **values)
    other = ScoreRun.objects.create(
        essay_set=held,
        rules=next_rules(contest, hardness=0.5),
        set_rules=held.rules,
        code="x",
        state="ready",
        proposal="apply",
        reason="Ready",
        proposed_by=person("organiser"),
        finished_at=Now(),
        digest="f" * 64,
    )
    return first, other


def applied(run, against):
    decide_run(run=run, proposal=run.proposal, against=against.pk, actor=person("judge"))
    return StandingBoard.objects.get(essay_set=run.essay_set)


def test_a_public_board_that_follows_stays_where_a_run_goes_by_other_rules(contest, log_in):
    first, other = published_with_others(contest)
    asked = page_of(
        log_in(person("judge")).get(
            f"/scores/runs/{other.pk}/decide/?proposal=apply&against={first.pk}"
        )
    )

    board = applied(other, first)
    page = page_of(log_in(person("organiser")).get(f"/scores/runs/{other.pk}/"))

    assert f"The public board does not follow: it stays at run {first.pk}." in asked.text
    assert (board.applied, board.public) == (other, first)
    assert not PublishedRun.objects.filter(run=other).exists()
    assert f"Score run {other.pk} of the set “spring test” counts by the rules" in page.text
    mended = counted(first.essay_set, first.essay_set.rules)
    ScoreRun.objects.filter(pk=mended.pk).update(
        state="ready", decided_by=None, proposed_by=person("organiser"), reason="Again"
    )
    StandingBoard.objects.filter(pk=board.pk).update(applied=other)
    board = applied(mended, other)
    assert (board.applied, board.public) == (mended, mended)


def test_a_frozen_board_that_goes_on_shows_no_run_by_other_rules(contest, log_in):
    first, other = published_with_others(contest, frozen_at=Now())
    applied(other, first)
    address = f"/scores/runs/{other.pk}/freeze/?frozen=0"

    asked = page_of(log_in(person("organiser")).get(address)).one("main").text
    board = freeze_board(run=other, frozen=False, actor=person("organiser"))

    assert f"The board of “spring test” shows run {first.pk} as before." in asked
    assert f"Score run {other.pk} of the set “spring test” counts by the rules" in asked
    assert (board.applied, board.public, board.frozen_at) == (other, first, None)


def test_a_run_goes_by_the_parameters_unless_others_are_chosen(contest, log_in):
    held = set_of(contest, "test")
    essay = EssayFactory(essay_set=held)
    submitted(essay)
    submitted(essay, source="algorithm", author=team_in(contest).account)
    agreed(contest, next_rules(contest, hardness=0.5))
    held.refresh_from_db()
    coordinator = log_in(person("coordinator"))

    page = page_of(coordinator.get("/scores/runs/"))
    coordinator.post("/scores/runs/", {"essay_set": held.pk, "seed": 0})

    run = ScoreRun.objects.get(essay_set=held)
    named = parameters_in_force(contest).rules
    assert (run.rules, run.set_rules) == (named, held.rules)
    assert named != held.rules
    assert page.find("#id_rules option")[0].text == "those that count"
