"""What an undo or a redo changes comes into sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT
from tests.screens.test_small_windows import PHONE
from tests.screens.test_undoing import UNDO
from tests.strategies import fragment

pytestmark = pytest.mark.full

LONG = "\n".join([TEXT] * 80)
IN_SIGHT = """
([top, bottom]) => {
  const tall = (name) => document.querySelector(name).offsetHeight;
  const said = document.querySelector("#toast > *")?.getBoundingClientRect().top ?? Infinity;
  return top >= tall(".bar") && bottom <= Math.min(innerHeight - tall(".status"), said);
}
"""


def in_sight(screen, place):
    (_x, y, _width, height) = screen.rects(place)[0][0]
    return screen.page.evaluate(IN_SIGHT, [y, y + height])


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    ("window", "place", "away"),
    [
        ({"viewport": {"width": 1440, "height": 900}}, (5, 11), 2000),
        ({"viewport": {"width": 1440, "height": 900}}, (len(LONG) - 6, len(LONG) - 1), 0),
        (PHONE, (len(LONG) - 6, len(LONG) - 1), 0),
    ],
)
def test_what_a_step_back_or_forth_changes_comes_into_sight_and_else_the_text_stays(
    ready, window, place, away, is_known
):
    screen = ready(LONG, fragment(28, 33, "А.лекс"), **window)
    scroll = "(to) => scrollTo(0, to)"
    screen.choose(*place)
    screen.page.locator('#codes [data-code="А.орф"]').click()
    screen.saved(1).press("Escape", "Escape")
    if not is_known:
        screen.page.evaluate("sessionStorage.clear()")
        screen.page.reload()
        screen.ready().page.wait_for_load_state("networkidle")

    for version, do in enumerate(("undo", "redo"), 2):
        screen.page.evaluate(scroll, away)
        assert not in_sight(screen, place)
        screen.page.locator(f".status [data-do={do}]").click()
        screen.saved(version)
        assert in_sight(screen, place)

    screen.page.evaluate("(by) => scrollBy(0, by)", -20 if away else 20)
    assert in_sight(screen, place)
    before = screen.page.evaluate("scrollY")
    screen.page.locator(".status [data-do=undo]").click()
    screen.saved(4)
    assert screen.page.evaluate("scrollY") == before
    assert len(screen.marks()) == 1


def test_a_mistake_of_the_whole_text_that_is_taken_back_comes_into_sight(ready):
    screen = ready(LONG)
    screen.page.locator("#whole-add").click()
    screen.letters("jha").press("Enter").saved(1)
    screen.page.evaluate("scrollTo(0, 2000)")

    screen.into_text().press(UNDO).saved(2)

    expect(screen.page.locator("#whole-add")).to_be_in_viewport()
