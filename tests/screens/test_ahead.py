"""Keys that are pressed before what they are for has come: held until it has, or none of them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from tests.screens.desk import first, holding, slow
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_said_by_keys import PAD
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

LATE = 700  # milliseconds
MARK, OTHER = fragment(5, 11, "А.грамм", subcode="множ"), fragment(40, 46, "А.орф")
SAID = ("code", "subcode", "correction", "comment")


def written(screen, *rows):
    """All of it has arrived, and one is in the text again."""
    expect(screen.page.locator("#essay")).to_be_focused()
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks(*SAID) == list(rows)


def moving_borders(desk):
    """Keys that move the end of a mark and delete the next one, before their script has come."""
    screen = desk(TEXT, MARK, OTHER)
    held = holding(screen, re.compile("marking/borders"))
    screen.page.reload()
    activate(screen.ready())
    screen.press("b", "ArrowRight", "Enter", "j", "Delete")
    return screen, first(screen, held)


@pytest.mark.parametrize("key", ["e", "Enter"])
def test_words_typed_while_a_card_is_on_its_way_go_into_it(desk, key):
    screen = activate(desk(TEXT, MARK, OTHER))
    wait = slow(screen.page, LATE)

    screen.press(key).write("by j, l. 2").press("Backspace", "Tab").write("been").press("Enter")
    expect(screen.page.locator("#cards form")).to_be_visible()
    wait(0)

    written(screen, ("А.грамм", "множ", "by j, l.", "been"), ("А.орф", "", "", ""))
    expect(screen.page.locator("#cards form")).to_have_count(0)


def test_a_mark_with_all_its_words_is_typed_without_waiting_for_any_answer(desk):
    screen = desk(TEXT).into_text()
    wait = slow(screen.page, LATE)

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Tab")
    for sign, key in [("в", "KeyD"), ("и", "KeyB"), ("д", "KeyL")]:
        screen.page.evaluate(PAD, [sign, key])
    screen.press("Tab").write("was").press("Tab").write("its tense")
    screen.press("Control+Enter")
    expect(screen.page.locator("#cards form")).to_be_visible()
    wait(0)

    written(screen, ("А.грамм", "видовр", "was", "its tense"))


def test_marks_are_typed_one_after_another_without_waiting_for_any_answer(desk):
    screen = desk(TEXT).into_text()
    wait = slow(screen.page, LATE)

    for words in ("jab", "lex", "bell"):
        screen.press("Control+Shift+ArrowRight").letters("uh vy").press("Tab")
        screen.write(words).press("Tab").write("why").press("Control+Enter")
    expect(screen.page.locator("#cards form")).to_be_visible()
    wait(0)
    expect(screen.page.locator("#marks > [data-mark]")).to_have_count(3)
    expect(screen.page.locator("#marks > [data-mark]").last).to_contain_text("why")

    expect(screen.page.locator("#cards form")).to_have_count(0)
    written(screen, *(("А.грамм", "множ", words, "why") for words in ("jab", "lex", "bell")))
    assert screen.marks("start", "end") == [(0, 4), (5, 11), (11, 12)]


def test_who_edits_a_mark_at_once_waits_for_its_one_answer_alone(ready):
    screen = ready(TEXT)
    asked = []
    screen.page.on("request", lambda made: "/fragments/" in made.url and asked.append(made.method))
    held = holding(screen, "**/fragments/**", only="POST")

    screen.press("Control+Shift+ArrowRight").letters("uh vy").press("Enter", "e").write("jab")
    first(screen, held).continue_()
    screen.page.unroute("**/fragments/**")
    expect(screen.page.locator("#card-correction")).to_have_value("jab")
    screen.press("Enter")

    written(screen, ("А.грамм", "множ", "jab", ""))
    assert asked == ["POST", "POST"]


def test_who_edits_a_mark_before_anything_can_show_it_types_into_its_card(desk):
    screen = desk(TEXT, OTHER)
    held = holding(screen, re.compile("marking/painting"))
    screen.page.reload()
    screen.ready().into_text()

    screen.press("Control+Shift+ArrowRight").letters("uh vy").press("Enter", "e").write("jab")
    expect(screen.page.locator("#card-correction")).to_have_value("jab")
    first(screen, held).continue_()
    screen.press("Enter")

    written(screen, ("А.орф", "", "", ""), ("А.грамм", "множ", "jab", ""))


def test_a_mistake_of_the_whole_text_is_typed_without_waiting_too(desk):
    screen = desk(TEXT).into_text()
    screen.page.locator("#whole-add").click()
    wait = slow(screen.page, LATE)

    screen.letters("kju").press("Tab")  # into the list of subcodes
    screen.press("Tab").write("no plan").press("Tab").write("none").press("Enter")
    expect(screen.page.locator("#cards form")).to_be_visible()
    wait(0)

    written(screen, ("А.логика", "", "no plan", "none"))


def test_who_waits_for_a_card_sees_so_and_what_was_pressed_meanwhile(desk):
    screen = activate(desk(TEXT, MARK, OTHER))
    held = holding(screen, "**/fragments/*/*")
    told = screen.page.locator("#held")

    screen.press("e")
    expect(told).to_have_text("Waiting for the server…")
    words = told.evaluate_handle("(line) => line.firstChild")
    screen.write("by j").press("Control+z", "Tab").write("been")
    expect(told).to_have_text("Waiting for the server… by j⇥been")
    assert words.evaluate("(words) => words.isConnected")  # who listens hears them once
    first(screen, held).continue_()

    expect(told).to_be_empty()
    expect(screen.page.locator("#card-comment")).to_have_value("been")


def test_keys_after_that_of_the_sheet_wait_for_its_script(desk):
    screen, held = desk(TEXT, MARK).into_text(), []
    screen.page.route(re.compile("marking/submission"), lambda each: held.append(each), times=1)  # noqa: PLW0108 - it asks for a function

    screen.press("h", "Control+Enter")
    first(screen, held).continue_()

    expect(screen.page.locator("#submission")).to_have_count(0)
    assert MarkupRecord.objects.get(pk=screen.record.pk).state == MarkupRecord.State.SUBMITTED


@pytest.mark.parametrize("go", ["Escape", "press"])
def test_who_waits_no_more_for_a_card_has_the_keys_again_and_it_takes_none(desk, go):
    screen = activate(desk(TEXT, MARK, OTHER))
    held = holding(screen, "**/fragments/*/*")

    screen.press("e").write("told")
    expect(screen.page.locator("#held")).to_contain_text("told")
    if go == "Escape":
        screen.press("Escape")
    else:
        screen.page.locator("#find").click()
    expect(screen.page.locator("#held")).to_be_empty()
    first(screen, held).continue_()
    screen.page.wait_for_load_state("networkidle")

    assert screen.focused() == ("essay" if go == "Escape" else "find")
    assert screen.marks(*SAID) == [("А.грамм", "множ", "", ""), ("А.орф", "", "", "")]
    if go == "Escape":
        expect(screen.page.locator("#cards form")).to_have_count(0)
        screen.press("Delete").saved(1)
        assert screen.marks("code") == [("А.орф",)]


def test_where_a_card_does_not_come_its_keys_do_nothing_to_the_marks(desk, visitors):
    screen = activate(desk(TEXT, MARK, OTHER))
    number = screen.marks("pk")[0][0]
    screen.record.fragments.filter(pk=number).delete()
    held = holding(screen, f"**/fragments/{number}/*")

    screen.press("e").write("jl.").press("Delete")
    first(screen, held).continue_()
    expect(screen.page.locator("#told")).not_to_be_empty()
    screen.page.wait_for_load_state("networkidle")

    assert screen.marks("code") == [("А.орф",)]
    expect(screen.page.locator("#linking")).to_be_hidden()
    visitors.watch.problems.clear()


def test_keys_pressed_before_the_script_of_borders_has_come_move_them_and_go_on(desk):
    screen, script = moving_borders(desk)

    script.continue_()

    screen.saved(2)

    assert screen.marks("start", "end") == [(5, 12)]


@pytest.mark.parametrize("pressed", [OTHER, MARK], ids=["another", "the same"])
def test_a_press_on_a_mark_while_a_card_is_saved_opens_the_card_of_that_one(desk, pressed):
    screen = activate(desk(TEXT, MARK, OTHER)).press("e")
    screen.page.locator("#card-comment").fill("why so")
    held = holding(screen, "**/fragments/*/*")

    screen.page.locator("#cards").get_by_role("button", name="Done").click()
    screen.click(pressed.span.start + 1)
    for method in ("POST", "GET"):
        request = first(screen, held)
        assert request.request.method == method
        request.continue_()
    screen.page.wait_for_load_state("networkidle")

    expect(screen.page.locator("#cards form h2 b")).to_have_text(pressed.code)
    assert screen.marks("comment") == [("why so",), ("",)]


def test_where_that_script_does_not_come_its_keys_are_none(desk, visitors):
    screen, script = moving_borders(desk)

    script.abort()

    expect(screen.page.locator("#told")).not_to_be_empty()
    expect(screen.page.locator("#cards form")).to_have_count(0)
    assert (len(screen.marks()), screen.version()) == (2, 0)
    visitors.watch.problems.clear()


def test_the_browsers_own_keys_are_not_held(desk):
    screen = activate(desk(TEXT, whole_text("А.логика"), MARK))
    holding(screen, "**/fragments/*/*")
    screen.press("e")

    screen.page.evaluate(
        """() => {
          const keys = [["r", "KeyR", true], ["F5", "F5", false], ["c", "KeyC", true]];
          window.own = keys.map(([key, code, ctrlKey]) => {
            const given = { key, code, ctrlKey, bubbles: true, cancelable: true };
            return document.activeElement.dispatchEvent(new KeyboardEvent("keydown", given));
          });
        }"""
    )

    assert screen.page.evaluate("window.own") == [True, True, True]
