"""Marking by finger on narrow phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.screens.test_small_windows import PHONE, TEXT

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
