"""What a report explains, and what it opens first."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.factories import EssayFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.reports import World
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def test_of_several_subjects_the_one_with_most_fragments_stands_open(log_in):
    world = World()
    other = EssayFactory(essay_set=world.essay_set, subject="rus")
    checks = [submitted(other, fragment(0, 4, "Р.орф")) for _ in range(2)]
    score(*checks, world.answer(other, fragment(0, 4, "Р.орф")))

    def opened():
        world.compute()
        parts = page_of(log_in(world.lynx).get(world.address())).find("details.subject")
        return ["open" in each.attributes for each in parts]

    few = opened()
    score(*(submitted(other, fragment(43, 48, "Р.орф")) for _ in range(4)))
    assert (few, opened()) == ([False, True], [True, False])


def test_what_was_found_is_explained_and_a_solution_without_marks_is_told(log_in):
    world = World()
    score(world.answer(world.essays[0], origin="session-8"))
    world.compute("session-8")

    page = log_in(world.lynx).get(world.address("session-8"))

    assert texts_of(page, ".essaysbest td .sub") == ["found 0 of 2, the solution marked nothing"]
    heads = texts_of(page, "#report section[aria-labelledby=h-worst] header .more")
    assert heads == ["found: of the fragments of all experts of the essay together"]


def test_where_no_essay_counts_a_report_says_why_and_compares_nothing_with_people(log_in):
    world = World()
    numbers = [each.pk for each in world.checks]
    MarkupRecord.objects.filter(pk__in=numbers).update(state=MarkupRecord.State.DRAFT)
    world.compute()

    page = log_in(world.lynx).get(world.address())

    shown = dict(zip(texts_of(page, ".figures dt"), texts_of(page, ".figures dd"), strict=True))
    assert shown["Essays that count"] == "0 no expert’s markup gives one of them an accuracy"
    assert "No less exact than people" not in shown
