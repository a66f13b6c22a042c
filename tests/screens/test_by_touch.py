"""Marking by finger on narrow phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.screens.test_small_windows import PHONE, TEXT
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.mark.parametrize("language", ["en", "ru"])
def test_of_the_number_of_an_essay_the_narrowest_phone_shows_the_last_digits_too(desk, language):
    record = draft_of(TEXT, number="0001234")
    size = {"viewport": {"width": 320, "height": 640}}
    screen = desk(record=record, language=language, **PHONE | size)

    last, heading, bar = screen.page.evaluate(
        """() => {
          const heading = document.querySelector(".bar h1");
          const last = document.createRange();
          last.setStart(heading.firstChild, heading.firstChild.data.indexOf("1234"));
          last.setEnd(heading.firstChild, heading.firstChild.data.indexOf("1234") + 4);
          const boxes = [last, heading, document.querySelector(".bar")];
          return boxes.map((each) => each.getBoundingClientRect().toJSON());
        }"""
    )

    assert last["right"] <= heading["right"] + 0.5
    assert bar["top"] <= last["top"] < last["bottom"] <= heading["bottom"] <= bar["bottom"]
    assert last["height"] < 24
    assert screen.page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_finger_that_asks_for_a_code_of_the_whole_text_is_given_no_keyboard(desk):
    screen = desk(TEXT, **PHONE)

    screen.page.locator("#whole-add").tap()

    expect(screen.page.locator("#desk.for-whole")).to_have_count(1)
    assert screen.page.evaluate("document.activeElement.matches('input, textarea')") is False


def test_a_tap_in_a_block_takes_the_word_and_the_same_one_again_opens_the_block(desk):
    screen = desk(TEXT, fragment(0, 63, "ПРОБЛЕМА"), **PHONE)
    page, tap = screen.page, screen.page.touchscreen.tap
    card = page.locator("#cards h2 b")

    tap(*screen.middle(7))
    assert sorted(screen.selection()) == [5, 11]
    tap(*screen.middle(17))
    assert sorted(screen.selection()) == [5, 22]
    page.locator("#codes").get_by_role("button", name="А.лекс").tap()
    screen.saved(1)
    expect(card).to_have_text("А.лекс")
    tap(*screen.middle(43))
    expect(card).to_have_count(0)
    for _time in range(2):
        tap(*screen.middle(43))
    expect(card).to_have_text("ПРОБЛЕМА")
    assert screen.selection()[0] == screen.selection()[1]
    tap(*screen.middle(7))
    expect(card).to_have_text("А.лекс")
    tap(*screen.middle(43))
    expect(card).to_have_count(0)
    tap(*screen.middle(30))

    assert sorted(screen.selection()) == [28, 33]
    assert screen.marks("start", "end", "code")[1:] == [(5, 22, "А.лекс")]


def test_a_word_in_a_block_that_is_tapped_twice_is_marked_with_the_code_that_stays(desk):
    screen = desk(TEXT, fragment(0, 63, "ПРОБЛЕМА"), **PHONE)
    screen.page.locator("#codes").get_by_role("button", name="А.лекс").tap()
    expect(screen.page.locator("#sticky")).to_be_visible()
    screen.top()

    for _time in range(2):
        screen.page.touchscreen.tap(*screen.middle(7))
    screen.saved(1)

    assert screen.marks("start", "end", "code")[1:] == [(5, 11, "А.лекс")]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("options", "is_told"), [(PHONE, True), ({}, False)], ids=["phone", "desk"]
)
def test_all_keys_begin_with_what_a_finger_does_where_there_is_one(
    desk, language, options, is_told
):
    page = desk(TEXT, language=language, **options).page

    page.locator(".status [data-value=keys]").click()

    expect(page.locator("#keys th:visible").first).to_have_text(
        {
            "en": "tap a word" if is_told else "← → ↑ ↓",
            "ru": "коснуться слова" if is_told else "← → ↑ ↓",
        }[language]
    )
    assert page.locator("#keys").evaluate("(own) => own.scrollWidth <= own.clientWidth")
