"""What looks selected is what is marked, also where the mouse leaves the text."""

from __future__ import annotations

import pytest

from tests.screens.test_changing import TEXT, place

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
