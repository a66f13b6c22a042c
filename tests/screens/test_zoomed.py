"""A laptop at 200 % zoom, 683 by 384 pixels: what one has to see and to reach is there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.test_changing import activate
from tests.screens.test_edges import OVERFLOW, TEXT, ZOOMED
from tests.strategies import fragment

pytestmark = pytest.mark.full

LINE = 24
"""Pixels: no line of an essay is lower."""
LANGUAGES = pytest.mark.parametrize("language", ["en", "ru"])


@LANGUAGES
def test_the_way_back_and_the_guidelines_are_in_sight(desk, language):
    screen = desk(TEXT, viewport=ZOOMED, language=language)
    page = screen.page

    for found in (".bar .back", ".status [data-value=guide]", "#to-submit"):
        expect(page.locator(found)).to_be_in_viewport(ratio=0.99)
    page.locator(".status [data-value=guide]").click()

    expect(page.locator("#guide")).to_be_in_viewport()
    screen.press("Escape")
    page.locator(".bar .back").click()
    expect(page).to_have_url("/queue/")


OPEN = """
([selector]) => [...document.querySelectorAll(selector)].every((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
})
"""
"""Does nothing cover these?"""
NARROW = pytest.mark.parametrize(("width", "height"), [(320, 640), (375, 740), (683, 384)])


@NARROW
@pytest.mark.parametrize("subject", ["rus", "eng"])
def test_points_are_a_strip_that_stays_in_sight(desk, width, height, subject):
    record = draft_of(TEXT, fragment(0, 4), subject=subject)
    screen = desk(record=record, viewport={"width": width, "height": height}, language="ru")
    page, points = screen.page, screen.page.locator("#points")

    for end in ("scrollTo(0, 0)", "scrollTo(0, document.body.scrollHeight)"):
        page.evaluate(end)
        expect(points).to_be_in_viewport(ratio=0.99)
        assert page.evaluate(OPEN, ["#points > ol > li"])
        assert page.evaluate(OVERFLOW) == 0
    assert points.bounding_box()["height"] <= 0.13 * height
    end = page.locator(
        ".side > :nth-last-child(1 of :not(#points, [hidden], .asked))"
    ).bounding_box()
    assert end["y"] + end["height"] <= points.bounding_box()["y"]
    page.locator("#points-why > summary").click()
    box = page.locator("#points .pop").bounding_box()
    assert (box["x"] >= -1, box["x"] + box["width"] <= width + 1) == (True, True)
    assert box["y"] >= 48


@NARROW
def test_the_caret_goes_behind_no_strip(desk, width, height):
    text = " ".join([TEXT] * 3)
    screen = desk(text, viewport={"width": width, "height": height}).into_text()
    screen.press("Control+Home")
    for _line in range(16):
        screen.press("ArrowDown")
        at = screen.selection()[1]
        assert screen.evaluate(SHOWN, [[at, at + 1]]) == [True]


SHOWN = """
  return wanted.map(([start, end]) => {
    const [first, last] = [points[start], points[end - 1]];
    const range = document.createRange();
    range.setStart(first[0], first[1]);
    range.setEnd(last[0], last[1] + last[2]);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return essay.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });
"""
"""Do these places of the text lie open: is it they that are hit in their middle?"""


@pytest.mark.parametrize("at", [0, 200, 440])
@LANGUAGES
def test_an_open_card_leaves_the_marked_word_in_sight(desk, at, language):
    start = TEXT.index("people", at)
    mark = fragment(start, start + 6, "А.грамм", subcode="множ", tag="множ1", comment="x" * 60)
    screen = activate(desk(TEXT, mark, viewport=ZOOMED, language=language))

    screen.press("e")
    screen.page.locator("#cards form").wait_for()
    screen.page.wait_for_timeout(500)

    assert screen.evaluate(SHOWN, [[start, start + 6]]) == [True]
    assert screen.page.locator("#cards").bounding_box()["height"] <= 0.65 * ZOOMED["height"]


@LANGUAGES
def test_a_comparison_begins_with_its_text(visit, language):
    essay = EssayFactory(text=TEXT)
    left, right = submitted(essay, fragment(5, 11)), submitted(essay, fragment(5, 11, "А.лекс"))
    staff = PersonFactory(role="coordinator")

    path = f"/compare/{left.pk}/{right.pk}/"
    page = visit(staff, path, viewport=ZOOMED, language=language)

    text = page.locator(".pair-row.texts").bounding_box()
    assert text["y"] + 3 * LINE <= ZOOMED["height"]
    assert page.evaluate(OVERFLOW) == 0
