"""A digit at the third desk means one thing at a time, and that one shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_settling import pairs, third

pytestmark = pytest.mark.full
__all__ = ["third"]  # a fixture

SEEN = """
() => {
  const isSeen = (each) => each.checkVisibility({ visibilityProperty: true });
  const keys = [":is(.pair.here, .bulk) kbd", "#quick kbd", ".hints > [data-of-pairs]"];
  return keys.map((each) => [...new Set([...document.querySelectorAll(each)].map(isSeen))].join());
}
"""
"""Do the keys beside pairs show, the digits of the palette, the keys of pairs below the text?"""

OF_PAIRS, OF_MARKS = ["true", "false", "true"], ["false", "true", "false"]


@pytest.fixture
def opened(third):
    opened, _made = third()
    opened.with_own_comment(subcode="арт", text="The article")
    return opened


def test_without_a_selection_digits_are_about_the_pair(opened):
    opened.into_text().press("n")

    assert opened.page.evaluate(SEEN) == OF_PAIRS
    opened.press("1").saved(1)
    expect(pairs(opened).first.locator(".take.first")).to_have_attribute("aria-pressed", "true")
    assert opened.marks("start", "comment") == [(0, "")]


def test_while_words_are_selected_digits_are_own_comments_and_pairs_show_no_keys(opened):
    opened.into_text().press("n").choose(5, 11)

    assert opened.page.evaluate(SEEN) == OF_MARKS
    opened.press("1").saved(1)
    assert opened.page.evaluate(SEEN) == OF_PAIRS  # nothing is selected any more
    expect(pairs(opened, ".decided")).to_have_count(0)
    assert opened.marks("start", "comment") == [(5, "The article")]


def test_at_the_pairs_digits_are_about_them_whatever_is_selected_in_the_text(opened):
    opened.into_text().press("n").choose(5, 11)
    pairs(opened, ".here").locator(".pair-words").focus()

    assert opened.page.evaluate(SEEN) == OF_PAIRS
    opened.press("2").saved(1)
    assert opened.marks("start", "comment") == [(0, "")]


def test_while_a_code_is_looked_for_no_digit_is_said_to_be_a_key(opened):
    opened.into_text().press("n").choose(5, 11).press("u")

    assert opened.page.evaluate(SEEN) == ["false", "false", "false"]


def test_at_a_first_check_the_digits_of_own_comments_stand_as_ever(desk):
    opened = desk().with_own_comment(text="The article")

    assert opened.page.evaluate(SEEN)[1] == "true"
