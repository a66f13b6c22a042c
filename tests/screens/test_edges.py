"""Bands, tags and the edges of the window: at every size of the text and at 200 % zoom."""

from __future__ import annotations

import base64
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import activate
from tests.screens.test_hints import meet
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

TEXT = " ".join(["Some people think that sport unite people, others does not."] * 8)
ZOOMED = {"width": 683, "height": 384}  # 1366 × 768 at 200 %
WINDOWS = [(320, 640), (375, 740), (683, 384), (900, 700), (1366, 768), (1440, 900)]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TAGS = """
() => [...document.querySelectorAll("#essay [data-tag]")].map((piece) => {
  const style = getComputedStyle(piece, "::after");
  const probe = document.createElement("i");
  probe.textContent = piece.dataset.tag;
  const names = ["position", "margin", "font", "maxWidth", "overflowX", "whiteSpace"];
  for (const name of names)
    probe.style[name] = style[name];
  piece.append(probe);
  probe.style.transform = piece.classList.contains("shy") ? "translateX(-100%)" : "";
  const { left, right } = probe.getBoundingClientRect();
  probe.remove();
  return [left, right];
})
"""
"""Where the tags stand, each measured by an element in the place of the pseudo-element."""
BLANK = """
async ([png, ground]) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  const rows = [];
  for (let y = 0; y < image.height; y += 1) {
    let blank = 0;
    for (let x = 0; x < image.width; x += 1) {
      const at = 4 * (y * image.width + x);
      blank += `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})` === ground;
    }
    if (blank === image.width) rows.push(y);
  }
  return rows;
}
"""
"""The rows of a picture that have the colour of the sheet from end to end."""


