"""Marking without a mouse: how many keys it takes, and that nothing gets lost on the way."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from annotator.models import FragmentRecord
from tests.screens.test_changing import TEXT, activate
from tests.strategies import fragment

pytestmark = pytest.mark.full

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
"""What a step by words goes over."""
CODES = {
    "uh vy": ("А.грамм", "множ"),
    "uh": ("А.грамм", ""),
    "ktrc": ("А.лекс", ""),
    "jha": ("А.орф", ""),
    "ghj,ktv": ("ПРОБЛЕМА", ""),
    "fhn": ("А.грамм", "арт"),
    "article": ("А.грамм", "арт"),
}
"""What is typed, on the keys of the other layout or in English -> the code it finds."""
ESSAY = " ".join(
    "However some people don’t think that a well-known sport unite all people, they say."
    if number % 3
    else "To my mind, travelling give us much more than money does; it is true."
    for number in range(22)
)


def rows(record):
    return list(
        FragmentRecord.objects.filter(markup=record)
        .order_by("pk")
        .values("start", "end", "code", "subcode", "correction", "comment", "explanation", "tag")
    )


def row(start, end, code, subcode="", **fields):
    empty = dict.fromkeys(("correction", "comment", "explanation", "tag"), "")
    return {"start": start, "end": end, "code": code, "subcode": subcode, **empty, **fields}


def test_a_code_takes_four_keys_and_repeating_it_two(desk):
    screen = desk("Some people think that sport unite people.").into_text()

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    assert screen.counted() == 4
    screen.press("Control+Shift+ArrowRight").press(".")
    assert screen.counted() == 2
    screen.saved(2)

    assert rows(screen.record) == [row(0, 4, "А.грамм"), row(5, 11, "А.грамм")]


@pytest.mark.parametrize("typed", CODES)
def test_codes_are_typed_on_either_layout_and_in_english(desk, typed):
    screen = desk("Some people think.").into_text()

    screen.press("Control+Shift+ArrowRight").letters(typed).press("Enter").saved(1)

    assert rows(screen.record) == [row(0, 4, *CODES[typed])]


def test_a_mark_with_its_subcode_correction_and_comment_takes_nine_keys_and_the_words(desk):
    screen = desk("Some people think that sport unite people.").into_text()

    screen.press("Control+Shift+ArrowRight").letters("uh vy").press("Tab")
    into_field(screen, "correction")
    screen.write("sports").press("Tab").write("Number").press("Control+Enter")
    expect(screen.page.locator("#essay")).to_be_focused()

    assert screen.counted() == 9
    assert rows(screen.record) == [
        row(0, 4, "А.грамм", "множ", correction="sports", comment="Number")
    ]


def into_field(screen, *names):
    """The card has come; Tab from the first of these fields to the last."""
    expect(screen.page.locator(f"#card-{names[0]}")).to_be_focused()
    for name in names[1:]:
        screen.press("Tab")
        expect(screen.page.locator(f"#card-{name}")).to_be_focused()


def test_every_field_of_a_card_is_reached_and_the_caret_comes_back(desk):
    screen = desk("Some people think that sport unite people.").into_text()
    screen.press("Control+ArrowRight", "Control+ArrowRight", "Control+Shift+ArrowRight")

    screen.letters("uh").press("Tab")
    into_field(screen, "subcode")
    screen.press("ArrowDown")
    for name, words in [("correction", "believe"), ("comment", "a verb"), ("explanation", "Why")]:
        walk_to(screen, f"card-{name}")
        screen.write(words)
    walk_to(screen, "card-tag")
    screen.write("s1").press("Escape", "Escape")

    expect(screen.page.locator("#essay")).to_be_focused()
    assert screen.selection() == [17, 17]
    expected = row(
        12,
        17,
        "А.грамм",
        "видовр",
        correction="believe",
        comment="a verb",
        explanation="Why",
        tag="s1",
    )
    expect(screen.page.locator("#marks .tg")).to_have_text("s1")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert rows(screen.record) == [expected]


def walk_to(screen, name):
    for _ in range(8):
        screen.press("Tab")
        if screen.focused() == name:
            return
    pytest.fail(f"Tab does not come to {name}")


def test_a_mistake_of_the_whole_text_needs_no_mouse(desk):
    screen = desk("Some people think.").into_text()

    for _ in range(20):
        screen.press("Shift+Tab")
        if screen.focused() == "whole-add":
            break
    screen.press("Enter").letters("kju").press("Enter").saved(1)

    assert rows(screen.record) == [row(None, None, "А.логика")]
    expect(screen.page.locator("#whole")).to_contain_text("А.логика")


def test_code_first_and_select_first_and_the_repeat_key_make_the_same_mark(desk):
    text = "Some people think that sport unite people."
    marked = []

    selected_first = desk(text).into_text()
    selected_first.select("sport").letters("uh vy").press("Enter").saved(1)
    marked.append(rows(selected_first.record))

    code_first = desk(text).into_text()
    code_first.press("/").letters("uh vy").press("Enter")
    expect(code_first.page.locator("#sticky-code")).to_have_text("А.грамм множ")
    code_first.select("sport").press("Enter").saved(1)
    marked.append(rows(code_first.record))

    sticky_mouse = desk(text).into_text()
    sticky_mouse.press("/").letters("uh vy").press("Enter")
    sticky_mouse.drag(24, 27).saved(1)
    marked.append(rows(sticky_mouse.record))

    repeated = desk(text).into_text()
    repeated.select("Some").letters("uh vy").press("Enter").saved(1)
    repeated.select("sport").press(".").saved(2)
    marked.append(rows(repeated.record)[1:])

    assert marked == [[row(23, 28, "А.грамм", "множ")]] * 4


def test_a_sticky_code_marks_until_it_is_let_go(desk):
    screen = desk("Some people think that sport unite people.").into_text()

    screen.press("/").letters("uh").press("Enter")
    for version in (1, 2, 3):
        screen.press("Control+Shift+ArrowRight", "Enter").saved(version)
    screen.press("Escape", "Control+Shift+ArrowRight", "Enter")
    expect(screen.page.locator("#sticky")).to_be_hidden()

    assert [(each["start"], each["end"]) for each in rows(screen.record)] == [
        (0, 4),
        (5, 11),
        (12, 17),
    ]


def test_the_letters_of_the_other_layout_are_the_same_keys(desk):
    screen = desk("Some people think.").into_text()

    screen.page.evaluate(
        """() => document.getElementById("essay").dispatchEvent(
          new KeyboardEvent("keydown", { key: "п", code: "KeyG", bubbles: true }))"""
    )

    expect(screen.page.locator("#guide")).to_be_visible()


def test_an_essay_is_marked_from_the_keyboard_alone(desk):
    """Three hundred words, twenty marks, hands that wait for nothing but the cards."""
    assert 290 <= len(ESSAY.split()) <= 330
    words = [found.span() for found in WORD.finditer(ESSAY)]
    draw = random.Random(300)
    starts = sorted(draw.sample(range(len(words) - 4), 20))
    screen = desk(ESSAY).into_text()

    expected, at = [], 0
    for number, first in enumerate(starts):
        long = draw.randint(1, 4)
        typed = [*CODES][number % len(CODES)]
        go(screen, first - at)
        screen.press(*["Control+Shift+ArrowRight"] * long).letters(typed)
        mark = row(words[first][0], words[first + long - 1][1], *CODES[typed])
        if number % 3 == 1 and mark["code"] == "А.грамм":
            screen.press("Tab")
            into_field(screen, *["subcode"] * (not mark["subcode"]), "correction")
            screen.write("better").press("Control+Enter")
            expect(screen.page.locator("#essay")).to_be_focused()
            mark["correction"] = "better"
        else:
            screen.press("Enter")
        expected.append(mark)
        at = first + long
    expect(screen.page.locator("#marks > [data-mark]")).to_have_count(20)

    assert rows(screen.record) == expected
    assert screen.page.evaluate("document.getElementById('essay').textContent") == ESSAY


def go(screen, count):
    key = "Control+ArrowRight" if count > 0 else "Control+ArrowLeft"
    screen.press(*[key] * abs(count))


def test_keys_go_on_to_marks_from_where_the_caret_was_taken(desk):
    marks = [fragment(0, 4), fragment(5, 11, "А.лекс"), fragment(28, 33, "А.орф")]
    screen = desk(TEXT, *marks).into_text()
    active = screen.page.locator("#marks > .on b")

    activate(screen, 2)
    expect(active).to_have_text("А.орф")
    screen.press("k")
    expect(active).to_have_text("А.лекс")
    screen.press("Control+End", "k")
    expect(active).to_have_text("А.орф")
    screen.press("Control+Home", "j")
    expect(active).to_have_text("А.грамм")
    screen.press("j")

    expect(active).to_have_text("А.лекс")


def test_the_mark_to_link_with_is_gone_to_and_taken_by_keys_in_the_text(desk):
    first, second = fragment(5, 11, subcode="множ"), fragment(40, 46, subcode="множ")
    screen = desk(TEXT, first, second).into_text()
    screen.click(7)
    expect(screen.page.locator("#cards form")).to_be_visible()

    screen.press("l", "j", "Enter").saved(1)

    assert screen.marks("tag") == [("множ1",), ("множ1",)]


def test_keys_go_past_what_takes_no_tag_while_a_mark_waits_for_its_link(desk):
    first, second = fragment(5, 11, subcode="множ"), fragment(40, 46, subcode="множ")
    passed = [fragment(0, 46, "ПРОБЛЕМА"), fragment(16, 20, "ИСП", correction="which")]
    screen = desk(TEXT, first, *passed, second).into_text()
    screen.click(7)
    expect(screen.page.locator("#cards form")).to_be_visible()

    screen.press("l", "j", "j", "k", "Enter").saved(1)

    assert screen.marks("tag") == [("множ1",), ("",), ("",), ("множ1",)]
    screen.press("j")
    expect(screen.page.locator("#marks > .on b")).to_have_text(["ИСП"])


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "This mark takes no tag."), ("ru", "У этого фрагмента не бывает тега.")],
)
def test_a_link_of_a_mark_without_tags_is_refused_by_its_first_key(desk, language, words):
    block, second = fragment(5, 11, "ИСП", correction="men"), fragment(40, 46, subcode="множ")
    screen = activate(desk(TEXT, block, second, language=language))
    said = screen.page.locator("#linking > :visible")

    screen.press("l")

    expect(said).to_have_text([words])
    assert said.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    expect(screen.said()).to_have_text(words)
    screen.press("j", "l")
    expect(said).not_to_have_text([words])
    screen.press("Escape")
    expect(said).to_have_count(0)
    assert (screen.marks("tag"), screen.version()) == ([("",), ("",)], 0)


@pytest.mark.parametrize("key", ["e", "Enter"])
def test_the_mark_gone_to_by_a_key_is_opened_wherever_the_caret_stands(desk, key):
    screen = desk(TEXT, fragment(5, 11), fragment(40, 46, "А.лекс")).into_text()
    screen.click(7)
    code = screen.page.locator("#card-code")
    expect(code).to_have_value("А.грамм")
    screen.press("Escape", "Control+ArrowLeft", "j", key)
    expect(code).to_have_value("А.лекс")
    screen.press("Escape", "ArrowRight", key)

    expect(code).to_have_value("А.грамм")


def test_keys_work_as_soon_as_a_check_is_opened(desk):
    screen = desk(TEXT)

    assert screen.focused() == "essay"
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter").saved(1)

    assert screen.marks() == [(0, 4, "А.грамм", "")]


def test_the_caret_goes_by_windows_of_text_and_keys_go_on_from_where_one_reads(desk):
    screen = desk("\n".join(["Some people think so."] * 100)).into_text()
    top = "scrollY"
    caret = screen.page.locator("#caret")

    screen.press("PageDown", "PageDown")
    read = screen.page.evaluate(top)
    expect(caret).to_be_in_viewport()
    screen.press("ArrowDown", "ArrowUp")
    assert screen.page.evaluate(top) == read > 0
    screen.press("Shift+PageDown")
    anchor, focus = screen.selection()
    assert focus > anchor > 0
    screen.press("ArrowLeft", "PageUp", "PageUp")

    assert screen.selection() == [0, 0]
    assert screen.page.evaluate(top) == 0
    screen.press("Control+PageDown")  # to the next tab
    assert (screen.selection(), screen.page.evaluate(top)) == ([0, 0], 0)
    screen.press(*["PageDown"] * 12)
    assert screen.selection() == [len(screen.record.essay.text)] * 2
