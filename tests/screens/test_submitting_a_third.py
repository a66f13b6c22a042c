"""The sheet before a third check is submitted, beside pairs that are undecided."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_beside_pairs import third

pytestmark = pytest.mark.full
__all__ = ["third"]  # a fixture

HIDDEN = """
() => {
  const parts = document.querySelectorAll("#submission :is(h2, h3, .remarks button, .btn)");
  const isReached = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  return [...parts].filter((each) => !isReached(each)).map((each) => each.textContent.trim());
}
"""
"""What of the sheet is not in sight."""


@pytest.mark.parametrize(("size", "language"), [((1440, 900), "ru"), ((1366, 768), "en")])
@pytest.mark.parametrize("pairs", [1, 9])
def test_the_sheet_is_in_sight_from_its_head_whichever_pair_one_is_at(third, size, language, pairs):
    screen = third(*size, language=language)

    screen.into_text().press(*["n"] * pairs, "h")
    expect(screen.page.locator("#submission")).to_be_focused()
    expect(screen.page.locator("#pairs > :not([hidden])")).to_have_count(35)
    screen.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    assert screen.page.evaluate(HIDDEN) == []


@pytest.mark.parametrize("button", ["#hand-in", "#hand-in-next"])
def test_once_the_rest_is_settled_the_button_that_was_pressed_has_the_focus(third, button):
    screen = third()
    screen.page.click("#to-submit")
    screen.page.click(button)

    screen.page.click("#open-pairs [value=rest]")

    screen.saved(1)
    expect(screen.page.locator(button)).to_be_focused()


@pytest.mark.parametrize("keys", [["h"], ["n", "h"], ["Control+End", "h"]])
def test_at_200_percent_the_sheet_stands_below_the_bar(third, keys):
    screen = third(720, 450)

    screen.into_text().press(*keys)
    expect(screen.page.locator("#submission")).to_be_focused()

    bar = screen.page.locator(".bar").bounding_box()
    assert screen.page.locator("#submission").bounding_box()["y"] >= bar["y"] + bar["height"]
    expect(screen.page.locator("#submission h2")).to_be_in_viewport(ratio=1)
