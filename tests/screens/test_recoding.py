"""Codes by the mouse: what a press means while a card is open, and the way to a subcode."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT
from tests.strategies import fragment

pytestmark = pytest.mark.full


def opened(screen, at=7):
    screen.click(at)
    screen.page.locator("#cards form").wait_for()
    return screen


def press(screen, code):
    screen.page.locator(f'#codes [data-code="{code}"]').click()
    return screen


def test_a_code_pressed_beside_an_open_card_becomes_the_code_of_its_mark(desk):
    screen = opened(desk(TEXT, fragment(5, 11, subcode="множ", comment="so")))

    press(screen, "А.лекс").saved(1)
    expect(screen.page.locator("#card-code")).to_have_value("А.лекс")
    expect(screen.page.locator("#sticky")).to_be_hidden()
    screen.page.locator("#subs .code", has_text="сочет").click()
    screen.saved(2)

    assert screen.marks("start", "end", "code", "subcode", "comment") == [
        (5, 11, "А.лекс", "сочет", "so")
    ]
    screen.page.locator("#cards .subs .code").first.click()
    screen.saved(3)
    assert screen.marks("code", "subcode") == [("А.лекс", "конт")]


def test_undoing_is_the_fields_own_only_while_something_is_typed_into_it(desk):
    screen = opened(desk(TEXT, fragment(5, 11)))
    screen.page.locator("#card-comment").click()
    screen.write("half")
    screen.press("Control+z")
    assert screen.version() == 0
    press(screen, "А.лекс")
    expect(screen.page.locator("#saved")).not_to_have_attribute("data-version", "0")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    expect(screen.page.locator("#marks b")).to_have_text(["А.лекс"])
    version = screen.version()

    screen.press("Control+z")

    expect(screen.said()).to_contain_text("Undone: ")
    screen.saved(version + 1)
    assert screen.focused() == "card-comment"


def test_a_selection_comes_before_the_open_card(desk):
    screen = opened(desk(TEXT, fragment(5, 11)))

    screen.choose(23, 28)
    press(screen, "А.лекс").saved(1)

    assert screen.marks("start", "code") == [(5, "А.грамм"), (23, "А.лекс")]


def test_a_pointer_that_crosses_other_codes_reaches_the_subcodes(desk):
    screen = desk(TEXT)
    codes, mouse = screen.page.locator("#codes"), screen.page.mouse
    grammar = codes.locator('[data-code="А.грамм"]')
    grammar.hover()
    subcodes = screen.page.locator("#subs .code")
    expect(subcodes).to_have_count(12)
    wanted = screen.page.locator("#subs .code", has_text="множ").bounding_box()

    box = grammar.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for step in range(1, 26):  # slowly enough to enter every code on the way
        mouse.move(x + (wanted["x"] + 8 - x) * step / 25, y + (wanted["y"] + 8 - y) * step / 25)
        screen.page.wait_for_timeout(30)
    expect(subcodes).to_have_count(12)
    mouse.click(wanted["x"] + 8, wanted["y"] + 8)

    expect(screen.page.locator("#sticky-code")).to_have_text("А.грамм множ")


def test_the_code_field_of_a_card_looks_codes_up(desk):
    screen = opened(desk(TEXT, fragment(5, 11, subcode="видовр")))
    code, listed = screen.page.locator("#card-code"), screen.page.locator("#card-codes")

    code.fill("cjxtn")
    expect(listed.locator("li b")).to_have_text(["А.лекс сочет", "А.запас сочет"])
    screen.press("ArrowDown", "Escape")
    expect(listed).to_be_hidden()
    expect(code).to_have_value("А.грамм")
    code.fill("cjxtn")
    screen.press("Enter").saved(1)
    expect(code).to_have_value("А.лекс")
    code.fill("арт")
    listed.locator("li").first.click()
    screen.saved(2)

    assert screen.marks("start", "end", "code", "subcode") == [(5, 11, "А.грамм", "арт")]


def test_the_code_that_was_looked_up_is_saved_with_its_card(desk):
    screen = opened(desk(TEXT, fragment(5, 11, subcode="видовр")))
    screen.page.locator("#card-code").fill("запас")
    expect(screen.page.locator("#card-codes li").first).to_be_visible()

    screen.press("Control+Enter")
    expect(screen.page.locator("#cards")).to_be_empty()
    screen.saved(1)

    assert screen.marks("code", "subcode") == [("А.запас", "")]


def test_escape_leaves_type_ahead_and_what_is_selected_stays_so(desk):
    screen = desk(TEXT).into_text()

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Escape")
    expect(screen.page.locator("#essay")).to_be_focused()
    assert screen.selection() == [0, 4]
    screen.letters("jha").press("Enter").saved(1)

    assert screen.marks() == [(0, 4, "А.орф", "")]


def test_done_closes_the_card_once_its_words_are_stored(desk):
    screen = opened(desk(TEXT, fragment(5, 11)))

    screen.page.locator("#card-comment").fill("why")
    screen.page.locator("#cards .acts .primary").click()
    expect(screen.page.locator("#cards form")).to_have_count(0)
    screen.saved(1)

    assert screen.marks("comment") == [("why",)]
    expect(screen.page.locator("#essay")).to_be_focused()


def test_what_was_found_is_selected_and_can_be_marked(desk):
    screen = desk(TEXT).into_text()

    screen.press("f").write("unite")
    expect(screen.page.locator("#search-count")).to_have_text("1 / 1")
    screen.press("Enter", "Escape")
    start = TEXT.index("unite")
    assert screen.selection() == [start, start + 5]
    screen.letters("uh").press("Enter").saved(1)

    assert screen.marks() == [(start, start + 5, "А.грамм", "")]


def test_nothing_is_called_the_nearest_where_nothing_is_near(desk):
    screen = desk(TEXT).into_text()

    screen.press("/").write("!!!")
    expect(screen.page.locator("#hit-none")).to_have_text("No such code.", use_inner_text=True)
    screen.page.locator("#find").fill("гравв")

    expect(screen.page.locator("#hit-none")).to_contain_text("The nearest one: А.грамм")


def test_a_press_within_what_is_selected_marks_nothing_with_the_sticky_code(desk):
    screen = desk(TEXT).into_text()
    screen.press("/").letters("uh").press("Enter")
    screen.press("Control+Home", "Control+Shift+ArrowRight")

    screen.click(2)

    screen.page.wait_for_selector("#desk:not(.selecting)")
    screen.drag(5, 11).saved(1)
    assert screen.marks("start", "end") == [(5, 11)]


def test_a_double_click_marks_with_the_sticky_code(desk):
    screen = desk(TEXT)
    screen.page.locator("#codes [data-code='А.орф']").click()

    screen.page.mouse.dblclick(*screen.middle(30))
    screen.saved(1)

    assert screen.marks("start", "end", "code") == [(28, 33, "А.орф")]


@pytest.mark.parametrize("elsewhere", ["#find", "#card-correction"])
def test_a_press_in_the_text_begins_anew_after_something_was_written_elsewhere(desk, elsewhere):
    screen = opened(desk(TEXT, fragment(5, 11)))
    screen.drag(31, 36)
    screen.page.locator(elsewhere).click()

    screen.drag(46, 52)
    assert sorted(screen.selection()) == [46, 52]
    screen.page.locator(elsewhere).click()
    screen.click(20)
    assert screen.selection() == [20, 20]
