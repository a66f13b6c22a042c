"""Borders of marks: moved by keys and by handles, and what a drag marks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import TEXT, activate, place
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.mark.parametrize(
    ("keys", "start", "end"),
    [
        (["ArrowRight"], 5, 12),
        (["ArrowLeft", "ArrowLeft"], 5, 9),
        (["Control+ArrowRight", "Control+ArrowRight"], 5, 16),
        (["Shift+ArrowLeft"], 4, 11),
        (["Control+Shift+ArrowLeft"], 0, 11),
        (["ArrowLeft"] * 9, 5, 6),
        (["Alt+ArrowRight", "Shift+ArrowRight"], 6, 12),
    ],
)
def test_borders_move_by_keys_and_the_mark_stays_the_same(desk, keys, start, end):
    given = fragment(5, 11, "А.грамм", subcode="множ", tag="множ1", comment="so")
    screen = activate(desk(TEXT, given))
    kept = place(screen, "pk", "uid", "code", "subcode", "tag", "comment")[2:]

    screen.press("b", *keys)
    assert place(screen) == (5, 11)
    screen.press("Enter").saved(1)

    assert place(screen, "pk", "uid", "code", "subcode", "tag", "comment") == (start, end, *kept)


def test_borders_confirmed_where_they_were_are_no_change(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))

    screen.press("b", "Control+Shift+ArrowRight", "Enter")

    expect(screen.page.locator("#desk")).not_to_have_class(re.compile("moving"))
    assert (place(screen), screen.version()) == ((5, 11), 0)


def test_escape_leaves_borders_as_they_were(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))

    screen.press("b", "ArrowRight", "ArrowRight", "Escape", "ArrowRight")

    expect(screen.page.locator("#desk")).not_to_have_class("moving")
    assert (place(screen), screen.version()) == ((5, 11), 0)


@pytest.mark.parametrize(
    ("handle", "to", "expected"), [("end", 19, (5, 22)), ("start", 1, (0, 11))]
)
def test_borders_move_by_handles_and_snap_to_words(desk, handle, to, expected):
    screen = desk(TEXT, fragment(5, 11, tag="т1"))
    kept = place(screen, "pk", "uid", "tag")[2:]
    screen.click(7)
    screen.page.locator("#cards form").wait_for()

    pull(screen, handle, to)
    screen.saved(1)

    assert place(screen, "pk", "uid", "tag") == (*expected, *kept)


def test_escape_while_a_handle_is_dragged_leaves_the_border_where_it_was(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.click(7)
    screen.page.locator("#cards form").wait_for()
    handle = screen.page.locator("#handle-end").bounding_box()
    screen.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    screen.page.mouse.down()
    screen.page.mouse.move(*screen.middle(20), steps=4)

    screen.press("Escape")
    screen.page.mouse.move(*screen.middle(25), steps=2)
    screen.page.mouse.up()

    screen.press("Delete").saved(1)
    screen.press("Control+z").saved(2)
    assert screen.marks("start", "end") == [(5, 11)]


def test_alt_leaves_a_handle_between_two_signs(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.click(7)
    screen.page.locator("#cards form").wait_for()

    screen.page.keyboard.down("Alt")
    pull(screen, "end", 14)
    screen.page.keyboard.up("Alt")
    screen.saved(1)

    assert place(screen) == (5, 14)


def pull(screen, handle, to):
    """Drag a handle to before a sign."""
    mouse, box = screen.page.mouse, screen.page.locator(f"#handle-{handle}").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ((left, top, _width, height),) = screen.rects((to, to + 1))[0]
    mouse.move(x, y)
    mouse.down()
    mouse.move(left + 1, y + 1, steps=3)
    mouse.move(left + 1, top + (height if handle == "end" else 0), steps=2)
    mouse.up()


def test_a_drag_over_pieces_of_words_marks_whole_words(desk):
    screen = desk(TEXT)

    screen.drag(7, 19).letters("uh").press("Enter").saved(1)

    assert place(screen) == (5, 22)


def test_alt_marks_single_signs(desk):
    screen = desk(TEXT)

    screen.drag(7, 9, alt=True).letters("uh").press("Enter").saved(1)

    assert place(screen) == (7, 9)


@pytest.mark.parametrize("how", ["mouse", "keys by signs", "keys by words"])
def test_a_lone_comma_can_be_marked(desk, how):
    screen = desk(TEXT).into_text()

    if how == "mouse":
        screen.drag(11, 12)
    else:
        by = "Shift+ArrowRight" if how == "keys by signs" else "Control+Shift+ArrowRight"
        screen.select(",", by=by)
    screen.letters("geyrn").press("Enter").saved(1)

    assert place(screen, "code") == (11, 12, "А.пункт")


LINES = "\n".join(["Some people, who think that sport unite people."] * 3)
FOOT = len(LINES) // 3 + 1
"""Where the second line begins."""


@pytest.mark.parametrize("line", [0, 2])
@pytest.mark.parametrize("zoom", ["100", "175"])
def test_the_handles_of_a_mark_lie_over_no_word_of_the_lines_beside_it(desk, line, zoom):
    screen = desk(LINES, fragment(FOOT + 5, FOOT + 11), fragment(line * FOOT + 5, line * FOOT + 16))
    screen.page.evaluate("(zoom) => (document.documentElement.dataset.zoom = zoom)", zoom)
    screen.page.evaluate("dispatchEvent(new Event('resize'))")
    screen.click(FOOT + 7)
    screen.page.locator("#cards form").wait_for()
    screen.page.locator("#handle-end").wait_for()

    for at in (5, 11):
        ((x, y, _width, height), *_rest) = screen.rects((line * FOOT + at, line * FOOT + at + 1))[0]
        for share in (0.02, 0.5, 0.98):
            hit = "([x, y]) => document.elementFromPoint(x, y).closest('.handle')?.id ?? null"
            assert screen.page.evaluate(hit, [x + 1, y + share * height]) is None


def test_a_press_of_a_finger_on_a_handle_is_about_the_words_below_it(desk):
    marks = [fragment(FOOT + 5, FOOT + 11), fragment(0, FOOT - 1, "А.лекс")]
    screen = desk(LINES, *marks, **PHONE)
    screen.page.touchscreen.tap(*screen.middle(FOOT + 7))
    expect(screen.page.locator("#card-code")).to_have_value("А.грамм")
    screen.page.locator("#handle-start").wait_for()
    x, _y = screen.middle(FOOT + 5)
    y = screen.rects((FOOT - 2, FOOT - 1))[0][0][1] + 20
    at = "([x, y]) => document.elementFromPoint(x, y).id"
    assert screen.page.evaluate(at, [x, y]) == "handle-start"

    screen.page.touchscreen.tap(x, y)

    expect(screen.page.locator("#card-code")).to_have_value("А.лекс")
    assert (screen.version(), len(screen.marks())) == (0, 2)


def by_finger(hand, kind, **place):
    points = [] if kind == "touchEnd" else [place]
    hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


PRESSES = {"touchStart": "mousePressed", "touchMove": "mouseMoved", "touchEnd": "mouseReleased"}


def by_pen(hand, kind, **place):
    told = {"button": "left", "buttons": int(kind != "touchEnd"), "clickCount": 1, **place}
    told["pointerType"] = "pen"
    hand.send("Input.dispatchMouseEvent", {"type": PRESSES[kind], **told})


@pytest.mark.parametrize("touch", [by_finger, by_pen])
def test_a_finger_that_holds_a_handle_anywhere_moves_the_border_along_its_line(desk, touch):
    screen = desk(f"{TEXT} {TEXT} {TEXT}", fragment(0, 4), **PHONE)
    screen.page.touchscreen.tap(*screen.middle(2))
    screen.page.locator("#cards form").wait_for()
    screen.page.locator("#handle-end").wait_for()
    box = screen.page.locator("#handle-end").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 4
    hand = screen.page.context.new_cdp_session(screen.page)
    within = screen.middle(7)[0] - screen.rects((3, 4))[0][0][2] / 2  # of the word after the mark

    touch(hand, "touchStart", x=x, y=y)
    for across in (x + 10, (x + within) / 2, within):
        touch(hand, "touchMove", x=across, y=y)
    touch(hand, "touchEnd", x=within, y=y)
    screen.saved(1)

    assert screen.marks("start", "end") == [(0, 11)]


def test_a_press_of_the_mouse_on_a_handle_leaves_the_card_open(desk):
    screen = desk(LINES, fragment(FOOT + 5, FOOT + 11))
    screen.click(FOOT + 7)
    screen.page.locator("#cards form").wait_for()
    box = screen.page.locator("#handle-end").bounding_box()

    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(screen.page.locator("#moving")).to_be_hidden()
    expect(screen.page.locator("#card-code")).to_have_value("А.грамм")
    assert screen.version() == 0


def over(one, other):
    """Do two boxes lie over each other?"""
    return all(
        one[low] < other[low] + other[size] and other[low] < one[low] + one[size]
        for low, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize(("width", "height"), [(375, 740), (320, 568)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_said_of_borders_on_a_phone_covers_neither_the_words_nor_the_dots(
    desk, width, height, language
):
    viewport = {"width": width, "height": height}
    text = "\n".join([LINES] * 3)
    mark = fragment(4 * FOOT + 5, 4 * FOOT + 11)
    screen = desk(text, mark, language=language, **PHONE | {"viewport": viewport})
    screen.page.touchscreen.tap(*screen.middle(4 * FOOT + 7))
    screen.page.locator("#cards [data-do=borders]").tap()
    hint = screen.page.locator("#moving")
    expect(hint).to_be_visible()

    said = hint.bounding_box()
    assert (said["x"] >= 0, said["x"] + said["width"] <= width) == (True, True)
    assert hint.evaluate("(own) => own.scrollHeight <= own.offsetHeight")
    assert not over(said, screen.page.locator("#cards").bounding_box())
    assert not over(said, screen.page.locator(".bar").bounding_box())
    for x, y, wide, high in screen.rects((4 * FOOT + 5, 4 * FOOT + 11))[0]:
        assert not over(said, {"x": x, "y": y, "width": wide, "height": high})
    at = """(own) => {
      const { x, y, width, height } = own.getBoundingClientRect();
      const share = own.matches(".end") ? 0.2 : 0.8;
      return document.elementFromPoint(x + width / 2, y + share * height).id;
    }"""
    for end in ("handle-start", "handle-end"):
        assert screen.page.locator(f"#{end}").evaluate(at) == end


def test_what_is_said_of_borders_names_the_mouse_the_keys_and_while_it_drags_what_that_does(desk):
    screen = desk(LINES, fragment(FOOT + 5, FOOT + 11))
    screen.click(FOOT + 7)
    screen.page.locator("#cards [data-do=borders]").click()
    hint = screen.page.locator("#moving")
    whole = "(own) => own.scrollWidth <= own.offsetWidth && own.scrollHeight <= own.offsetHeight"
    keys = "Drag a dot, or press arrows (with Shift: the beginning). Enter: done; Esc: as before."
    assert hint.inner_text() == keys
    assert hint.evaluate(whole)
    screen.press("Escape")

    box = screen.page.locator("#handle-end").bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.down()

    mouse = "Let go at the new border (with Alt: within a word, too). Esc: as before."
    assert hint.inner_text() == mouse
    assert hint.evaluate(whole)


def is_in_sight(screen, start, end):
    """Are words in the window, and nothing over their middle?"""
    x, y = screen.middle(start, end)
    found = f"document.elementFromPoint({x}, {y})?.closest('#essay')"
    return screen.page.evaluate(f"Boolean({found})")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
def test_a_border_moved_by_keys_comes_into_sight_wherever_one_has_scrolled_to(desk, options):
    screen = desk("\n".join([LINES] * 12), fragment(5, 11), **options).into_text()
    screen.press("k")
    whole = screen.page.evaluate("document.body.scrollHeight")
    to_the_end = f"scrollTo(0, {whole})"

    screen.page.evaluate(to_the_end)
    screen.press("b")
    expect(screen.page.locator("#desk")).to_have_class(re.compile("moving"))
    assert is_in_sight(screen, 5, 11)
    screen.page.evaluate(to_the_end)
    assert not is_in_sight(screen, 5, 11)
    screen.press("ArrowRight")

    assert is_in_sight(screen, 5, 12)
