"""On a phone what is said of a step covers neither lines nor buttons of the sheet in use."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.review.thirds import thirds
from tests.screens.test_hints import meet
from tests.screens.test_settling_by_touch import PLACES, SENTENCE
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

BOXES = """(sheet) => {
  const said = document.querySelector("#toast p");
  const all = [said, document.querySelector(sheet)];
  return said && all.map((each) => each.getBoundingClientRect().toJSON());
}"""
"""Where it is said what was undone, and where a sheet stands; once it is said."""

MARKS = tuple(fragment(*place) for place in PLACES)


@pytest.fixture
def phone(visit):
    """The desk on a phone of this size: 28 pairs over a long text."""

    def opened(size=(375, 740), marks=MARKS, **options):
        made = thirds(marks, marks, text=SENTENCE)
        window = {"viewport": dict(zip(("width", "height"), size, strict=True))}
        page = visit(made.record.author, f"/markups/{made.record.pk}/", **PHONE | window | options)
        page.wait_for_selector("#desk[data-ready]")
        return page

    return opened


def said_beside(page, sheet):
    """The boxes of what is said and of the sheet, once nothing moves any more."""
    before = None
    while before != (before := page.wait_for_function(BOXES, arg=sheet).json_value()):
        page.wait_for_timeout(120)
    return before


@pytest.mark.parametrize("size", [(375, 640), (375, 812), (740, 375)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_was_undone_covers_no_line_of_a_submission(phone, size, language):
    page = phone(size, language=language)
    page.locator("#to-submit").tap()
    page.locator("#hand-in").tap()
    page.locator("#open-pairs [value=rest]").tap()
    expect(page.locator("#undecided")).to_have_text("0")

    for do, left in [("undo", "28"), ("redo", "0")]:
        page.evaluate("scrollTo(0, 0)")
        page.locator(f".status [data-do={do}]").tap()
        expect(page.locator("#undecided")).to_have_text(left)
        said, sheet = said_beside(page, "#submission")
        assert not meet(said, sheet)
        assert said["y"] + said["height"] <= page.locator(".status").bounding_box()["y"]


@pytest.mark.parametrize("place", [whole_text("А.абзац"), fragment(0, 4)], ids=["text", "words"])
def test_a_sheet_that_comes_while_something_is_said_is_not_covered(phone, place):
    page = phone(marks=(place,))
    page.locator("[data-do=next-pair]").tap()
    page.locator("#pairs > .here .take.first").tap()
    page.locator("[data-do=shut-pairs]").tap()
    page.locator(".status [data-do=undo]").tap()
    page.wait_for_selector("#toast p")

    page.locator("[data-do=next-pair]").tap()

    said, sheet = said_beside(page, "#settling")
    assert not meet(said, sheet)