@pytest.mark.parametrize("steps", range(5))
def test_a_block_over_several_lines_is_one_band_at_every_size_of_the_text(desk, steps):
    screen = desk(TEXT, fragment(0, 470, "ПРОБЛЕМА"), viewport={"width": 1440, "height": 1400})
    page = screen.page
    for _step in range(steps):
        page.get_by_role("button", name="Larger text").click()
    page.evaluate("document.fonts.ready")

    lines = [rect for place in screen.rects((0, 400)) for rect in place]
    top, bottom = min(y for _x, y, _w, _h in lines), max(y + h for _x, y, _w, h in lines)
    x = lines[0][0]
    clip = {"x": x, "y": top, "width": 200, "height": bottom - top}
    picture = base64.b64encode(page.screenshot(clip=clip)).decode()
    ground = page.evaluate("getComputedStyle(document.getElementById('sheet')).backgroundColor")

    assert bottom - top > 100
    assert page.evaluate(BLANK, [picture, ground]) == []


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_no_tag_is_cut_at_an_edge_of_the_window(desk, width, height):
    ends = [at for at, sign in enumerate(TEXT) if sign == " "]
    starts = [0, *(at + 1 for at in ends[:-1])]
    marks = [
        fragment(start, end, "А.грамм", tag="множ12" if at % 3 else "x" * 60)
        for at, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    page = desk(TEXT, *marks, viewport={"width": width, "height": height}).furnished().page

    found = page.evaluate(TAGS)

    assert len(found) == len(marks)
    assert min(left for left, _right in found) >= 0
    assert max(right for _left, right in found) <= width
    assert page.evaluate(OVERFLOW) == 0


def test_two_marks_that_end_at_one_place_have_their_tag_once(desk):
    screen = desk(
        TEXT,
        fragment(0, 11, tag="т1"),
        fragment(5, 11, "А.лекс", tag="Т1"),
        fragment(12, 17, tag="т2"),
        fragment(5, 17, tag="т3"),
    )

    tags = screen.page.locator("#essay [data-tag]")
    assert [each.get_attribute("data-tag") for each in tags.all()] == ["Т1", "т2 т3"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_at_two_hundred_percent_nothing_is_scrolled_sideways_and_all_is_reached(desk, language):
    screen = desk(
        TEXT,
        fragment(5, 11, "А.грамм", subcode="множ", tag="множ1", correction="x" * 60),
        whole_text(),
        first_visit=True,
        viewport=ZOOMED,
        language=language,
    )
    page = screen.page
    assert page.evaluate(OVERFLOW) == 0
    activate(screen).press("Enter")
    page.locator("#cards form").wait_for()
    assert page.evaluate(OVERFLOW) == 0
    card = page.locator("#cards").bounding_box()
    assert (card["x"] >= 0, card["x"] + card["width"] <= 683) == (True, True)
    screen.press("Escape", "Escape")
    page.locator("#to-submit").click()
    expect(page.locator("#hand-in")).to_be_visible()
    assert page.evaluate(OVERFLOW) == 0
    for tool in page.locator(".bar :is(a, button):visible, .status :is(a, button):visible").all():
        box = tool.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 683


def test_a_click_on_the_right_half_of_a_marked_comma_opens_its_card(desk):
    at = TEXT.index(",")
    screen = desk(TEXT, fragment(at, at + 1, "А.пункт"))
    ((x, y, width, height), *_rest) = screen.rects((at, at + 1))[0]

    screen.page.mouse.click(x + 0.9 * width, y + height / 2)

    expect(screen.page.locator("#cards h2 b")).to_have_text("А.пункт")


WHOLE = 50  # pixels: “формаглагола0” takes more
DOTS = """() => ["start", "end"].map((side) => {
  const handle = document.getElementById(`handle-${side}`);
  const { top } = handle.getBoundingClientRect();
  const dot = getComputedStyle(handle, "::after");
  const own = top + Number.parseFloat(dot.top);
  return [own, own + Number.parseFloat(dot.height)];
})"""
"""From where to where the dots of both handles stand."""
TAG_BOXES = """() => [...document.querySelectorAll("#essay [data-tag]")].map((piece) => {
  const { right, top } = [...piece.getClientRects()].at(-1);
  const { width } = getComputedStyle(piece, "::after");
  const wide = Number.parseFloat(width);
  const isShy = piece.classList.contains("shy");
  return [Math.round(top), ...(isShy ? [right - wide, right] : [right, right + wide])];
})"""
"""From where to where every tag stands, and in which line."""


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_tags_of_neighbours_lie_over_no_other_tag_and_the_active_one_is_whole(desk, width, height):
    ends = [at for at, sign in enumerate(TEXT) if sign == " "][:8]
    starts = [0, *(at + 1 for at in ends[:-1])]
    marks = [
        fragment(start, end, "А.грамм", tag=f"формаглагола{at}")
        for at, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    screen = desk(TEXT, *marks, viewport={"width": width, "height": height}).furnished()
    screen.page.evaluate("document.fonts.ready")

    boxes = sorted(screen.page.evaluate(TAG_BOXES))

    assert len(boxes) == len(marks)
    for (line, _from, end), (other, start, _to) in pairwise(boxes):
        assert line != other or end <= start + 1.5
    activate(screen, 0)
    whole = "getComputedStyle(document.querySelector('#essay .f.on'), '::after').width"
    assert float(screen.page.evaluate(whole).removesuffix("px")) > WHOLE


def test_the_dots_of_moving_borders_cover_no_letter_of_other_lines(desk):
    touch = {"viewport": {"width": 375, "height": 720}, "has_touch": True, "is_mobile": True}
    start = TEXT.index("unite")
    screen = desk(TEXT, fragment(start, start + 5), **touch)
    activate(screen).press("b")
    screen.page.locator("#handle-end").wait_for()

    (x, y, width, height), *_rest = screen.rects((start, start + 5))[0]
    assert width > 0 < x
    found = screen.page.evaluate(DOTS)

    line = screen.page.evaluate("Number.parseFloat(getComputedStyle(essay).lineHeight)")
    for top, bottom in found:
        assert bottom <= y + 1 or top >= y + height - 1
        assert y + height - line - 2 <= top
        assert bottom <= y + line + 2


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900), (683, 384)])
def test_what_was_undone_is_said_beside_an_open_card_and_not_over_its_buttons(desk, width, height):
    marks = [fragment(240, 244), fragment(245, 251)]  # the card of the fifth line reaches far down
    screen = desk(TEXT, *marks, viewport={"width": width, "height": height})
    activate(screen, 1).press("Delete").saved(1)
    activate(screen, 0).press("e")
    screen.page.locator("#cards form").wait_for()
    screen.press("Control+z").saved(2)

    toast = screen.page.locator(".toast").bounding_box()
    done = screen.page.get_by_role("button", name="Done").bounding_box()

    assert (
        toast["y"] + toast["height"] <= done["y"]
        or toast["x"] + toast["width"] <= done["x"]
        or done["y"] + done["height"] <= toast["y"]
    )


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900), (375, 740)])
def test_what_was_undone_is_said_beside_an_open_search_and_not_over_its_words(desk, width, height):
    screen = desk(TEXT, fragment(245, 251), viewport={"width": width, "height": height})
    activate(screen).press("Delete").saved(1)

    screen.press("f")
    expect(screen.page.locator("#search-words")).to_be_focused()
    screen.write("people").page.locator("[data-do=undo]").click()
    screen.saved(2)

    toast = screen.page.locator(".toast").bounding_box()
    search = screen.page.locator("#search").bounding_box()
    assert not meet(toast, search)


