"""Which mark keys are about: that which was gone to, until the caret leaves it; then that at it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.desk import slow
from tests.screens.test_ahead import first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_said_by_keys import NO_MARK
from tests.screens.test_waiting import mark_some
from tests.strategies import fragment

pytestmark = pytest.mark.full

FIRST, LAST = fragment(5, 11, "А.лекс"), fragment(40, 46, "А.орф")
TO_LAST = ["Control+Home", *["Control+ArrowRight"] * 9, "ArrowLeft"]


def framed(screen):
    return screen.page.locator("#marks > .on b")


def by_arrows(screen):
    screen.press(*TO_LAST)


def by_click(screen):
    screen.click(43)
    screen.page.locator("#cards form").wait_for()


def left(screen):
    return sorted(screen.marks("code", "start", "end", "tag"))


KEYS = {
    "Delete": ["Delete"],
    "b": ["b", "ArrowRight", "Enter"],
    "l": ["l", "j", "Enter"],
}
OF_FIRST = {
    "Delete": [("А.орф", 40, 46, "")],
    "b": [("А.лекс", 5, 12, ""), ("А.орф", 40, 46, "")],
    "l": [("А.лекс", 5, 11, "лекс1"), ("А.орф", 40, 46, "лекс1")],
}
OF_LAST = {
    "Delete": [("А.лекс", 5, 11, "")],
    "b": [("А.лекс", 5, 11, ""), ("А.орф", 40, 47, "")],
    "l": [("А.лекс", 5, 11, "орф1"), ("А.орф", 40, 46, "орф1")],
}


@pytest.mark.parametrize("go", [by_arrows, by_click])
@pytest.mark.parametrize("key", [*KEYS, "e", "Enter"])
def test_once_the_caret_has_left_a_mark_keys_are_about_the_one_at_the_caret(desk, go, key):
    screen = activate(desk(TEXT, FIRST, LAST))
    expect(framed(screen)).to_have_text("А.лекс")

    go(screen)
    screen.press(*KEYS.get(key, [key]))

    if key in KEYS:
        screen.saved(1)
        assert left(screen) == OF_LAST[key]
    else:
        expect(screen.page.locator("#card-code")).to_have_value("А.орф")


@pytest.mark.parametrize("key", [*KEYS, "e", "Enter"])
def test_until_then_they_are_about_the_mark_one_went_to_wherever_the_caret_stands(desk, key):
    screen = desk(TEXT, FIRST, LAST).into_text().press(*TO_LAST)
    screen.press("k", "k")
    expect(framed(screen)).to_have_text("А.лекс")

    screen.press(*KEYS.get(key, [key]))

    if key in KEYS:
        screen.saved(1)
        assert left(screen) == OF_FIRST[key]
    else:
        expect(screen.page.locator("#card-code")).to_have_value("А.лекс")


def to_the_end(screen):
    screen.press("End")


def between(screen):
    screen.click(30)


@pytest.mark.parametrize("go", [to_the_end, between])
def test_a_mark_the_caret_has_left_is_framed_no_more_and_no_key_takes_it(desk, go):
    screen = activate(desk(TEXT, FIRST, LAST))

    go(screen)
    expect(framed(screen)).to_have_count(0)
    screen.press("Delete")

    expect(screen.page.locator("#toast .toast")).to_have_text(NO_MARK)
    assert len(screen.marks()) == 2


def test_the_mark_of_an_open_card_stays_framed_and_is_what_keys_are_about_between_marks(desk):
    screen = desk(TEXT, FIRST, LAST)
    screen.click(7)
    screen.page.locator("#cards form").wait_for()

    screen.press("Control+Home")
    expect(framed(screen)).to_have_text("А.лекс")
    screen.press("Delete").saved(1)

    assert screen.marks("code") == [("А.орф",)]


def test_a_second_press_deletes_nothing_of_what_lies_around(desk):
    screen = desk(TEXT, fragment(0, 46, "ПРОБЛЕМА"), LAST).into_text().press(*TO_LAST)

    screen.press("Delete", "Delete").saved(1)

    assert screen.marks("code") == [("ПРОБЛЕМА",)]


def test_a_mark_whose_answer_comes_late_is_not_what_keys_are_about_elsewhere(desk):
    screen = desk(TEXT, LAST).into_text()
    wait = slow(screen.page, 700)
    mark_some(screen).press(*TO_LAST)
    wait(0)
    screen.saved(1)
    expect(screen.page.locator("#card-code")).to_have_value("А.грамм")

    screen.press("Delete").saved(2)

    assert screen.marks("code") == [("А.грамм",)]


def test_a_link_whose_answer_comes_late_takes_nobody_back_from_where_one_went_on(desk):
    screen = activate(desk(TEXT, FIRST, fragment(28, 33), LAST))
    held = holding(screen, "**/links/")
    screen.press("l", "j", "Enter", "j", "j")
    expect(framed(screen)).to_have_text("А.орф")
    first(screen, held).continue_()
    screen.saved(1)

    expect(framed(screen)).to_have_text("А.орф")


def test_after_a_link_the_card_that_is_open_is_that_of_the_mark_it_was_made_from(desk):
    screen = activate(desk(TEXT, FIRST, LAST)).press("e")
    screen.page.locator("#card-code").wait_for()
    screen.press("Escape", "b", "ArrowRight", "Enter").saved(1)
    expect(screen.page.locator("#card-code")).to_have_value("А.лекс")

    screen.press("l", "j")
    expect(screen.page.locator("#card-code")).to_have_value("А.орф")
    screen.press("Enter").saved(2)

    expect(screen.page.locator("#card-code")).to_have_value("А.лекс")
    expect(framed(screen)).to_have_text("А.лекс")
