"""Reading on the screen, on paper, and without scripts: search, size, focus, guide, network."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.services.drafts import change_fragment
from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, submitted
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

TEXT = "Ёлка у нас – ель. Елка! Some people, who think that sport unite people, agree."
MARKS = (
    fragment(29, 35, "А.грамм", subcode="множ", comment="Number"),
    fragment(52, 57, "А.лекс", correction="sports"),
    whole_text("А.логика"),
)
PLACES = """
async ([at, [text, words]]) =>
  (await import(at)).placesOf([...text], words).map(({ start, end }) => [start, end])
"""


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("people", [[29, 35], [64, 70]]),
        ("PEOPLE", [[29, 35], [64, 70]]),
        ("елка", [[0, 4], [18, 22]]),
        ("ёлка", [[0, 4], [18, 22]]),
        ("  sport  ", [[52, 57]]),
        ("people, ", [[29, 36], [64, 71]]),
        ("nothing", []),
        ("", []),
        ("   ", []),
    ],
)
def test_words_are_found_whatever_their_case(desk, module, words, places):
    page = desk(TEXT).page

    assert page.evaluate(PLACES, [module("search"), [TEXT, words]]) == places


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("👩‍🏫 и 👩‍🏫", "👩‍🏫", [[0, 3], [6, 9]]),
        ("aaaa", "aa", [[0, 2], [2, 4]]),
        ("İstanbul i", "i", [[9, 10]]),
        ("𝒜 and 𝒜", "𝒜", [[0, 1], [6, 7]]),
    ],
)
def test_places_that_are_found_are_code_points_and_apart(desk, module, text, words, places):
    page = desk(text).page

    assert page.evaluate(PLACES, [module("search"), [text, words]]) == places


def test_search_goes_through_the_places_and_leaves_one_selected(desk):
    screen = desk(TEXT, *MARKS).into_text()

    screen.press("f").write("people")
    count = screen.page.locator("#search-count")
    expect(count).to_have_text("1 / 2")
    assert shining(screen, "found") == ["people", "people"]
    screen.press("Enter")
    expect(count).to_have_text("2 / 2")
    screen.press("Shift+Enter")
    expect(count).to_have_text("1 / 2")
    screen.press("Enter", "Escape")

    expect(screen.page.locator("#search")).to_be_hidden()
    assert screen.selection() == [64, 70]
    assert shining(screen, "found") == []


def test_escape_in_the_text_closes_the_search_and_leaves_the_caret_there(desk):
    screen = desk(TEXT, *MARKS).into_text()
    screen.press("f").write("people")
    expect(screen.page.locator("#search-count")).to_have_text("1 / 2")
    screen.click(20)

    screen.press("Escape")

    expect(screen.page.locator("#search")).to_be_hidden()
    assert screen.selection() == [20, 20]
    assert shining(screen, "found") == []


def shining(screen, name):
    return screen.page.evaluate("(name) => [...(CSS.highlights.get(name) ?? [])].map(String)", name)


def test_the_text_grows_in_steps_and_stays_so(desk):
    screen = desk(TEXT)
    size = "parseFloat(getComputedStyle(document.getElementById('essay')).fontSize)"
    sizes = [screen.page.evaluate(size)]
    larger = screen.page.get_by_role("button", name="Larger text")

    for _ in range(4):
        larger.click()
        sizes.append(screen.page.evaluate(size))
    screen.page.reload()
    screen.ready()

    assert sizes == sorted(set(sizes))
    assert sizes[-1] >= 1.7 * sizes[0]
    assert screen.page.evaluate(size) == sizes[-1]
    smaller = screen.page.get_by_role("button", name="Smaller text")
    for _ in range(5):
        smaller.click()
    assert screen.page.evaluate(size) == sizes[0]


def test_one_key_shows_only_the_text_and_brings_everything_back(desk):
    screen = desk(TEXT, *MARKS).into_text()

    screen.press("z")
    for hidden in ("#palette", ".bar", ".side"):
        expect(screen.page.locator(hidden)).to_be_hidden()
    expect(screen.page.locator("#essay")).to_be_visible()
    screen.press("z")

    expect(screen.page.locator("#palette")).to_be_visible()


def test_a_question_mark_shows_all_keys(desk):
    screen = desk(TEXT).into_text()

    screen.press("?")

    rows = screen.page.locator("#keys tr")
    assert rows.count() >= 12
    expect(screen.page.locator("#keys")).to_be_visible()
    screen.press("Escape")
    expect(screen.page.locator("#keys")).to_be_hidden()


def test_letters_can_be_switched_off_and_then_do_nothing(desk):
    screen = desk(TEXT, *MARKS).into_text()
    screen.press("?")
    screen.page.locator("#letters").uncheck()
    screen.press("Escape")

    screen.into_text().press("z", "g")
    expect(screen.page.locator("#palette")).to_be_visible()
    expect(screen.page.locator("#guide")).to_be_hidden()
    screen.press("?")
    expect(screen.page.locator("#keys")).to_be_visible()


def test_the_guide_shows_the_guidelines_and_filters_the_classifier(desk):
    record = draft_of(TEXT)
    record.essay.essay_set.guidelines = "Mark <every> mistake."
    record.essay.essay_set.save()
    screen = desk(record=record).into_text()

    screen.press("g")
    guide = screen.page.locator("#guide")
    expect(guide).to_contain_text("Mark <every> mistake.")
    expect(guide).to_contain_text("А.орф")
    guide.locator("input").first.fill("article")

    expect(guide).not_to_contain_text("А.орф")
    expect(guide).to_contain_text("А.грамм")


def test_on_paper_the_marks_stand_below_the_text_and_nothing_else_does(desk):
    screen = desk(TEXT, *MARKS)

    screen.page.emulate_media(media="print")

    for hidden in ("#palette", ".bar", ".status", "#cards", "#map", ".points"):
        expect(screen.page.locator(hidden)).to_be_hidden()
    essay = screen.page.locator("#essay").bounding_box()
    notes = screen.page.locator("#marks .note")
    tops = [note.bounding_box()["y"] for note in notes.all()]
    assert len(tops) == 2
    assert min(tops) >= essay["y"] + essay["height"]
    assert tops == sorted(tops)
    for words in ("people", "Number", "sports"):
        expect(screen.page.locator("#marks")).to_contain_text(words)
    quoted = screen.page.locator("#marks q").first.bounding_box()
    assert quoted["width"] > 20
    assert screen.page.pdf()[:4] == b"%PDF"


@pytest.mark.parametrize("draft", [True, False], ids=["a draft", "submitted"])
def test_text_and_marks_can_be_read_without_scripts(visit, draft):
    record = draft_of(TEXT, *MARKS) if draft else submitted(EssayFactory(text=TEXT), *MARKS)
    page = visit(record.author, f"/markups/{record.pk}/", java_script_enabled=False)

    expect(page.locator("#essay")).to_be_visible()
    assert page.locator("#essay").text_content() == TEXT
    notes = page.locator("#marks .note")
    expect(notes).to_have_count(2)
    expect(notes.first).to_contain_text("people")
    expect(notes.first).to_contain_text("Number")
    essay, note = page.locator("#essay").bounding_box(), notes.first.bounding_box()
    assert note["y"] >= essay["y"] + essay["height"]
    quoted = page.locator("#marks q").first.bounding_box()
    assert quoted["width"] > 20
    expect(page.locator("#whole")).to_contain_text("А.логика")


def test_who_may_not_mark_reads_with_the_same_keys(desk):
    record = submitted(EssayFactory(text=TEXT), *MARKS)
    screen = desk(record=record).into_text()

    screen.press("j")
    expect(screen.page.locator("#marks .on b")).to_have_text("А.грамм")
    screen.press("Enter")
    expect(screen.page.locator("#cards")).to_contain_text("Number")
    screen.press("Escape", "Control+Shift+ArrowRight", "Delete", ".")

    assert len(record.to_core().fragments) == 3
    assert screen.page.locator("#palette, #submit, #cards form").count() == 0


# ── the network ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", ["offline", "conflict"])
def test_a_check_is_not_submitted_while_its_last_change_is_not_saved(desk, visitors, state):
    screen = desk(TEXT, fragment(0, 4)).into_text()
    if state == "offline":
        screen.page.route("**/fragments/", lambda route: route.abort())
        screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    else:
        visitors.watch.expected.add(409)
        screen.page.locator("#marks button").click()
        comment = screen.page.locator("#card-comment")
        expect(comment).to_be_visible()
        row, theirs = screen.record.fragments.get(), fragment(0, 4, comment="theirs")
        change_fragment(record=screen.record, version=0, row=row, fragment=theirs)
        comment.fill("mine")
        screen.press("Tab")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", state)

    screen.submit()

    expect(screen.page.locator("#notice")).to_contain_text("The check is not submitted yet")
    screen.record.refresh_from_db()
    assert screen.record.state == "draft"
    visitors.watch.problems.clear()  # the change that failed, on purpose
    if state == "offline":
        screen.page.unroute("**/fragments/")
        screen.page.focus("#essay")
        screen.press("s").saved(1)  # what waited is sent
        screen.submit()
        screen.page.wait_for_url("**/queue/")
        screen.record.refresh_from_db()
        assert screen.record.state == "submitted"


def drawn(screen, *names):
    return [screen.page.locator(f"#{name}").bounding_box() for name in names]


def test_handles_stay_at_the_borders_when_these_move_and_when_the_text_grows(desk):
    screen = desk("Some people think.", fragment(5, 11)).into_text()
    handles = ("handle-start", "handle-end")
    screen.press("j", "b", "ArrowRight", "ArrowRight", "ArrowRight", "Enter").saved(1)
    moved = drawn(screen, *handles)
    assert moved == drawn(screen.press("j"), *handles)

    screen.page.get_by_role("button", name="Larger text").click()

    grown = drawn(screen, *handles)
    assert grown != moved
    assert grown == drawn(screen.press("j"), *handles)


def test_the_caret_stays_at_its_sign_when_the_window_changes(desk):
    screen = desk("Some people think that sport unites people. " * 4).into_text()
    screen.press("Control+Home", *["Control+ArrowRight"] * 12)
    wide = drawn(screen, "caret")

    screen.page.set_viewport_size({"width": 420, "height": 700})
    screen.page.evaluate(
        "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    )

    narrow = drawn(screen, "caret")
    assert narrow != wide
    assert narrow == drawn(screen.press("ArrowRight", "ArrowLeft"), "caret")
