"""Bands, tags and the edges of the window: at every size of the text and at 200 % zoom."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import expect

from tests.screens.test_changing import activate
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
    page = desk(TEXT, *marks, viewport={"width": width, "height": height}).page

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
