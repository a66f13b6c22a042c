"""The codes used last: their row above the others, what they mean, and their subcodes."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT
from tests.screens.test_kept import in_new_tab
from tests.strategies import fragment

pytestmark = pytest.mark.full


def test_a_code_and_then_its_subcode_take_one_place_among_those_used_last(desk):
    screen = desk(TEXT)
    screen.choose(28, 33).page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1).choose(5, 11).page.locator('#codes [data-code="А.грамм"]').click()
    screen.saved(2).page.locator("#subs .code", has_text="множ").click()
    screen.saved(3)

    last = screen.page.locator("#recent .code")
    expect(last).to_have_text(["А.грамм множ", "А.лекс"])


def test_codes_used_last_stand_on_top_and_outlive_the_page(desk):
    screen = desk(TEXT).into_text()
    for version, letters in enumerate(["uh vy", "jha", "ktrc", "jha"], 1):
        screen.press("Control+Shift+ArrowRight").letters(letters).press("Enter").saved(version)
    last = screen.page.locator("#recent .code")
    expect(last).to_have_text(["А.орф", "А.лекс", "А.грамм множ"])

    screen.page.reload()
    screen.ready().into_text()
    expect(last).to_have_text(["А.орф", "А.лекс", "А.грамм множ"])
    screen.press("Control+End", "Control+Shift+ArrowLeft", "Control+Shift+ArrowLeft", ".").saved(5)

    assert screen.marks()[-1] == (57, 63, "А.орф", "")


def test_codes_used_last_are_those_of_all_tabs(desk):
    screen = desk(TEXT)
    screen.choose(28, 33).page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1)
    other = in_new_tab(screen)
    other.choose(5, 11).page.locator('#codes [data-code="А.орф"]').click()
    other.saved(2)

    expect(screen.page.locator("#recent .code")).to_have_text(["А.орф", "А.лекс"])


def test_the_code_used_last_is_in_sight_whichever_of_the_row_was_pressed(desk):
    screen = desk(TEXT)
    used = [{"code": "А.грамм", "subcode": each} for each in ("множ", "арт", "пред", "мест", "мод")]
    keep = "(used) => localStorage.setItem(`razbor-recent-${desk.dataset.subject}`, used)"
    screen.page.evaluate(keep, json.dumps(used))
    screen.page.reload()
    screen.ready().into_text().choose(0, 4)
    last = screen.page.locator("#recent .code")

    last.nth(4).click()
    screen.saved(1)

    expect(last.nth(0)).to_have_text("А.грамм мод")
    expect(last.nth(0)).to_be_in_viewport()


MEANT = "#define-name"


def test_a_code_used_last_shows_what_it_means_and_its_subcodes_when_pointed_at(desk):
    screen = desk(TEXT)
    screen.choose(28, 33).page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1).page.locator('#codes [data-code="А.стиль"]').hover()
    expect(screen.page.locator(MEANT)).to_have_text("А.стиль")

    screen.page.locator("#recent .code").hover()

    expect(screen.page.locator(MEANT)).to_have_text("А.лекс")
    assert "сочет" in screen.page.locator("#subs .code").all_inner_texts()


@pytest.mark.parametrize("way", ["used last", "own comment", "repeated"])
def test_subcodes_in_view_are_those_of_the_code_that_was_chosen_whichever_way(desk, way):
    screen = desk(TEXT).with_own_comment(text="article missing")
    screen.choose(28, 33).page.locator('#codes [data-code="А.грамм"]').click()
    screen.saved(1).page.locator('#codes [data-code="А.стиль"]').hover()
    expect(screen.page.locator(MEANT)).to_have_text("А.стиль")

    screen.choose(5, 11)
    if way == "used last":
        screen.page.locator("#recent .code").dispatch_event("click")  # sooner than a pointer rests
    else:
        screen.press("1" if way == "own comment" else ".")
    screen.saved(2)

    expect(screen.page.locator(MEANT)).to_have_text("А.грамм")
    screen.page.locator("#subs .code", has_text="множ").click()
    assert screen.saved(3).marks("code", "subcode")[1] == ("А.грамм", "множ")


def test_on_a_phone_no_room_is_kept_for_codes_used_last_before_there_are_any(desk):
    screen = desk(TEXT, viewport={"width": 375, "height": 740})
    recent = screen.page.locator("#recent")
    screen.choose(0, 4)
    expect(recent).to_be_hidden()

    screen.page.locator('#codes [data-code="А.орф"]').click()
    screen.saved(1).choose(5, 11)

    expect(recent).to_be_visible()


@pytest.mark.parametrize("before", ["marked", "searched"])
def test_a_card_that_opens_has_the_subcodes_of_its_code_beside_it(desk, before):
    screen = desk(TEXT, fragment(5, 11, "А.грамм", subcode="множ")).into_text()
    if before == "marked":
        screen.choose(0, 4).letters("ktrc").press("Enter").saved(1)
    else:
        screen.choose(0, 4).letters("ktrc").press("Escape", "Escape")
    subcodes = screen.page.locator("#subs .code")
    expect(subcodes.first).to_have_attribute("data-code", "А.лекс")

    screen.click(7)
    screen.page.locator("#cards form").wait_for()

    expect(subcodes.first).to_have_attribute("data-code", "А.грамм")
    pressed = screen.page.locator("#subs [aria-pressed=true]")
    expect(pressed).to_have_text(["множ"])


def test_the_subcodes_beside_a_card_are_those_of_its_code_once_the_pointer_has_left(desk):
    screen = desk(TEXT, fragment(5, 11, "А.орф")).into_text()
    screen.click(7)
    screen.page.locator("#cards form").wait_for()
    name = screen.page.locator("#define-name")

    screen.page.locator('#codes [data-code="А.грамм"]').hover()
    expect(name).to_have_text("А.грамм")
    screen.page.mouse.move(*screen.middle(20))
    expect(name).to_have_text("А.орф")
    screen.page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1).page.mouse.move(*screen.middle(20))
    expect(name).to_have_text("А.лекс")
    screen.press("Control+z").saved(2)

    expect(name).to_have_text("А.орф")
