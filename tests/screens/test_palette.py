"""The codes beside the text: always in view, searched, explained, remembered."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import mark_some
from tests.strategies import fragment

pytestmark = pytest.mark.full

LONG = "\n".join([TEXT] * 8)


def test_the_palette_is_in_view_wherever_the_text_is_scrolled(desk):
    screen = desk("\n\n".join([TEXT] * 60))
    codes = screen.page.locator("#palette .find, #codes .code")

    for height in (0, 700, 3000):
        screen.page.evaluate("(height) => scrollTo(0, height)", height)
        boxes = [each.bounding_box() for each in codes.all()]
        assert len(boxes) > 20
        assert min(box["y"] for box in boxes) >= 0
        assert max(box["y"] + box["height"] for box in boxes) <= 900


@pytest.mark.parametrize("subject", ["eng", "rus", "lit", "rus-free"])
def test_subcodes_and_what_a_code_means_are_in_view_in_a_low_window(desk, subject):
    record = draft_of(TEXT, subject=subject)
    page = desk(record=record, viewport={"width": 1366, "height": 768}).page
    palette = page.locator("#palette").bounding_box()
    codes = json.loads(page.locator("#code-list").text_content())
    most = max(codes, key=lambda each: len(each["subcodes"]))["code"]

    page.locator(f'#codes [data-code="{most}"]').hover()
    boxes = [each.bounding_box() for each in page.locator("#subs .code, #define-words").all()]

    assert len(boxes) > 1
    assert max(box["y"] + box["height"] for box in boxes) <= palette["y"] + palette["height"]


def test_all_codes_and_subcodes_of_an_english_essay_are_in_view_in_a_low_window(desk):
    page = desk(TEXT, viewport={"width": 1366, "height": 768}).page
    palette = page.locator("#codes").bounding_box()

    boxes = [each.bounding_box() for each in page.locator("#codes .code").all()]

    assert len(boxes) == 23
    assert max(box["y"] + box["height"] for box in boxes) <= palette["y"] + palette["height"]


def test_a_code_under_search_shows_its_meaning_its_example_and_its_subcodes(desk):
    screen = desk(TEXT).into_text()

    screen.press("/").letters("uh")
    for place, words in [
        ("#hit-code", "А.грамм"),
        ("#define-name", "А.грамм"),
        ("#define-words", "Grammar mistake."),
    ]:
        expect(screen.page.locator(place)).to_have_text(words)
    expect(screen.page.locator("#define-example")).not_to_be_empty()
    expect(screen.page.locator("#subs .code")).to_have_count(12)
    screen.letters(" vy")
    expect(screen.page.locator("#define-words")).to_have_text("Plural form")
    expect(screen.page.locator("#subs [aria-pressed=true]")).to_have_text("множ")


def test_arrows_go_through_what_was_found(desk):
    screen = desk(TEXT).into_text()

    screen.press("Control+Shift+ArrowRight").letters("cjxtn")
    hit = screen.page.locator("#hit-code")
    expect(hit).to_have_text("А.лекс сочет")
    screen.press("ArrowDown")
    expect(hit).to_have_text("А.запас сочет")
    screen.press("ArrowUp", "ArrowUp")
    expect(hit).to_have_text("А.запас сочет")
    screen.press("Enter").saved(1)

    assert screen.marks() == [(0, 4, "А.запас", "сочет")]


def test_what_is_not_found_marks_nothing_and_names_the_nearest(desk):
    screen = desk(TEXT).into_text()

    screen.press("Control+Shift+ArrowRight").letters("uhqqq").press("Enter")

    expect(screen.page.locator("#hit-none")).to_be_visible()
    expect(screen.page.locator("#hit-near")).to_have_text("А.грамм")
    assert screen.marks() == []


def test_a_code_that_is_looked_at_is_explained(desk):
    page = desk(TEXT).page
    words = page.locator("#define-words")

    page.locator('#codes [data-code="А.орф"]').hover()
    expect(words).to_have_text("A word is misspelt.")
    page.locator('#codes [data-code="А.лекс"]').focus()
    expect(words).to_have_text("Lexical mistake.")
    expect(page.locator("#subs .code").first).to_have_text("конт")


def test_a_subcode_is_one_click_away_from_its_code(desk):
    screen = desk(TEXT)
    screen.page.locator('#codes [data-code="А.грамм"]').hover()

    screen.drag(5, 11)
    screen.page.locator("#subs .code", has_text="множ").click()
    screen.saved(1)

    assert screen.marks() == [(5, 11, "А.грамм", "множ")]


@pytest.mark.parametrize("subject", ["eng", "rus", "lit", "hist"])
def test_what_a_code_means_and_its_example_are_whole_where_no_subcodes_stand_above(desk, subject):
    record = draft_of(TEXT, subject=subject)
    page = desk(record=record, viewport={"width": 1366, "height": 768}).page

    cut = page.evaluate(
        """() => [...document.querySelectorAll("#codes .code")].filter((code) => {
          code.focus();
          const { scrollHeight, clientHeight } = document.querySelector(".define");
          return !document.querySelector("#subs *") && scrollHeight > clientHeight;
        }).map((code) => code.dataset.code)"""
    )

    assert cut == []


def test_what_a_code_is_called_and_what_it_means_are_told_apart(desk):
    screen = desk(TEXT, fragment(5, 11, subcode="арт"))
    screen.page.locator('#codes [data-code="А.орф"]').focus()
    screen.click(7)
    heading = screen.page.locator("#cards h2")
    heading.wait_for()

    between = "(own) => getComputedStyle(own.querySelector('.called'), '::after').content"
    assert screen.page.locator(".define").evaluate(between) == '" –"'
    assert heading.evaluate(between) == '" –"'


def test_a_code_that_is_chosen_with_its_count_takes_no_more_room(desk):
    places = [(at, at + 1) for at, sign in enumerate(TEXT) if sign.isalpha()][:12]
    screen = desk(TEXT, *[fragment(*each, "А.орф") for each in places])
    code, beside = (
        screen.page.locator(f'#codes [data-code="{each}"]') for each in ("А.орф", "А.пункт")
    )
    before = [code.bounding_box(), beside.bounding_box()]

    code.click()
    expect(code).to_have_attribute("aria-pressed", "true")

    assert [code.bounding_box(), beside.bounding_box()] == before


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_longest_code_the_next_selections_get_is_whole_in_its_line(desk, language):
    screen = desk(TEXT, language=language)

    screen.page.locator('#codes [data-code="ОБОСНОВАНИЕ"]').click()

    line, code, stop = (
        screen.page.locator(f"#sticky{each}").bounding_box() for each in ("", "-code", " .btn")
    )
    assert line["x"] <= code["x"]
    assert code["x"] + code["width"] <= stop["x"]
    assert stop["x"] + stop["width"] <= line["x"] + line["width"]


@pytest.mark.parametrize("language", ["ru", "en"])
def test_what_the_next_selections_get_is_said_in_whole_words(desk, language):
    screen = desk(TEXT, language=language, viewport={"width": 1366, "height": 768}).into_text()

    screen.press("/").letters("uh ghtl").press("Enter")
    expect(screen.page.locator("#sticky-code")).to_have_text("А.грамм пред")

    said = screen.page.locator("#sticky > span")
    assert said.evaluate("(own) => own.scrollWidth <= own.clientWidth")


def test_how_often_a_code_is_marked_is_counted(desk):
    screen = desk(TEXT).into_text()
    count = screen.page.locator('#codes [data-code="А.орф"] sup')
    expect(count).to_be_empty()

    screen.press("Control+Shift+ArrowRight").letters("jha").press("Enter").saved(1)
    expect(count).to_have_text("1")
    screen.press("j", "Delete").saved(2)

    expect(count).to_be_empty()


def test_counts_follow_what_waits_for_the_network(ready, visitors):
    screen = ready(TEXT, fragment(28, 33, "А.лекс"))
    grammar, words = (
        screen.page.locator(f'#codes [data-code="{code}"] sup') for code in ("А.грамм", "А.лекс")
    )
    screen.page.context.set_offline(True)

    mark_some(screen)
    expect(grammar).to_have_text("1")
    screen.press("Control+Home", "j", "j", "Delete")
    expect(words).to_be_empty()
    screen.press("Control+z")
    expect(words).to_have_text("1")
    screen.page.locator("#waiting [data-do=giveup]").click()

    expect(grammar).to_be_empty()
    expect(words).to_have_text("1")
    visitors.watch.problems.clear()


SIGNS = """(buttons) => buttons.map((button) => {
  const range = document.createRange();
  const boxOf = (node) => {
    range.selectNodeContents(node);
    const { left, right, top } = range.getBoundingClientRect();
    return [left, right, top];
  };
  const line = button.getBoundingClientRect().top;
  return { line, code: boxOf(button.firstChild), count: boxOf(button.querySelector("sup")) };
})"""
"""Where the letters of every code and of its count lie: [left, right, top]."""


def test_a_count_of_hundreds_runs_into_no_other_code(desk):
    places = [(at, at + 1) for at, sign in enumerate(LONG) if sign.isalpha()][:200]
    page = desk(LONG, *[fragment(*each, "А.лекс") for each in places]).page
    expect(page.locator('#codes [data-code="А.лекс"] sup')).to_have_text("200")

    found = page.locator("#codes .code").evaluate_all(SIGNS)

    beside = [(one, other) for one, other in pairwise(found) if one["line"] == other["line"]]
    assert len(beside) > 5
    for one, other in beside:
        assert other["code"][0] - max(one["code"][1], one["count"][1]) >= 3
        assert one["count"][0] >= one["code"][1] or one["count"] == [0, 0, 0]


def picture_of_edge(page, scrolled):
    """The last pixels of what is scrolled, between the labels and the codes."""
    box = page.locator(scrolled).bounding_box()
    x, y = page.locator("#palette").bounding_box()["x"] + 112, box["y"] + box["height"] - 3
    return page.screenshot(clip={"x": x, "y": y, "width": 8, "height": 1})


@pytest.mark.parametrize(("height", "scrolled"), [(768, "#codes"), (600, "#palette")])
def test_a_shade_says_that_there_are_more_codes_below(desk, height, scrolled):
    low = {"width": 1366, "height": height}
    page = desk(record=draft_of(TEXT, subject="rus"), viewport=low).page
    more = picture_of_edge(page, scrolled)

    page.locator(scrolled).evaluate("(each) => each.scrollTo(0, each.scrollHeight)")
    page.evaluate("new Promise(requestAnimationFrame)")

    last = picture_of_edge(page, scrolled)
    assert more != last
    assert picture_of_edge(desk(TEXT).page, "#codes") == last


def test_a_block_is_not_offered_for_the_whole_text(desk):
    screen = desk(TEXT)
    block = screen.page.locator('#codes [data-code="ПРОБЛЕМА"]')

    screen.page.locator("#whole-add").click()
    expect(block).to_be_disabled()
    screen.letters("ghj,ktvf").press("Enter")
    expect(screen.page.locator("#hit-none")).to_be_visible()
    assert screen.marks() == []
    screen.press("Escape")

    expect(block).to_be_enabled()
    screen.choose(0, 4)
    block.click()
    screen.saved(1)
    assert screen.marks("start", "end", "code") == [(0, 4, "ПРОБЛЕМА")]


@pytest.mark.parametrize(
    ("way_out", "language"),
    [
        ("Escape", "en"),
        ("Stop", "ru"),
        ("the button again", "en"),
        ("other words", "en"),
        ("a mark", "en"),
    ],
)
def test_while_a_code_for_the_whole_text_is_asked_for_it_is_said_and_no_mark_is_meant(
    desk, way_out, language
):
    screen = desk(TEXT, fragment(5, 11), language=language)
    screen.page.locator('#codes [data-code="А.грамм"]').hover()
    screen.click(7)
    screen.page.locator("#cards form").wait_for()
    expect(screen.page.locator("#subs .code")).to_have_count(12)
    whole, said = screen.page.locator("#whole-add"), screen.page.locator("#for-whole")
    expect(said).to_be_hidden()

    whole.click()

    marked = "#essay .on, #marks .on, .handle:not([hidden]), #subs .code"
    expect(screen.page.locator(marked)).to_have_count(0)
    expect(said).to_be_visible()
    words = said.locator("span").first
    assert words.evaluate("(own) => own.scrollWidth <= own.clientWidth")
    find, box = screen.page.locator(".find").bounding_box(), said.bounding_box()
    assert 0 <= box["y"] - find["y"] - find["height"] <= 8
    screen.letters("uh")
    hit = screen.page.locator("#hit").bounding_box()
    below = said.bounding_box()["y"]
    assert hit["y"] + hit["height"] <= below <= hit["y"] + hit["height"] + 8

    if way_out in ("Escape", "Stop"):
        screen.press("Escape") if way_out == "Escape" else said.get_by_role("button").click()
        assert screen.focused() == "essay"
    elif way_out == "the button again":
        whole.click()
    elif way_out == "other words":
        screen.drag(28, 33)
    else:
        screen.click(7)
    expect(said).to_be_hidden()
    assert whole.get_attribute("aria-pressed") == "false"
    assert screen.version() == 0
