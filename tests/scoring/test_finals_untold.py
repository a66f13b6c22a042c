"""Of a final no accuracy is told before a score run counts, in reports and on Scores alike."""

from __future__ import annotations

import pytest
from django.utils import timezone

from scoring.models import RunVerdict, StandingBoard
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of
from tests.scoring.test_board_page import run_of
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

HIT, MISS = fragment(0, 4), fragment(43, 48)


@pytest.fixture
def final(db):  # noqa: ARG001 - rows
    """A final of one essay: the owl is exact and the ant is not."""
    essay = EssayFactory(essay_set=EssaySetFactory(access="final", published_at=timezone.now()))
    owl, ant = (PersonFactory(role="participant", username=name) for name in ("owl", "ant"))
    score(
        submitted(essay, HIT),
        submitted(essay, HIT),
        submitted(essay, HIT, author=owl, source="algorithm"),
        submitted(essay, MISS, author=ant, source="algorithm"),
    )
    return essay.essay_set


def told(browser):
    """The cells of the live table, its STER, and what programs read."""
    page, (table,) = page_of(browser.get("/scores/")), browser.get("/api/scores/").json()
    cells = [[each.text for each in row.children][-2:] for row in page.find(".lead tbody tr")]
    figures = [(line["participant"], line["STAR"], line["OTAR"]) for line in table["standings"]]
    return cells, page.find(".facts dd")[0].text, table["STER"], figures


def withheld(browser):
    cells, ster, api_ster, figures = told(browser)
    assert "Accuracies of a final stand here once" in page_of(browser.get("/scores/")).text
    return cells == [["–", "–"]] * 2 and (ster, api_ster) == ("–", None) and figures


NOTHING = [("ant", None, None), ("owl", None, None)]


def test_before_a_run_counts_scores_tell_as_little_of_a_final_as_reports(final, log_in):
    browser = log_in(PersonFactory(role="judge"))

    assert withheld(browser) == NOTHING
    owl = final.essays.get().markups.get(author__username="owl").author
    report = browser.get(f"/scores/{final.pk}/reports/{owl.pk}/free/json/").json()
    assert "STER" not in report


def test_once_a_run_counts_the_figures_of_this_moment_are_told(final, log_in):
    StandingBoard.objects.create(essay_set=final, applied=run_of(final, "applied"))
    browser = log_in(PersonFactory(role="judge"))

    _cells, ster, api_ster, figures = told(browser)

    assert (ster, api_ster) == ("80.00", 80.0)
    assert [(name, otar) for name, _star, otar in figures] == [("owl", 100.0), ("ant", 0.0)]


def test_a_run_that_was_returned_tells_nothing_of_a_final_either(final, log_in):
    run = run_of(final, "applied")
    StandingBoard.objects.create(essay_set=final, applied=run)
    judge = PersonFactory(role="judge")
    RunVerdict.objects.create(run=run, kind="returned", who=judge, reason="Wrong")

    assert log_in(judge).get("/api/scores/").json()[0]["STER"] is None
