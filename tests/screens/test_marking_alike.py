"""What was found is marked all at once, like the active mark or one of the keys 1 to 9."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.desk import slow
from tests.screens.test_changing import activate
from tests.strategies import fragment

pytestmark = pytest.mark.full

TEXT = "Some people think so. People run, peoples rest, and people sleep."
PEOPLE = [(5, 11), (22, 28), (52, 58)]
MODEL = fragment(5, 11, "А.лекс", subcode="слово", comment="own words", correction="men")
SHOWN = "() => document.getElementById('essay').innerHTML.replaceAll(/ data-m=\"[^\"]*\"/g, '')"


def test_after_a_find_all_the_same_words_are_marked_with_keys_only_and_undone_in_one_step(desk):
    screen = activate(desk(TEXT, MODEL))
    page = screen.page

    screen.press("f")
    expect(page.locator("#search-words")).to_have_value("people")
    expect(page.locator("#search-count")).to_have_text("1 / 4")
    expect(page.locator("#same-as option")).to_have_text(["А.лекс слово own words → men · people"])
    expect(page.locator("#same-count")).to_have_text("2")
    expect(page.locator("#same-left")).to_have_text(
        "Marked already: 1. Parts of words, left out: 1."
    )
    screen.press("Control+Enter").saved(1)

    words = ("А.лекс", "слово", "own words", "men")
    assert screen.marks("start", "end", "code", "subcode", "comment", "correction") == [
        (*place, *words) for place in PEOPLE
    ]
    expect(page.locator("#same-count")).to_have_text("0")
    expect(page.locator("#same-go")).to_be_disabled()
    screen.press("Escape", "Control+z").saved(2)
    assert screen.marks("start", "end") == [PEOPLE[0]]
    screen.press("Control+Shift+z").saved(3)
    assert sorted(screen.marks("start", "end")) == PEOPLE


def test_the_comment_of_places_that_were_marked_at_once_has_its_key_at_once(desk):
    screen = activate(desk(TEXT, MODEL))

    screen.press("f")
    expect(screen.page.locator("#same-count")).to_have_text("2")
    screen.press("Control+Enter").saved(1).press("Escape")
    expect(screen.page.locator("#quick")).to_contain_text("own words → men")
    screen.choose(38, 43).press("1").saved(2)

    assert screen.marks("start", "end", "code", "comment")[3] == (38, 43, "А.лекс", "own words")


def test_a_quick_mark_is_chosen_with_the_mouse_and_all_are_painted_before_the_answer(desk):
    screen = desk(TEXT)
    page = screen.page
    screen.with_own_comment(text="Number")
    page.locator("#sheet").hover()
    page.get_by_role("button", name="Find in the text").first.click()
    screen.write("people")
    page.locator("#same-as").select_option(label="А.грамм Number")
    page.wait_for_load_state("networkidle")
    wait = slow(page, 1500)
    page.locator("#same-go").click()

    expect(page.locator("#marks > [data-pending]")).to_have_count(3)
    painted = page.evaluate(SHOWN)
    assert screen.version() == 0
    screen.saved(1)
    wait(0)

    assert page.evaluate(SHOWN) == painted
    assert screen.marks("start", "end", "code", "comment") == [
        (*place, "А.грамм", "Number") for place in PEOPLE
    ]


def test_nothing_is_offered_where_nothing_is_found_or_nothing_can_be_copied(desk):
    screen = desk(TEXT).into_text()

    screen.press("f").write("people")
    expect(screen.page.locator("#search-count")).to_have_text("1 / 4")
    expect(screen.page.locator("#same")).to_be_hidden()


def test_without_a_mark_to_be_like_the_key_says_that_none_is_chosen(desk):
    screen = desk(TEXT).into_text()

    screen.press("f").write("people")
    expect(screen.page.locator("#search-count")).to_have_text("1 / 4")
    screen.press("Control+Enter")

    expect(screen.page.locator("#toast p")).to_have_text(
        "No mark is chosen: go to one by J and K, or press it."
    )
    expect(screen.page.locator("#search-words")).to_be_focused()
    assert screen.marks() == []


def test_without_a_mark_to_be_like_an_own_comment_is_taken_only_where_it_was_chosen(desk):
    screen = desk(TEXT, fragment(0, 4, "А.орф"))
    page = screen.page
    screen.with_own_comment(text="Number", correction="men").into_text().press("f").write("people")
    ask = "Choose an own comment, or go to a mark by J and K"

    expect(page.locator("#same-as option")).to_have_text([ask, "А.грамм Number → men"])
    expect(page.locator("#same-as")).to_have_value("")
    expect(page.locator("#same-count")).to_have_text("0")
    expect(page.locator("#same-go")).to_be_disabled()
    screen.press("Control+Enter")
    expect(page.locator("#toast p")).to_have_text(ask)
    page.locator("#same-as").select_option("1")
    expect(page.locator("#same-count")).to_have_text("3")
    page.locator("#search-words").focus()
    screen.press("Control+Enter").saved(1)

    assert screen.marks("code", "comment", "correction") == [
        ("А.орф", "", ""),
        *[("А.грамм", "Number", "men")] * 3,
    ]
