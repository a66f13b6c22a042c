"""What stands beside the text keeps its place and its measure."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from annotator.services.markup import row_of
from tests.annotator.drafts import draft_of
from tests.review.thirds import thirds
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import mark_some
from tests.strategies import fragment

pytestmark = pytest.mark.full

REM = 16
BOXES = """(all) => all.map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height];
})"""
LONG = "\n".join([TEXT] * 60)


def boxes(screen, selector):
    return screen.page.locator(selector).evaluate_all(BOXES)


def styles(screen, selector, name):
    of = f"(all) => all.map((each) => getComputedStyle(each).{name})"
    return set(screen.page.locator(selector).evaluate_all(of))


def test_codes_stand_right_of_their_labels_and_nothing_moves_under_the_pointer(desk):
    screen = desk(TEXT)
    labels, codes = boxes(screen, "#codes dt"), boxes(screen, "#codes [data-code]")
    assert max(x + width for x, _y, width, _height in labels) <= min(x for x, *_rest in codes)

    screen.page.locator('#codes [data-code="А.грамм"]').hover()
    expect(screen.page.locator("#subs .code")).to_have_count(12)
    assert boxes(screen, "#codes [data-code]") == codes
    mark_some(screen).saved(1)
    expect(screen.page.locator("#recent .code")).to_have_count(1)

    stand = [(x, y) for x, y, *_size in boxes(screen, "#codes [data-code]")]
    assert stand == [(x, y) for x, y, *_size in codes]  # a count widens its own code alone


def test_points_are_always_in_sight_and_the_focused_text_has_no_frame(desk):
    screen = desk(LONG).into_text()
    for end in ("scrollTo(0, 0)", "scrollTo(0, document.body.scrollHeight)"):
        screen.page.evaluate(end)
        expect(screen.page.locator("#points")).to_be_in_viewport(ratio=1)

    assert styles(screen, "#essay:focus-visible", "outlineStyle") == {"none"}


def test_a_card_takes_twenty_rem_at_most_with_its_subcodes_as_chips(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.click(7)
    screen.page.locator("#cards form").wait_for()

    [(_x, _y, width, _height)] = boxes(screen, "#cards")
    assert width <= 20 * REM
    expect(screen.page.locator("#cards .subs .code")).to_have_count(12)


def test_a_note_pushed_from_its_line_is_led_back_by_a_hairline(desk):
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11), fragment(13, 16))

    notes = boxes(screen, "#marks > [data-mark]")
    assert [y for _x, y, *_size in notes] == sorted({y for _x, y, *_size in notes})  # apart
    lines = screen.page.locator("#marks > [data-mark]").evaluate_all(
        "(all) => all.map((each) => parseFloat(getComputedStyle(each, '::before').height))"
    )
    assert lines == sorted(lines)
    assert (lines[0], lines[-1] > 0) == (0, True)


def test_of_notes_far_from_their_lines_only_the_active_one_has_a_hairline(desk):
    ends = [at for at, sign in enumerate(LONG) if sign in " \n"]
    starts = [0, *(at + 1 for at in ends)]
    words = [(start, end) for start, end in zip(starts, ends, strict=False) if start < end][:60]
    screen = desk(LONG, *[fragment(*word) for word in words])
    heights = (
        """(all) => all.map((each) => parseFloat(getComputedStyle(each, "::before").height))"""
    )
    notes = screen.page.locator("#marks > [data-mark]")

    lines = notes.evaluate_all(heights)
    assert len(lines) == 60
    assert 0 < max(lines) <= 68
    assert lines[-1] == 0
    notes.last.locator(".note").focus()

    assert notes.evaluate_all(heights)[-1] > 68


AWAY = """() => [...document.querySelectorAll("#marks > [data-mark]")].map((item) => {
  const words = document.querySelector(`#essay [data-m~="${item.dataset.mark}"]`);
  return item.getBoundingClientRect().top - words.getClientRects()[0].top;
})"""
"""How many pixels below the first line of its words each note stands."""
CUT = "(note) => note.scrollWidth > note.clientWidth || note.scrollHeight > note.clientHeight"


def test_many_notes_are_one_line_each_near_their_words_and_whole_where_one_looks(desk):
    said = {"subcode": "арт", "correction": "all those of the people who are meant by it"}
    lines = range(0, 24 * (len(TEXT) + 1), 2 * (len(TEXT) + 1))
    ends = [(5, 11), (28, 33), (49, 53)]
    many = [fragment(at + start, at + end, **said) for at in lines for start, end in ends]
    screen = desk(LONG, *many, viewport={"width": 1440, "height": 900})
    screen.page.evaluate("document.fonts.ready")
    notes = screen.page.locator("#marks .note")

    away = screen.page.evaluate(AWAY)
    assert len(away) == 36
    assert max(map(abs, away)) <= 68
    assert notes.nth(5).evaluate(CUT)
    before = boxes(screen, "#marks > [data-mark]")
    notes.nth(5).hover()
    assert not notes.nth(5).evaluate(CUT)
    stand = [(x, y) for x, y, *_size in boxes(screen, "#marks > [data-mark]")]
    assert stand == [(x, y) for x, y, *_size in before]


def test_few_notes_have_all_their_lines(desk):
    said = {"subcode": "арт", "correction": "all those of the people who are meant by it"}
    starts = range(0, 6 * (len(TEXT) + 1), len(TEXT) + 1)
    screen = desk(LONG, *[fragment(at, at + 4, **said) for at in starts])

    notes = screen.page.locator("#marks .note").all()

    assert [note.evaluate(CUT) for note in notes] == [False] * 6
    assert {round(note.bounding_box()["height"]) > 19 for note in notes} == {True}


def test_of_a_note_behind_a_card_only_a_tick_shows(desk):
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11, "ИСП", correction="men"))
    screen.click(2)
    screen.page.locator("#cards form").wait_for()

    colours = screen.page.locator("#marks > .tick .fix").evaluate(
        "(fix) => ['', '::before'].map((part) => getComputedStyle(fix, part).color)"
    )

    assert colours == ["rgba(0, 0, 0, 0)"] * 2


def test_a_note_that_is_pushed_down_goes_past_an_open_card(desk):
    words = [(0, 4), (5, 11), (13, 16), (17, 22), (23, 27), (65, 69)]
    screen = desk(LONG, *[fragment(*word) for word in words])
    screen.page.locator("#marks .note").last.click()
    screen.page.locator("#cards form").wait_for()

    [(_x, top, _width, height)] = boxes(screen, "#cards")
    notes = boxes(screen, "#marks > [data-mark]:not(.tick) > .note")

    assert len(notes) == 5
    assert [y for _x, y, *_size in notes if y < top + height and y + _size[1] > top] == []
    assert [y for _x, y, *_size in notes] == sorted({y for _x, y, *_size in notes})  # apart


def test_the_map_has_fine_ticks_and_frames_what_is_in_sight_between_bar_and_status(desk):
    screen = desk(LONG, fragment(5, 11)).furnished()
    assert [height for *_place, height in boxes(screen, "#map .mistake")] == [1]

    screen.page.evaluate("scrollTo(0, 400)")
    screen.page.wait_for_timeout(100)
    [(_x, top, _width, whole)] = boxes(screen, "#essay")
    [(_x, bar, _width, bar_height)] = boxes(screen, "body > .bar")
    [(_x, status, *_size)] = boxes(screen, ".status")
    style = screen.page.locator("#map b").evaluate("({ style }) => [style.top, style.height]")
    shown = [float(each.rstrip("%")) for each in style]
    first, last = (100 * (y - top) / whole for y in (bar + bar_height, status))
    assert shown == pytest.approx([first, last - first], abs=0.2)


def test_a_band_over_several_lines_has_no_stripes(desk):
    screen = desk(LONG.replace("\n", " "), fragment(0, 400, "ПРОБЛЕМА"))

    rects = screen.page.locator("#essay .g1").first.evaluate(
        "(piece) => [...piece.getClientRects()].map(({ top, bottom }) => [top, bottom])"
    )
    assert len(rects) > 2
    assert all(after[0] - before[1] < 1 for before, after in pairwise(rects))


@pytest.mark.parametrize("width", [1440, 1000])
def test_finding_words_covers_no_points(desk, width):
    screen = desk(TEXT, viewport={"width": width, "height": 800}).into_text()
    screen.press("f")

    over = screen.page.evaluate(
        """() => {
          const boxOf = (id) => document.getElementById(id).getBoundingClientRect();
          const [one, other] = ["search", "points"].map(boxOf);
          return Math.min(one.right, other.right) > Math.max(one.left, other.left)
            && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);
        }"""
    )

    assert over is False


LABELS = """(labels) => labels.filter((label) => label.getClientRects().length).map((label) => {
  const { font } = getComputedStyle(label);
  const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  const { width } = pen.measureText(label.innerText);
  const length = Math.max(label.offsetWidth, label.offsetHeight);
  return label.getClientRects().length === 1 && length + 1 >= width;
})"""
"""Of every label of a block that is shown: is it whole, and on one line?"""


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("width", "has_map"), [(1200, False), (1366, False), (1440, False), (1600, True)]
)
def test_a_block_has_its_name_on_one_line_and_the_map_stands_where_there_is_room(
    desk, width, has_map
):
    record = thirds().record
    row_of(record, fragment(0, 17, "ОБОСНОВАНИЕ")).save()

    page = desk(record=record, viewport={"width": width, "height": 900}).page

    assert page.eval_on_selector_all("#marks .block .note b", LABELS) == [True]
    assert page.locator("#map").is_visible() is has_map


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("size", [(1200, 800), (1366, 768), (1440, 900)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_said_of_no_marks_yet_begins_with_the_text(desk, size, language):
    width, height = size
    window = {"width": width, "height": height}

    screen = desk(record=thirds().record, viewport=window, language=language)

    [(_x, top, _width, _height)] = boxes(screen, "#marks > .empty")
    [(_x, text, _width, _height)] = boxes(screen, "#essay")
    assert abs(top - text) < 1


SAID = "a long comment that says all there is to say of what is wrong here, and a little more"


def test_a_comment_that_stands_instead_of_a_subcode_is_in_the_line_of_its_code(desk):
    beside = fragment(40, 46, "А.грамм", subcode="арт", comment="beside it")
    screen = desk(TEXT, fragment(5, 11, comment=SAID), fragment(28, 33, comment="short"), beside)
    notes = screen.page.locator("#marks .note")
    said = screen.page.locator("#marks .instead")

    expect(said).to_have_text([SAID, "short"])
    assert said.last.is_visible()
    heights = {round(each.bounding_box()["height"]) for each in notes.all()}
    assert len(heights) == 1
    cut = "(said) => said.scrollWidth > said.clientWidth"
    assert [each.evaluate(cut) for each in said.all()] == [True, False]
    notes.first.hover()

    assert not said.first.evaluate(cut)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("width", [1200, 1366, 1440])
def test_names_of_blocks_lie_apart_and_beside_the_text_which_no_block_moves(desk, width):
    record = thirds(text=LONG).record
    screen = desk(record=record, viewport={"width": width, "height": 900})
    before = boxes(screen, "#essay > *")
    for at, code in enumerate(["ПРОБЛЕМА", "АРГУМЕНТ", "ВЫВОД"]):
        row_of(record, fragment(at * (len(TEXT) + 1), at * (len(TEXT) + 1) + 17, code)).save()

    screen.page.reload()
    screen.ready()

    assert boxes(screen, "#essay > *") == before
    names = sorted(boxes(screen, "#marks > .block b"), key=lambda box: box[1])
    assert len(names) == 3
    assert all(y + height <= below[1] for (_x, y, _w, height), below in pairwise(names))
    assert all(x >= 0 and x + wide <= before[0][0] for x, _y, wide, _height in names)


BETWEEN = """(names) => {
  const boxes = names.map((name) => name.getBoundingClientRect());
  boxes.sort((one, other) => one.top - other.top);
  return boxes.slice(1).map((box, at) => box.top - boxes[at].bottom);
}"""
"""How many pixels lie between the names of blocks, from the upper ones on."""


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("width", "role"), [(1200, "first"), (1200, "third"), (1366, "third")])
def test_names_along_their_rails_are_told_apart_by_more_than_a_blank(desk, width, role):
    record = thirds(text=LONG).record if role == "third" else draft_of(LONG)
    for at in range(4):
        row_of(record, fragment(at * 12, at * 12 + 10, "АРГУМЕНТ")).save()

    page = desk(record=record, viewport={"width": width, "height": 900}).page
    names = page.locator("#marks > .block b")

    assert {wide < tall for _x, _y, wide, tall in names.evaluate_all(BOXES)} == {True}
    between = names.evaluate_all(BETWEEN)
    assert len(between) == 3
    assert min(between) >= 8