@pytest.mark.parametrize("how", ["keys", "mouse"])
def test_codes_that_come_up_at_two_hundred_percent_cover_nothing_that_is_selected(desk, how):
    screen = desk("\n".join([TEXT] * 3), viewport=ZOOMED).into_text()
    palette = screen.page.locator("#palette")
    screen.top().page.evaluate("document.fonts.ready")
    strip = screen.page.locator("#points").bounding_box()["y"]  # of points, over the foot
    at = max(
        at
        for at in range(0, len(TEXT), 5)
        if TEXT[at].isalpha() and screen.middle(at)[1] < strip - 12
    )
    if how == "mouse":
        screen.drag(at, at + 1)
    else:
        screen.click(at)
        screen.press("Control+Shift+ArrowRight")
    expect(palette).to_have_css("position", "fixed")

    screen.page.wait_for_timeout(100)
    box = palette.bounding_box()
    assert box["height"] <= 0.46 * ZOOMED["height"]
    assert 48 < screen.middle(at)[1] < box["y"]


BAR = """() => [...document.querySelectorAll(".bar > *, .bar .where > *, .bar .tools > *")]
  .filter((each) => each.getClientRects().length && !each.matches(".where, .tools"))
  .map((each) => [each.getBoundingClientRect(), each.textContent.trim()])
  .map(([{ left, right }, words]) => ({ left, right, words }))"""
"""What stands in the bar, from left to right."""


@pytest.mark.parametrize("width", [1100, 1000, 960, 800, 770, 683])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_nothing_in_the_bar_runs_into_what_stands_beside_it(desk, language, width):
    viewport = {"width": width, "height": 540}
    screen = desk(TEXT, language=language, viewport=viewport)

    stands = screen.page.evaluate(BAR)

    pairs = pairwise(stands)
    assert [(a["words"], b["words"]) for a, b in pairs if a["right"] > b["left"]] == []
    assert [each["words"] for each in stands if each["right"] > width] == []


CODES = ["А.грамм", "А.лекс", "А.орф", "А.пункт", "А.стиль", "А.аспект", "АРГУМЕНТ"]
COUNTS = """() => [...document.querySelectorAll(".codes .code")].map((code) => {
  const box = (...nodes) => {
    const range = document.createRange();
    range.setStartBefore(nodes[0]);
    range.setEndAfter(nodes.at(-1));
    return range.getBoundingClientRect();
  };
  const count = code.querySelector("sup");
  const words = box(...[...code.childNodes].filter((node) => node !== count));
  const { left, right } = count.textContent ? box(count.firstChild) : words;
  const { left: start, right: end, top } = words;
  const { left: from, right: to } = code.getBoundingClientRect();
  return { name: code.textContent, top, start, end, left, right, from: from + 1, to: to - 1 };
})"""
"""Where each code is written, ``start`` to ``end``, its count, ``left`` to ``right``, and what its
frame is around, ``from`` to ``to``."""
ROOM = 0.9
"""Pixels between letters and figures that are not one word."""


SIZES = [(1440, 900), (1366, 700), (960, 540), (683, 384), (375, 700)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("language", "pressed"), [("en", ""), ("ru", ""), ("ru", "А.стиль")])
def test_a_count_of_two_digits_touches_neither_its_code_nor_the_next_one(
    desk, size, language, pressed
):
    marks = [fragment(at, at + 4, code) for at in range(12) for code in CODES]
    window = {"width": size[0], "height": size[1]}
    screen = desk(TEXT, *marks, viewport=window, language=language)
    if pressed:
        screen.page.locator(f".codes [data-code='{pressed}']").click()
        expect(screen.page.locator(".codes [aria-pressed=true]")).to_have_count(1)
    else:
        screen.into_text().press("Control+Home", "Control+Shift+ArrowRight")
    screen.page.evaluate("document.fonts.ready")
    expect(screen.page.locator(".codes .code:has(sup:not(:empty))")).to_have_count(len(CODES))

    codes = screen.page.evaluate(COUNTS)

    counted = [each for each in codes if each["right"] > each["end"]]
    assert [each["name"] for each in counted if each["left"] - each["end"] < ROOM] == []
    assert [each["name"] for each in counted if each["right"] > each["to"] - ROOM] == []
    rows = [(a, b) for a, b in pairwise(codes) if abs(a["top"] - b["top"]) < 4]
    assert [a["name"] for a, b in rows if a in counted and b["start"] - a["right"] < ROOM] == []
    assert [a["name"] for a, b in rows if a["to"] > b["from"]] == []
