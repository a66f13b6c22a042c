"""The rank of a solution in its report: who reads it, and how sure it is."""

from __future__ import annotations

import pytest
from django.utils import timezone

from scoring.models import RunEntry, StandingBoard
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.scoring.test_board_page import entry, run_of
from tests.scoring.test_report_page import World

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
    words = "2 of 3 on other essays 1–3 like ranks 1 STAR, 95 %: 67.00–69.00"
    assert texts_of(page, ".figures dd")[1] == words
    assert (
        page_of(page).find(".figures a")[0]["href"] == f"/boards/{world.essay_set.pk}/?run={run.pk}"
    )
    told = browser.get(world.address("session-7", "json/")).json()["board"]
    assert told == {
        "run": run.pk,
        "ranked": 3,
        "rank": 2,
        "STAR": 68.104,
        "interval": [67.0, 69.0],
        "rank_interval": [1, 3],
        "like": [1],
    }
    lines = browser.get(world.address("session-7", "csv/")).content.decode().split("\r\n")
    figures = {"run": run.pk, "ranked": 3, "rank": 2, "STAR": 68.104, "low": 67.0, "high": 69.0}
    figures |= {"best": 1, "worst": 3, "like": 1}
    assert lines[8:17] == [f"board,,{name},,{value}" for name, value in figures.items()]


def test_a_solution_without_a_rank_and_a_board_that_is_not_public_are_told_of_no_rank(
    log_in, ranked
):
    world, _run = ranked
    browser, judge = log_in(world.lynx), log_in(PersonFactory(role="judge"))
    assert "Rank" not in texts_of(browser.get(world.address()), ".figures dt")
    assert browser.get(world.address(ending="json/")).json()["board"] is None

    StandingBoard.objects.update(public=None, published_at=None)

    seen = [
        texts_of(each.get(world.address("session-7")), ".figures dt") for each in (browser, judge)
    ]
    assert ["Rank" in each for each in seen] == [False, True]
