"""A printed markup: what was written of the whole text, all of every tag, and no buttons."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, submitted
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

WORDS = "Some people think that sport unites people and others do not. "
TEXT = WORDS * 4
LONG = "The same few words all over the text, where a dictionary has a dozen better ones for each"
WHOLE = whole_text("А.запас", comment=LONG, explanation="see the list, page 3")
TAGGED = fragment(5, 11, tag="логика1")
BUTTONS = """() => [...document.querySelectorAll("button, summary, input, select")]
  .filter((each) => each.checkVisibility() && !each.innerText.trim()).length"""
"""What can only be pressed: controls in sight that hold no words."""
BOXED = """(all) => all.map((each) => getComputedStyle(each).borderTopWidth)"""


@pytest.fixture
def printed(visit):
    """The page of a markup as it comes on paper: a draft's, or one that was submitted."""

    def printed(*fragments, text=TEXT, draft=False, width=718, essay=None, **options):
        if draft:
            record = draft_of(text, *fragments)
        else:
            record = submitted(essay or EssayFactory(text=text), *fragments)
        page = visit(record.author, f"/markups/{record.pk}/", **options)
        if not options:
            page.wait_for_selector("#desk[data-furnished]")
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(media="print")
        return page

    return printed


@pytest.mark.parametrize("draft", [True, False], ids=["a draft", "submitted"])
def test_what_was_written_of_the_whole_text_is_on_paper_and_no_button(printed, draft):
    page = printed(WHOLE, TAGGED, draft=draft)

    said = page.locator("#whole .sub")
    expect(said).to_have_text([LONG, "see the list, page 3"])
    assert not any(said.evaluate_all("(all) => all.map((e) => e.scrollWidth > e.clientWidth + 1)"))
    assert page.evaluate(BUTTONS) == 0
    assert set(page.locator("#whole :is(.chip, button):visible").evaluate_all(BOXED)) == {"0px"}


def test_a_source_text_that_is_closed_leaves_no_word_to_press_on_paper(printed):
    page = printed(essay=EssayFactory(text=TEXT, task_text="Read this."))

    expect(page.locator(".source")).to_have_count(1)
    assert page.locator("summary").filter(visible=True).count() == 0


@pytest.mark.parametrize("width", [380, 500, 600, 640, 680, 718])
def test_no_tag_is_cut_at_the_edge_of_the_paper(printed, width):
    at = [WORDS.index(word) for word in WORDS.split()]
    tagged = [
        fragment(len(WORDS) * line + start, len(WORDS) * line + start + 2, tag="логика1")
        for line in range(4)
        for start in at
    ]

    page = printed(*tagged, width=width, java_script_enabled=False)  # paper runs none

    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [1440, 1366, 375])
def test_what_was_written_of_the_whole_text_is_read_on_the_screen(visit, width):
    record = submitted(EssayFactory(text=TEXT), WHOLE)
    window = {"width": width, "height": 800}
    page = visit(record.author, f"/markups/{record.pk}/", viewport=window)
    said = page.locator("#whole .sub")

    expect(said).to_have_text([LONG, "see the list, page 3"])
    for box in (each.bounding_box() for each in said.all()):
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [1440, 375])
def test_words_about_the_whole_text_move_no_word_of_it(desk, width):
    window = {"width": width, "height": 800}
    plain = desk(TEXT, whole_text("А.запас"), viewport=window).rects((0, 60))

    screen = desk(TEXT, WHOLE, WHOLE, WHOLE, viewport=window)

    assert screen.rects((0, 60)) == plain
    assert screen.page.locator("#whole-add").is_visible()
