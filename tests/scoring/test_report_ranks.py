"""The rank of a solution in its report: who reads it, and how sure it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import RunEntry, StandingBoard
from tests.factories import PersonFactory, RuleSetFactory
from tests.pages import page_of, texts_of
from tests.scoring.reports import World
from tests.scoring.test_board_page import entry, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ranked():
    """The world with a published run in which the session of the lynx stands second of three."""
    world = World()
    run = run_of(world.essay_set, "applied")
    StandingBoard.objects.create(
        essay_set=world.essay_set, applied=run, public=run, published_at=timezone.now()
    )
    first = entry(run, "Owl", star=72.91, rank=1, sure=(72.2, 73.6, 1, 1), like=[])
    entry(run, "Hedgehog", star=68.1, rank=3, sure=(66.9, 69.1, 2, 3), like=[])
    sure = {"low": 67.0, "high": 69.0, "best": 1, "worst": 3}
    own = entry(run, "Lynx", star=68.104, rank=2, origin="session-7")
    RunEntry.objects.filter(pk=own.pk).update(
        participant=world.lynx, like=[first.participant_id], **sure
    )
    for origin in ("", "session-7"):
        world.compute(origin)
    return world, run


def test_a_report_says_where_its_solution_stands_and_how_sure_that_is(log_in, ranked):
    world, run = ranked
    browser = log_in(world.lynx)

    page = browser.get(world.address("session-7"))
    assert texts_of(page, ".figures dt")[1] == "Rank"
    words = f"2 of 3 by STAR 68.10 of score run {run.pk} "
    words += "in 95 of 100 redrawings of the essays 1–3 like ranks 1 "
    words += "STAR, 95 %: 67.00–69.00"
    assert texts_of(page, ".figures dd")[1] == words
    assert (
        page_of(page).find(".figures a")[0]["href"] == f"/boards/{world.essay_set.pk}/?run={run.pk}"
    )
    told = browser.get(world.address("session-7", "json/")).json()["board"]
    assert told == {
        "run": run.pk,
        "rules": str(run.rules),
        "hardness": 1.0,
        "apart_by": "markups",
        "ranked": 3,
        "rank": 2,
        "STAR": 68.104,
        "interval": [67.0, 69.0],
        "rank_interval": [1, 3],
        "like": [1],
    }
    lines = browser.get(world.address("session-7", "csv/")).content.decode().split("\r\n")
    figures = {"run": run.pk, "rules": run.rules, "hardness": 1.0, "apart_by": "markups"}
    figures |= {"ranked": 3, "rank": 2, "STAR": 68.104, "low": 67.0, "high": 69.0}
    figures |= {"best": 1, "worst": 3, "like": 1}
    assert lines[8:20] == [f"board,,{name},,{value}" for name, value in figures.items()]


def why_of(browser, world, origin):
    """What a report says in place of a rank, and the same for programs."""
    page = browser.get(world.address(origin))
    places = dict(zip(texts_of(page, ".figures dt"), texts_of(page, ".figures dd"), strict=True))
    told = browser.get(world.address(origin, "json/")).json()
    assert told["board"] is None
    return places["Rank"], told["no_rank"]


def test_who_reads_no_board_is_told_so_in_place_of_a_rank(log_in, ranked):
    world, run = ranked
    StandingBoard.objects.update(public=None, published_at=None)

    own = why_of(log_in(world.lynx), world, "session-7")
    of_staff = texts_of(
        log_in(PersonFactory(role="judge")).get(world.address("session-7")), ".figures dd"
    )

    words = "No board of the set is published: there are no ranks yet."
    assert own == (
        f"– {words}",
        {"reason": "no-board", "words": words, "run": None, "counts": None},
    )
    assert of_staff[1].startswith("2 of 3")
    StandingBoard.objects.all().delete()
    words = "No score run of the set was applied: there are no ranks yet."
    judge = log_in(PersonFactory(role="judge"))
    assert why_of(judge, world, "session-7")[1]["words"] == words
    assert run.entries.exists()


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        ("part", "", "Over a part of the essays."),
        ("few", "", "Too few of the essays count."),
        ("no-answers", "", "No essay counts."),
        (
            "annulled",
            "1 / 3",
            "The solution is annulled: 1 of its 3 files were, more than the rules allow.",
        ),
        ("excluded", "Late papers.", "Excluded: Late papers."),
    ],
)
def test_a_solution_that_stands_apart_is_told_why_in_its_report(
    log_in, ranked, state, reason, words
):
    world, run = ranked
    own = RunEntry.objects.filter(run=run, participant=world.lynx)
    own.update(state=state, reason=reason, rank=None)

    told = why_of(log_in(world.lynx), world, "session-7")

    found = {"reason": state, "words": words, "run": run.pk, "counts": None}
    assert told == (f"– {words}", found)


def test_a_solution_instead_of_which_another_counts_leads_to_its_report(log_in, ranked):
    world, run = ranked
    former = entry(run, "Other", state="former", rank=None, star=50.0)
    RunEntry.objects.filter(pk=former.pk).update(participant=world.lynx)
    browser = log_in(world.lynx)

    shown, found = why_of(browser, world, "free")

    words = "Another solution counts instead of it."
    assert shown == f"– {words}"
    assert found == {"reason": "former", "words": words, "run": run.pk, "counts": "session-7"}
    links = [each["href"] for each in page_of(browser.get(world.address())).find(".figures dd a")]
    assert links == [world.address("session-7")]


def test_a_solution_the_run_of_the_board_does_not_know_is_told_why(log_in, ranked):
    world, run = ranked
    now, day = timezone.now(), timedelta(days=1)
    browser = log_in(world.lynx)
    type(run).objects.filter(pk=run.pk).update(ordered_at=now - day)
    later = why_of(browser, world, "free")[1]
    type(run).objects.filter(pk=run.pk).update(ordered_at=now + day)
    before = why_of(browser, world, "free")[1]

    ordered = f"score run {run.pk} of the board was ordered."
    assert later["words"] == f"It came after {ordered}"
    assert before["words"] == f"It was not there, or not complete, when {ordered}"
    assert (later["reason"], before["reason"]) == ("later", "not-counted")


def test_where_the_board_has_other_figures_a_report_says_whose_and_why(log_in, ranked):
    world, run = ranked
    browser = log_in(world.lynx)

    def told():
        page = browser.get(world.address("session-7"))
        ranks = texts_of(page, ".figures dd")[1]
        board = browser.get(world.address("session-7", "json/")).json()["board"]
        return texts_of(page, ".notice span")[:1], "68.10 of score run" in ranks, board["apart_by"]

    RunEntry.objects.filter(run=run, participant=world.lynx).update(star=60.0)
    same = told()
    RunEntry.objects.filter(run=run, participant=world.lynx).update(star=68.104)
    since = told()
    run.rules = RuleSetFactory(hardness=0.5)
    run.save()
    other = told()

    number = f"The board stands by score run {run.pk}"
    assert same == ([], False, None)
    (words,), named, why = since
    assert words.startswith(f"{number} of ")
    assert "Markups came or changed since" in words
    assert (named, why) == (True, "markups")
    said = f"{number}: rules {run.rules}, H = 0.50. The figures here are by the rules named above, "
    assert other == ([f"{said}which the set has now."], True, "rules")
