"""Codes and the ways to them stay in sight beside notices, own comments and other marks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import Phrase
from annotator.services.markup import submit_markup
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory, DraftFactory
from tests.review.thirds import thirds
from tests.screens.test_changing import TEXT
from tests.screens.test_hints import HIDDEN, LINES, boxes
from tests.screens.test_small_windows import PHONE
from tests.strategies import whole_text

pytestmark = pytest.mark.full

WIDE = {"viewport": {"width": 1440, "height": 900}}


def test_codes_have_the_room_of_what_explains_them_while_a_notice_takes_its_own(ready, visitors):
    screen = ready(LINES, **WIDE)
    page = screen.page
    page.context.set_offline(True)
    screen.choose(0, 4).press("u", "h", "Enter")
    expect(page.locator("#waiting li").first).to_be_visible()

    (codes,), (kept,) = boxes(page, "#codes"), boxes(page, ".define")
    assert codes["height"] > 5 * kept["height"]
    page.locator('#codes [data-code="А.грамм"]').hover()
    subcodes = page.locator("#subs .code")
    expect(subcodes).to_have_count(12)
    lowest = subcodes.last.bounding_box()
    assert lowest["y"] + lowest["height"] <= kept["y"] + kept["height"]
    page.context.set_offline(False)
    screen.saved(1)
    visitors.watch.problems.clear()


def test_own_comments_by_key_put_no_code_and_no_example_out_of_sight(desk):
    record = draft_of(LINES)
    for words in ("own words", "why is it so", "one too many"):
        own = {"user": record.author, "code": "А.грамм", "field": "comment"}
        Phrase.objects.create(text=words, uses=2, **own)
    page = desk(record=record, **WIDE).page

    assert page.evaluate(HIDDEN) == []
    page.locator('#codes [data-code="А.грамм"]').hover()
    (example,), (kept,) = boxes(page, "#define-example"), boxes(page, ".define")
    assert example["y"] + example["height"] <= kept["y"] + kept["height"]


REACHED = """(parts) => parts.map((part) => {
  const each = document.querySelector(part);
  const { x, y, width, height } = each.getBoundingClientRect();
  const found = (share) => document.elementFromPoint(x + width / 2, y + share * height);
  const isReached = [0.1, 0.5, 0.9].every((share) => each.contains(found(share)));
  return [Math.round(x), Math.round(y), isReached];
})"""
"""Where parts of the palette stand, and whether nothing lies over them."""


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("role", ["first", "third"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_search_and_sticky_code_stay_where_they_are_while_a_low_palette_is_scrolled(
    ready, visitors, role, language
):
    record = draft_of(LINES) if role == "first" else thirds(text=LINES).record
    low = {"viewport": {"width": 1366, "height": 768}}
    screen = ready(record=record, language=language, **low)
    page = screen.page
    page.locator('#codes [data-code="А.лекс"]').click()
    page.context.set_offline(True)
    screen.choose(0, 4).press("u", "h", "Enter")
    expect(page.locator("#waiting li").first).to_be_visible()
    expect(page.locator("#sticky")).to_be_visible()
    parts = [".find .input", "#sticky"]
    before = page.evaluate(REACHED, parts)

    page.locator("#codes").hover()
    page.mouse.wheel(0, 600)
    page.wait_for_function("() => document.getElementById('palette').scrollTop > 40")

    assert page.evaluate(REACHED, parts) == before
    assert [is_reached for _x, _y, is_reached in before] == [True, True]
    page.context.set_offline(False)
    screen.saved(1)
    visitors.watch.problems.clear()


@pytest.mark.parametrize("many", [1, 2, 4])
def test_the_way_to_another_mistake_of_the_whole_text_is_in_sight_on_a_phone(desk, many):
    codes = ("А.запас", "А.объем", "А.логика", "А.стиль")[:many]
    screen = desk(TEXT, *map(whole_text, codes), **PHONE)
    add = screen.page.get_by_role("button", name="Mistake of the whole text")

    row, button = screen.page.locator("#whole").bounding_box(), add.bounding_box()

    assert button["x"] + button["width"] <= row["x"] + row["width"] + 0.5
    assert add.evaluate("(own) => own.scrollWidth <= own.clientWidth")


FREE = """() => {
  const [points, status] = [".points", ".status"].map((part) => document.querySelector(part));
  return status.getBoundingClientRect().top - points.getBoundingClientRect().bottom;
}"""
"""Pixels below the column beside the text where nothing stands."""


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_what_is_said_above_the_text_takes_no_room_from_the_codes(
    desk, settings, language, width, height
):
    settings.RECALL_SECONDS = 60
    record = draft_of(LINES * 3)
    working = AssignmentFactory(expert=record.author, state="working")
    other = DraftFactory(assignment=working)
    submit_markup(record=other, version=other.version)
    size = {"width": width, "height": height}
    page = desk(record=record, language=language, viewport=size).page

    for banner in (".recallable", ".messages"):
        expect(page.locator(banner)).to_be_in_viewport(ratio=1)
        for scrolled in (0, 600):
            page.evaluate("(top) => scrollTo(0, top)", scrolled)
            assert page.evaluate(HIDDEN) == []
            assert page.evaluate(FREE) <= 16
        page.evaluate("scrollTo(0, 0)")
        if banner == ".recallable":
            page.get_by_role("button", name="Recall" if language == "en" else "Отозвать").click()
