"""What looks selected is what is marked, also where the mouse leaves the text."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT, place
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.mark.parametrize("sticky", [False, True])
def test_what_is_selected_beyond_the_end_of_the_text_is_marked_to_its_end(desk, sticky):
    screen = desk(TEXT)
    code = screen.page.locator('#codes [data-code="А.лекс"]')
    if sticky:
        code.click()
    start = TEXT.index("does")
    ((x, y, _width, height), *_rest) = screen.rects((start, start + 1))[0]
    box = screen.page.locator("#essay").bounding_box()

    screen.page.mouse.move(x + 1, y + height / 2)
    screen.page.mouse.down()
    screen.page.mouse.move(x, box["y"] + box["height"] + 40, steps=5)
    assert max(screen.selection()) >= len(TEXT)
    screen.page.mouse.up()
    if not sticky:
        code.click()
    screen.saved(1)

    assert place(screen) == (start, len(TEXT))


LINES = "Some people think.\nThey do not agree.\nWhy not, we ask."


def drag_over(screen, words, x, y):
    """From the beginning of words of the text to a point of the window, and stay there."""
    start = screen.record.essay.text.index(words)
    ((left, top, _width, height), *_rest) = screen.rects((start, start + 1))[0]
    screen.page.mouse.move(left + 1, top + height / 2)
    screen.page.mouse.down()
    screen.page.mouse.move(x, y, steps=5)
    screen.page.locator("html.pressed").wait_for()
    screen.page.mouse.move(x + 1, y)
    return start


@pytest.mark.parametrize("beside", ["#marks .note", "#palette"])
def test_a_selection_goes_to_the_end_of_the_line_the_mouse_is_at_beside_the_text(desk, beside):
    screen = desk(LINES, fragment(24, 26))
    end = LINES.index("\nWhy")
    ((_x, y, _width, height), *_rest) = screen.rects((end - 1, end))[0]
    box = screen.page.locator(beside).first.bounding_box()

    start = drag_over(screen, "people", box["x"] + box["width"] / 2, y + height / 2)
    assert sorted(screen.selection()) == [start, end]
    screen.page.mouse.up()
    screen.page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1)

    assert screen.marks("start", "end")[1:] == [(start, end)]


@pytest.mark.parametrize("over", [".bar", ".status"])
def test_a_selection_goes_to_the_words_below_what_covers_the_text(desk, over):
    screen = desk("\n".join(f"The line {number} is here." for number in range(100, 180)))
    screen.page.evaluate("scrollTo(0, 600)")
    height = screen.page.viewport_size["height"]
    at = next(at for at in range(100, 180) if screen.middle(23 * (at - 100))[1] > height / 2)
    box = screen.page.locator(over).bounding_box()

    start = drag_over(screen, f"line {at}", box["x"] + box["width"] / 2, box["y"] + 10)
    (there,) = {*screen.selection()} - {start}
    screen.page.mouse.up()

    beyond = abs(screen.middle(there - 1)[1] - box["y"] - 10)
    assert beyond < 2 * box["height"]  # it scrolls meanwhile


def test_what_stands_beside_the_text_can_be_pressed_again_once_something_is_selected(desk):
    screen = desk(TEXT)

    drag_over(screen, "think", 400, 20)
    screen.page.mouse.up()
    screen.page.locator("#to-submit").click()

    expect(screen.page.locator("#hand-in")).to_be_visible()


def test_what_stands_beside_the_text_can_be_pressed_once_what_is_selected_was_dragged(desk):
    screen = desk(TEXT).drag(5, 11)

    screen.drag(5, 11)
    screen.page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1)

    assert screen.marks() == [(5, 11, "А.лекс", "")]


def test_a_press_within_what_is_selected_lets_it_go_and_opens_the_mark_there(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.page.mouse.dblclick(*screen.middle(7))
    expect(screen.page.locator("#cards form")).to_be_visible()
    screen.press("Escape")
    expect(screen.page.locator("#cards form")).to_have_count(0)
    assert sorted(screen.selection()) == [5, 11]

    screen.page.mouse.click(*screen.middle(7))

    expect(screen.page.locator("#cards form")).to_be_visible()
    expect(screen.page.locator("#desk")).not_to_have_class("selecting")
    screen.page.locator('#codes [data-code="А.лекс"]').click()
    screen.saved(1)
    assert screen.marks() == [(5, 11, "А.лекс", "")]


@pytest.mark.parametrize("to", ["text", "margin"])
def test_a_selection_that_begins_beside_the_lines_is_one_and_takes_a_code_by_keys(desk, to):
    screen = desk(LINES)
    start, end = LINES.index("They"), LINES.index("\nWhy")
    (first, *_), (last, *_) = screen.rects((start, start + 1), (end - 1, end))
    y = last[1] + last[3] / 2

    screen.page.mouse.move(first[0] - 12, y)
    screen.page.mouse.down()
    screen.page.mouse.move(first[0] + 40, y, steps=2)
    screen.page.locator("html.pressed").wait_for()
    screen.page.mouse.move(last[0] + (last[2] - 1 if to == "text" else 60), y, steps=3)
    screen.page.mouse.up()
    screen.letters("uh").press("Enter").saved(1)

    assert screen.marks("start", "end") == [(start, end)]


def test_words_that_are_selected_can_be_dragged_into_a_field_of_the_card(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.click(7)
    screen.page.locator("#card-comment").wait_for()
    screen.drag(28, 33)
    field = screen.page.locator("#card-comment").bounding_box()

    screen.page.mouse.move(*screen.middle(TEXT.index("sport") + 2))
    screen.page.mouse.down()
    screen.page.mouse.move(field["x"] + 20, field["y"] + 10, steps=8)
    screen.page.mouse.up()

    expect(screen.page.locator("#card-comment")).to_have_value("sport")


def test_three_clicks_mark_a_paragraph_of_one_word(desk):
    screen = desk("Sport\nIt unites people.")

    for count in (1, 2, 3):
        screen.page.mouse.click(*screen.middle(2), click_count=count)
    screen.letters("uh").press("Enter").saved(1)

    assert screen.marks("start", "end") == [(0, 5)]


def test_three_clicks_mark_the_last_paragraph(desk):
    text = f"{TEXT}\n{TEXT}"
    screen = desk(text)

    screen.page.mouse.click(*screen.middle(len(TEXT) + 8), click_count=3)
    screen.letters("dsdjl").press("Enter").saved(1)

    assert place(screen) == (len(TEXT) + 1, len(text))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(("word", "after"), [("I", " "), ("see", "."), ("it", "\n")])
def test_a_double_press_takes_the_word_of_the_letter_under_it(desk, share, word, after):
    screen = desk("I do it\nor I see.")
    end = screen.record.essay.text.index(word + after) + len(word)
    ((x, y, width, height), *_rest) = screen.rects((end - 1, end))[0]

    screen.page.mouse.dblclick(x + share * width, y + height / 2)
    screen.letters("uh").press("Enter").saved(1)

    assert screen.marks("start", "end") == [(end - len(word), end)]


def key_in_line(screen, name):
    return screen.page.locator(".status .hints").get_by_role("button", name=name, exact=True)


def test_a_key_in_the_line_of_state_is_pressed_with_the_mouse_and_lets_no_words_go(desk):
    screen = desk(TEXT, fragment(5, 11, "А.лекс"))
    screen.choose(0, 4).page.locator('#codes [data-code="А.орф"]').click()
    screen.saved(1).choose(28, 33)

    key_in_line(screen, "/").click()
    expect(screen.page.locator("#find")).to_be_focused()
    key_in_line(screen, ".").click()
    screen.saved(2)
    assert screen.marks()[-1] == (28, 33, "А.орф", "")
    assert screen.focused() == "essay"
    key_in_line(screen, "K").click()
    expect(screen.page.locator("#marks > .on")).to_have_attribute("data-code", "А.лекс")
    key_in_line(screen, "?").click()

    expect(screen.page.locator("#keys")).to_be_visible()


def test_a_press_on_the_words_beside_a_key_in_the_line_of_state_leaves_the_caret_in_the_text(desk):
    screen = desk(TEXT, fragment(5, 11)).furnished().into_text()
    screen.choose(0, 4)

    screen.page.locator(".status .hints").get_by_text("repeat the code").click()
    screen.page.locator(".status").get_by_text("at work").click()

    assert screen.focused() == "essay"
    assert screen.selection() == [0, 4]
