"""Marks by one key, and a check as text, as an expert does it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT, activate
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment

pytestmark = pytest.mark.full


def test_a_key_marks_with_an_own_comment_and_text_that_is_typed_is_seen_then_taken(desk):
    screen = desk(TEXT, fragment(0, 4, "А.лекс"))
    page = screen.page
    screen.with_own_comment(text="own words", correction="so").into_text()
    screen.press("Control+ArrowRight", "Control+Shift+ArrowRight", "1").saved(1)
    made = screen.record.fragments.get(code="А.грамм")
    assert (made.comment, made.correction) == ("own words", "so")

    page.locator(".files summary").click()
    page.locator(".files a").first.click()
    page.wait_for_load_state()
    words = page.locator("#words")
    words.fill(words.input_value().replace("own words", "other words") + " \\)")
    expect(page.locator(".found .changed li")).to_contain_text("other words")
    page.locator("[data-line]").first.click()
    assert words.evaluate("(field) => field.value.slice(field.selectionStart)").startswith("\\)")
    words.fill(words.input_value().removesuffix(" \\)"))
    expect(page.locator("[data-line]")).to_have_count(0)
    page.locator("[name=seen]").click()
    page.wait_for_selector("#desk[data-ready]")

    made.refresh_from_db()
    assert made.comment == "other words"


def commented_twice(desk):
    """Two marks bear the same words now; the mouse was left over the palette."""
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11))
    for at, version in ((1, 1), (6, 2)):
        screen.click(at)
        screen.page.locator("#card-comment").fill("own words")
        screen.page.locator("#palette").hover()
        screen.press("Control+Enter").saved(version)
        expect(screen.page.locator("#cards form")).to_have_count(0)
    return screen


def test_own_comments_come_by_the_next_key_where_the_mouse_was_left_over_the_palette(desk):
    screen = commented_twice(desk)
    expect(screen.page.locator("#quick")).not_to_contain_text("own words")

    screen.choose(13, 16)
    screen.press("Shift")

    expect(screen.page.locator("#quick")).to_contain_text("own words")


def test_a_key_brings_the_correction_that_was_filled_in_after_the_comment(desk):
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11))
    for at, version in ((1, 2), (6, 4)):
        screen.click(at)
        screen.page.locator("#card-comment").fill("own words")
        screen.press("Tab").saved(version - 1)
        screen.page.locator("#card-correction").fill("so")
        screen.press("Control+Enter").saved(version)
        expect(screen.page.locator("#cards form")).to_have_count(0)
    expect(screen.page.locator("#quick")).to_contain_text("own words")
    screen.choose(13, 16)
    screen.press("1").saved(5)

    assert screen.marks("comment", "correction")[2] == ("own words", "so")


KEYS = """
(palette, before, after) => {
  const boxOf = (comments) => {
    const box = document.createElement("div");
    for (const [value, comment] of comments) {
      const button = document.createElement("button");
      Object.assign(button.dataset, { quick: "А.лекс", value, comment });
      button.append(document.createElement("kbd"));
      box.append(button);
    }
    return box;
  };
  const box = boxOf(after);
  palette.keepKeys(boxOf(before), box);
  return [...box.children].map((each) => [each.firstChild.textContent, each.dataset.comment]);
}
"""


def test_own_comments_keep_their_keys_and_new_ones_get_those_that_are_free(script):
    before = [["1", "one"], ["2", "two"], ["3", "three"]]
    after = [["1", "Three."], ["2", "new"], ["3", "one"], ["4", "newer"]]

    found = script("palette", KEYS, before, after)

    assert found == [["1", "one"], ["2", "new"], ["3", "Three."], ["4", "newer"]]


def test_own_comments_are_made_and_taken_by_touch(desk):
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11), **PHONE)
    page = screen.page
    for at, version in ((1, 1), (6, 2)):
        page.touchscreen.tap(*screen.middle(at))
        page.locator("#card-comment").fill("own words")
        page.locator("#cards form .primary").tap()
        screen.saved(version)
        expect(page.locator("#cards form")).to_have_count(0)

    page.touchscreen.tap(*screen.middle(14))
    page.locator("#quick").get_by_text("own words").tap()
    screen.saved(3)

    assert screen.marks("start", "end", "comment")[2] == (13, 16, "own words")


def test_own_comments_come_under_no_finger_while_the_mouse_rests_over_the_palette(desk):
    screen = commented_twice(desk)

    screen.page.dispatch_event("#palette", "pointerleave", {"pointerType": "touch"})
    expect(screen.page.locator("#quick")).not_to_contain_text("own words")
    screen.page.mouse.move(200, 300)

    expect(screen.page.locator("#quick")).to_contain_text("own words")


def test_a_digit_no_own_comment_has_says_so_and_looks_for_no_code(desk):
    screen = desk(TEXT, fragment(28, 33)).into_text()

    screen.choose(0, 4).press("7")

    expect(screen.page.locator("#toast .toast")).to_have_text("No own comment has this key.")
    expect(screen.page.locator("#find")).to_have_value("")
    assert (screen.focused(), screen.selection()) == ("essay", [0, 4])


def test_a_search_for_a_code_that_was_left_by_a_press_in_the_text_is_over(desk):
    screen = desk(TEXT, fragment(28, 33)).into_text()
    screen.choose(0, 4).letters("zzz")
    expect(screen.page.locator("#hit-none")).to_be_visible()

    screen.click(20)

    expect(screen.page.locator("#hit-none")).to_be_hidden()
    expect(screen.page.locator("#find")).to_have_value("")
    expect(screen.page.locator("#codes")).not_to_have_class(re.compile("filtering"))


def test_a_link_that_was_begun_ends_with_the_next_mark(desk):
    screen = activate(desk(TEXT, fragment(28, 33)))
    screen.press("l")
    expect(screen.page.locator("#linking")).to_be_visible()

    screen.choose(0, 4).letters("jha").press("Enter").saved(1)
    expect(screen.page.locator("#linking")).to_be_hidden()
    screen.click(30)

    screen.page.locator("#cards form").wait_for()
    assert screen.marks("code", "tag") == [("А.грамм", ""), ("А.орф", "")]
