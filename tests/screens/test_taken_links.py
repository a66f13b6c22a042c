"""What the earlier checks link stays linked, is painted so at once, and shows beside the text."""

from __future__ import annotations

import pytest

from tests.review.test_taken_links import tagged
from tests.screens.test_settling import pairs, third

pytestmark = pytest.mark.full
__all__ = ["third"]  # a fixture

TAGS = """
() => [...document.querySelectorAll("#marks > [data-mark]:not([hidden])")].map(
  (row) => row.querySelector(".tg")?.textContent ?? "")
"""
"""The tags beside the text, in its order."""

CASES = {
    "both, taken from either": ("арт1 арт1 -", "т2 т2 -", "1n2n", "арт1 арт1"),
    "both, the second one first": ("арт1 арт1 -", "т2 т2 -", "2n1n", "т2 т2"),
    "the rest from the first check": ("арт1 арт1 -", "арт1 арт1 -", "2a", "арт1 арт1"),
    "one links, the other does not": ("арт1 арт1 арт1", "арт1 . арт2", "2n1n1", "арт1 арт2 арт2"),
    "only one has it": ("арт1 арт1 -", "т2 т2 т2", "1n1n2", "арт1 арт1 арт1"),
    "the other side instead": ("арт1 арт1 -", "т2 т2 -", "1n1p2", "арт1 арт1"),
}
"""The tags of the first check and of the second, "-" for no mark; keys; the tags that come."""


@pytest.fixture(autouse=True)
def network(visitors):
    """What the browser says of a network that is cut is expected."""
    yield
    visitors.watch.problems.clear()


def check(tags):
    return tagged(*({"-": None, ".": ""}.get(tag, tag) for tag in tags.split()))


@pytest.mark.parametrize("name", CASES)
def test_links_are_painted_at_once_as_the_server_keeps_them(third, name):
    first, second, keys, wanted = CASES[name]
    opened, made = third(first=check(first), second=check(second))
    opened.page.wait_for_load_state("networkidle")
    opened.page.context.set_offline(True)

    opened.into_text().press("n", *keys)
    painted = opened.page.evaluate(TAGS)
    opened.page.context.set_offline(False)
    opened.saved(sum(key in "12a" for key in keys))

    stored = made.record.fragments.order_by("start").values_list("tag", flat=True)
    assert (painted, opened.page.evaluate(TAGS), list(stored)) == (wanted.split(),) * 3


def test_a_side_shows_the_tag_its_fragment_has(third):
    opened, _made = third(first=check("арт1 арт1 ."), second=check("т2 т2 т2"))

    shown = [side.locator(".tg").all_inner_texts() for side in pairs(opened).locator(".take").all()]

    assert shown == [["арт1"], ["т2"], ["арт1"], ["т2"], [], ["т2"]]
