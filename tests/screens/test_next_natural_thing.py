"""What people do next on the marking screen: press beside the words, go back, let words go."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT

pytestmark = pytest.mark.full


@pytest.mark.parametrize("place", [".sheet-head", "#whole"])
def test_a_press_beside_the_text_lets_the_words_go_and_no_code_comes_upon_them(desk, place):
    screen = desk(TEXT).choose(5, 11)
    box = screen.page.locator(place).first.bounding_box()

    screen.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    screen.press("/").write("грамм").press("Enter")

    assert screen.page.evaluate("String(getSelection())") == ""
    assert screen.marks("code") == []


def test_a_press_on_the_codes_keeps_the_words(desk):
    screen = desk(TEXT).choose(5, 11)

    screen.page.locator("#palette").click(position={"x": 3, "y": 3})

    assert screen.page.evaluate("String(getSelection())") == "people"


@pytest.mark.parametrize(("key", "at"), [("ArrowLeft", 5), ("ArrowRight", 11)])
def test_an_arrow_lets_a_selection_go_at_its_end(desk, key, at):
    screen = desk(TEXT).choose(5, 11)

    screen.press(key, "Shift+ArrowRight")

    chosen = screen.page.evaluate("String(getSelection())")
    assert chosen == TEXT[at : at + 1]


def test_back_to_a_check_that_was_submitted_shows_it_as_it_is(desk):
    screen = desk(TEXT).choose(5, 11)
    page = screen.page
    screen.press("/").write("грамм").press("Enter").saved(1)
    address = page.url
    before = page.request.get(address).text()
    page.locator("#to-submit").click()
    expect(page.locator("#hand-in")).to_be_visible()
    page.locator("#hand-in").press("Enter")
    page.wait_for_url(lambda url: url != address)

    kept = {"body": before, "content_type": "text/html"}  # as the browser may have kept it
    page.route(address, lambda route: route.fulfill(**kept), times=1)
    page.go_back(wait_until="commit")

    expect(page.locator("#desk:not([data-editable])")).to_be_visible()
    expect(page.locator("#marks > [data-mark]")).to_have_count(1)
