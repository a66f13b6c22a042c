"""What those hear who do not see: every mark is an item of a list, every change is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import FIVE, TEXT, activate
from tests.strategies import fragment

pytestmark = pytest.mark.full


def test_every_mark_is_an_item_with_its_code_and_words_in_reading_order(desk):
    page = desk(TEXT, *FIVE, fragment(48, 52, "ИСП", correction="do")).page

    items = page.get_by_role("list", name="Marks in the order of the text").get_by_role("listitem")
    expect(items).to_have_count(6)
    buttons = items.get_by_role("button")
    expect(buttons).to_have_count(6)
    names = [each.inner_text() for each in buttons.all()]
    assert [name.split()[0] for name in names] == [
        *("ПРОБЛЕМА", "А.логика", "А.лекс", "А.грамм", "А.орф"),
        "ИСП",
    ]
    shot = page.locator("#marks").aria_snapshot()
    assert shot.startswith('- list "Marks in the order of the text"')
    for code, words in [("А.грамм", "think"), ("А.лекс", "who think that sport"), ("ИСП", "does")]:
        assert any(code in line and words in line for line in shot.splitlines())


def test_the_list_is_one_stop_of_tab_and_arrows_go_through_it(desk):
    screen = desk(TEXT, *FIVE).into_text()
    screen.press("Tab")
    focused = "document.activeElement.closest('[data-mark]')?.dataset.code"

    seen = [screen.page.evaluate(focused)]
    for key in ["ArrowDown"] * 4 + ["ArrowUp"]:
        screen.press(key)
        seen.append(screen.page.evaluate(focused))

    assert seen == ["ПРОБЛЕМА", "А.логика", "А.лекс", "А.грамм", "А.орф", "А.грамм"]
    expect(screen.page.locator("#essay .on").first).to_be_visible()
    screen.press("Tab")
    assert screen.page.evaluate("document.activeElement.closest('#marks')") is None


def test_tab_leads_from_the_text_to_the_mark_beside_the_caret_and_the_page_stays(desk):
    text = "\n".join([TEXT] * 40)
    screen = desk(text, *FIVE, fragment(len(text) - 40, len(text) - 30, "А.стиль")).into_text()

    screen.press("Control+End")
    before = screen.page.evaluate("scrollY")
    screen.press("Tab")
    focused = "document.activeElement.closest('[data-mark]')?.dataset.code"

    assert screen.page.evaluate(focused) == "А.стиль"
    assert screen.page.evaluate("scrollY") == before > 0


def test_tab_leads_from_the_text_to_the_deepest_mark_at_the_caret(desk):
    screen = desk(TEXT, *FIVE).into_text().press("Control+Home", *["ArrowRight"] * 14)

    screen.press("Tab")

    focused = "document.activeElement.closest('[data-mark]')?.dataset.code"
    assert screen.page.evaluate(focused) == "А.лекс"


def test_the_list_leads_to_the_text_and_the_text_to_the_list(desk):
    screen = desk(TEXT, fragment(5, 11), fragment(28, 33, "А.лекс"))

    screen.page.locator("#marks button").nth(1).click()
    expect(screen.page.locator("#essay .on")).to_have_text("sport")
    screen.page.locator("#cards form").wait_for()
    screen.press("Escape")
    expect(screen.page.locator("#cards")).to_be_empty()
    screen.click(7)

    expect(screen.page.locator("#marks .on b")).to_have_text("А.грамм")
    screen.page.locator("#cards form[data-number]").wait_for()
    screen.press("Escape")  # the card lies over its neighbours
    expect(screen.page.locator("#cards")).to_be_empty()
    x, y = screen.middle(30)
    screen.page.mouse.move(x, y)
    expect(screen.page.locator("#marks .hover b")).to_have_text("А.лекс")
    screen.page.locator("#marks button").first.hover()
    expect(screen.page.locator("#essay .hover")).to_have_text("people")


def test_marks_that_come_change_and_go_are_said(desk):
    screen = desk(TEXT).into_text()
    said = screen.page.locator("#said")
    assert said.get_attribute("role") == "status"

    screen.press("Control+Shift+ArrowRight").letters("uh vy").press("Enter").saved(1)
    expect(said).to_have_text("Marked: А.грамм множ")
    screen.press("b", "Control+ArrowRight", "Enter").saved(2)
    expect(said).to_have_text("Changed: А.грамм множ")
    screen.press("Delete").saved(3)
    expect(said).to_have_text("Deleted: А.грамм множ")
    screen.page.locator("#toast button").press("Enter")
    screen.saved(4)

    expect(said).to_have_text("Marked: А.грамм множ")


def test_marks_one_goes_through_are_said(desk):
    screen = desk(TEXT, *FIVE).into_text()

    screen.press("j")
    expect(screen.said()).to_contain_text("ПРОБЛЕМА")
    screen.press("j", "j")
    expect(screen.said()).to_contain_text("А.лекс")
    expect(screen.said()).to_contain_text("who think that sport")


def test_what_the_next_key_is_about_is_said(desk):
    screen = desk(TEXT, fragment(5, 11), fragment(28, 33, "А.лекс")).into_text()
    page = screen.page

    activate(screen).press("l")
    expect(screen.said()).to_have_text("Choose the other mark. Esc")
    screen.press("Escape", "b")
    told = "Drag a dot, or press arrows (with Shift: the beginning). Enter: done; Esc: as before."
    expect(screen.said()).to_have_text(told)
    expect(page.locator("#moving")).to_be_visible()
    cut = "(own) => own.firstElementChild.scrollWidth > own.firstElementChild.clientWidth"
    assert not page.locator("#moving").evaluate(cut)
    screen.press("Escape")
    expect(page.locator("#moving")).to_be_hidden()
    page.locator('#codes [data-code="А.орф"]').click()
    expect(screen.said()).to_have_text("Marking with А.орф")


def test_a_card_that_stands_in_is_a_group_with_a_name_and_its_code_a_closed_list(ready, visitors):
    screen = ready(TEXT, fragment(5, 11))
    screen.page.context.set_offline(True)
    activate(screen).press("e")

    card = screen.page.get_by_role("group", name="Fragments at this place")
    expect(card).to_be_visible()
    expect(card.get_by_role("combobox", name="Code", expanded=False)).to_be_visible()
    visitors.watch.problems.clear()


def test_the_text_is_a_field_with_a_name_that_nobody_can_change(desk):
    screen = desk(TEXT).into_text()
    essay = screen.page.get_by_role("textbox", name="Text of the essay")
    expect(essay).to_have_attribute("aria-readonly", "true")
    expect(essay).to_have_attribute("lang", "en")

    screen.press("Delete", "Backspace", "Enter")
    screen.page.keyboard.insert_text("x")

    assert essay.text_content() == TEXT
    assert screen.page.evaluate("document.activeElement.id") == "essay"


def test_on_demand_the_text_says_where_marks_begin_and_end(desk):
    screen = desk("Some people think so.", fragment(0, 11, "АРГУМЕНТ"), fragment(5, 11, "А.лекс"))
    before = screen.rects((0, 4), (5, 11), (12, 17))

    screen.page.keyboard.press("?")
    screen.page.locator("#bounds").check()
    screen.page.keyboard.press("Escape")

    screen.page.wait_for_selector("[data-bounds]")
    told = "(all) => all.map((each) => [each.textContent, each.dataset.bounds])"
    assert screen.page.eval_on_selector_all("[data-bounds]", told) == [
        ["Some ", "(АРГУМЕНТ begins) "],
        ["people", "(А.лекс begins) "],
        [" think so.", "(А.лекс ends) (АРГУМЕНТ ends) "],
    ]
    assert "(А.лекс begins)" in screen.page.locator("#essay").aria_snapshot()
    assert screen.rects((0, 4), (5, 11), (12, 17)) == before
    screen.page.reload()
    screen.page.wait_for_selector("[data-bounds]")
