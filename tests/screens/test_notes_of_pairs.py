"""What both sides wrote, in the list of a comparison: a line each, and whole where one looks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.strategies import fragment

pytestmark = pytest.mark.full

LINE = "and so on and on it goes here, "
TEXT = "it is as we do so\n\n" * 12 + LINE * 9
WORDS = [TEXT.index(LINE) + at for at, sign in enumerate(f" {LINE * 3}") if sign == " "][:24]
LONG = "a plural noun takes the plain form of the verb, and the verb here has an ending"
WIDE = {"viewport": {"width": 1440, "height": 900}}
TALL = "(all) => all.map((each) => Math.round(each.getBoundingClientRect().height))"
TOPS = "(all) => all.map((each) => each.getBoundingClientRect().top)"
TAGS = """(all) => all.map((piece) => {
  const { width, transform } = getComputedStyle(piece, "::after");
  const moved = new DOMMatrix(transform === "none" ? "" : transform).m41;
  const { right } = [...piece.getClientRects()].at(-1);
  return [right + moved, right + moved + parseFloat(width)];
})"""
"""Where every tag begins and ends, from the window's left."""
CUT = "(all) => all.some((each) => each.scrollWidth > each.clientWidth)"


@pytest.fixture
def opened(visit):
    """The list of a comparison with a long comment on either side of every second row."""

    def opened(query="", tag="", **options):
        essay = EssayFactory(text=TEXT)
        starts = [at * 19 for at in range(12)] if not tag else WORDS
        left, right = (
            [
                fragment(at, at + 2, code, comment="" if row % 2 else LONG + side, tag=tag)
                for row, at in enumerate(starts)
            ]
            for side, code in (("!", "А.грамм"), ("?", "А.лекс"))
        )
        one, other = submitted(essay, *left), submitted(essay, *right)
        judge = PersonFactory(role=User.Role.JUDGE)
        return visit(judge, f"/compare/{one.pk}/{other.pk}/{query}", **options)

    return opened


def is_whole(page, row):
    return not page.locator(f"#row-{row} .wrote").evaluate_all(CUT)


def test_a_comment_has_a_line_of_its_row_and_all_it_needs_in_the_chosen_one(opened):
    page = Pair(opened(**WIDE)).page

    heights = page.locator(".wrote").evaluate_all(TALL)
    assert (len(heights), set(heights)) == (12, {18})
    assert not is_whole(page, 3)
    page.locator("#row-3 .diff").click()

    assert is_whole(page, 3)
    expect(page.locator("#row-3 .wrote").first).to_contain_text(LONG)


@pytest.mark.parametrize("over", ["#row-3", "#row-9", "#knots [data-row='3']"])
def test_where_one_looks_a_comment_is_whole_and_nothing_moves(opened, over):
    page = Pair(opened(**WIDE)).page
    number = "9" if over == "#row-9" else "3"
    items = page.locator("#difflist > li")
    page.evaluate("document.getElementById('difflist').scrollTop = 120")
    if number == "9":
        page.evaluate("document.getElementById('difflist').scrollTop = 480")
    before = items.evaluate_all(TOPS)

    page.locator(over).hover()

    expect(page.locator(f"#row-{number}")).to_have_class("st-code hover told")
    assert is_whole(page, number)
    assert items.evaluate_all(TOPS) == before


def test_what_is_shown_over_other_rows_lies_within_the_list(opened):
    page = Pair(opened(**WIDE)).page
    list_ = page.locator("#difflist")
    status = page.locator(".status").bounding_box()

    for row in range(1, 13, 2):
        item = page.locator(f"#row-{row}")
        item.hover()
        told, box = page.locator(f"#row-{row} .in").bounding_box(), list_.bounding_box()

        assert told["y"] >= box["y"], row
        assert told["y"] + told["height"] <= min(box["y"] + box["height"], status["y"]) + 1, row


def test_a_pressed_row_stays_under_the_pointer(opened):
    page = Pair(opened(**WIDE)).page
    page.locator("#row-1 .diff").click()
    words = page.locator("#row-3 .diff q")
    page.locator("#difflist").evaluate("(list) => list.scrollTop = 100")
    before = words.bounding_box()

    words.click()

    expect(page.locator("#row-3")).to_have_class("st-code hover on")
    assert words.bounding_box() == before


def test_on_paper_all_comments_stand_whole_in_the_list(opened):
    page = Pair(opened(viewport={"width": 718, "height": 900})).page

    page.emulate_media(media="print")

    assert [is_whole(page, row) for row in range(1, 13, 2)] == [True] * 6
    assert page.locator(".wrote").evaluate_all("(all) => all.filter((each) => each.offsetHeight)")


def test_without_scripts_all_comments_are_whole(opened):
    page = opened(java_script_enabled=False, **WIDE)

    assert page.locator(".wrote").count() == 12
    bottoms = page.locator(".notes").evaluate_all("(all) => all.map((e) => e.clientHeight)")
    assert min(bottoms) > 36


@pytest.mark.parametrize("width", [600, 640, 718])
def test_on_paper_no_tag_is_cut_and_nothing_is_there_to_press(opened, width):
    window = {"width": width, "height": 900}
    page = opened("?code=А.грамм", tag="логика1", viewport=window, java_script_enabled=False)

    page.emulate_media(media="print")

    sheet = page.locator(".pairtext").bounding_box()
    tags = page.locator(".essay [data-tag]").evaluate_all(TAGS)
    assert len(tags) == 24 + 24
    assert all(sheet["x"] <= start and end <= sheet["x"] + sheet["width"] for start, end in tags)
    for pressed in (".chosen", ".filters", ".bar", ".status", "svg [href$=close]", "button"):
        assert page.locator(pressed).filter(visible=True).count() == 0, pressed
    boxes = page.locator(".filter:visible, .gap .code:visible")
    borders = boxes.evaluate_all("(all) => all.map((e) => getComputedStyle(e).borderTopWidth)")
    assert set(borders) == {"0px"}
