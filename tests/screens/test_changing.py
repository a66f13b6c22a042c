"""Changing marks: stacks, links, deleting and bringing back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.desk import slow
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

TEXT = "Some people, who think that sport unite people, does not agree."


def place(screen, *fields):
    (row,) = screen.marks("start", "end", *fields)
    return row


def activate(screen, number=0):
    """Make a mark of the list active, as J does from the beginning of the text."""
    screen.into_text().press("Control+Home", *["j"] * (number + 1))
    return screen


# ── stacks ──────────────────────────────────────────────────────────────────

FIVE = (
    fragment(0, 46, "ПРОБЛЕМА"),
    fragment(5, 40, "А.логика"),
    fragment(13, 33, "А.лекс"),
    fragment(17, 22, "А.грамм"),
    fragment(17, 22, "А.орф"),
)


def codes_at(screen):
    return screen.page.locator("#cards h2 b").inner_text()


@pytest.mark.parametrize("steps", range(1, 6))
def test_every_one_of_five_stacked_marks_is_reached_in_five_keys(desk, steps):
    screen = desk(TEXT, *FIVE).into_text().press(*["Control+ArrowRight"] * 5, "ArrowLeft")
    assert 17 < screen.selection()[1] < 22
    screen.counted()

    screen.press(*["["] * steps)

    assert screen.counted() <= 5
    expect(screen.page.locator("#marks .on b")).to_have_text(order(steps - 1))
    screen.press("Enter")
    expect(screen.page.locator("#cards h2 b")).to_have_text(order(steps - 1))


def test_a_click_again_goes_through_the_stack_outwards(desk):
    screen = desk(TEXT, *FIVE)

    seen = []
    for count in range(6):
        screen.click(19)
        expect(screen.page.locator("#cards h2 b")).to_have_text(order(count))
        seen.append(codes_at(screen))

    assert seen == ["А.орф", "А.грамм", "А.лекс", "А.логика", "ПРОБЛЕМА", "А.орф"]


def order(count):
    return [each.code for each in reversed(FIVE)][count % 5]


def test_the_cards_of_all_marks_at_the_place_are_there(desk):
    screen = desk(TEXT, *FIVE, fragment(50, 54))

    screen.click(19)

    expect(screen.page.locator("#cards h2 b")).to_have_text("А.орф")
    others = screen.page.locator("#cards > .other b")
    expect(others).to_have_text(["А.грамм", "А.лекс", "А.логика", "ПРОБЛЕМА"])
    others.nth(1).click()
    expect(screen.page.locator("#cards h2 b")).to_have_text("А.лекс")


def test_another_click_elsewhere_in_the_stack_shows_what_lies_there(desk):
    screen = desk(TEXT, *FIVE)

    screen.click(2)
    expect(screen.page.locator("#cards h2 b")).to_have_text("ПРОБЛЕМА")
    expect(screen.page.locator("#cards > .other")).to_have_count(0)
    screen.click(58)

    expect(screen.page.locator("#cards h2")).to_have_count(0)


# ── links and tags ──────────────────────────────────────────────────────────


def test_linked_marks_light_up_together(desk):
    screen = desk(TEXT, fragment(5, 11, tag="т1"), fragment(28, 33), fragment(40, 46, tag="Т1"))

    activate(screen)

    expect(screen.page.locator("#essay .linked")).to_have_text(["people", "people"])
    expect(screen.page.locator("#marks .linked .tg")).to_have_text(["т1", "Т1"])


def test_two_marks_are_linked_with_keys_and_get_one_tag(desk):
    screen = activate(desk(TEXT, fragment(5, 11, subcode="множ"), fragment(40, 46, subcode="множ")))

    screen.press("l")
    expect(screen.page.locator("#linking")).to_be_visible()
    screen.page.locator("#marks button").nth(1).press("Enter")
    screen.saved(1)

    assert screen.marks("tag") == [("множ1",), ("множ1",)]
    expect(screen.page.locator("#essay .linked")).to_have_text(["people", "people"])


def test_a_tag_is_a_footnote_that_takes_no_room_and_is_no_text(desk):
    screen = desk(TEXT, fragment(5, 11, tag="множ1"))

    piece = screen.page.locator("#essay [data-tag]")
    expect(piece).to_have_attribute("data-tag", "множ1")
    drawn = piece.evaluate(
        """(piece) => {
          const { content, position, pointerEvents } = getComputedStyle(piece, "::after");
          return [content, position, pointerEvents];
        }"""
    )
    assert drawn == ['"множ1"', "absolute", "none"]
    assert piece.inner_text() == "people"
    assert screen.page.evaluate("document.getElementById('essay').textContent") == TEXT


def test_a_tag_is_proposed_and_taken_by_one_key(desk):
    screen = activate(desk(TEXT, fragment(5, 11, subcode="множ")))

    screen.press("e")
    screen.page.get_by_role("button", name="множ1", exact=True).press("Enter")
    screen.saved(1)

    assert screen.marks("tag") == [("множ1",)]


# ── deleting ────────────────────────────────────────────────────────────────


def test_what_was_deleted_comes_back_whole(desk):
    given = fragment(
        28, 33, "А.грамм", subcode="множ", tag="т1", comment="c", explanation="e", correction="k"
    )
    screen = activate(desk(TEXT, given))
    fields = ("code", "subcode", "tag", "comment", "explanation", "correction")
    before = place(screen, *fields)

    screen.press("Delete").saved(1)
    assert screen.marks() == []
    screen.page.locator("#toast button").press("Enter")
    screen.saved(2)

    assert place(screen, *fields) == before
    expect(screen.page.locator("#toast")).to_be_empty()
    assert screen.focused() == "essay"


def test_what_was_undone_is_said_for_a_while(desk):
    screen = desk(TEXT, fragment(28, 33))
    screen.page.clock.install()
    activate(screen).press("Delete").saved(1)

    screen.press("Control+z").saved(2)
    expect(screen.page.locator("#toast")).to_contain_text("Undone")
    screen.page.clock.run_for(7_000)

    expect(screen.page.locator("#toast")).to_be_empty()


def test_a_mistake_of_the_whole_text_comes_back_too(desk):
    screen = desk(TEXT, whole_text("А.логика", comment="c"))

    screen.page.locator("#whole [data-do=drop]").press("Enter")
    screen.saved(1)
    screen.page.locator("#toast button").click()
    screen.saved(2)

    assert screen.marks("start", "end", "code", "comment") == [(None, None, "А.логика", "c")]


@pytest.mark.parametrize(
    "way",
    [
        ["e"],
        ["e", "Tab", "Tab"],
        ["/", "a"],
        ["f"],
        ["g"],
        ["?"],
        ["j", "b", "ArrowRight"],
        ["j", "l"],
    ],
    ids=" ".join,
)
def test_escape_goes_back_to_where_the_caret_was(desk, way):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    screen.press(*["Control+ArrowRight"] * 2, "ArrowLeft", "ArrowLeft")
    assert screen.selection() == [9, 9]

    screen.press(*way)
    screen.page.wait_for_timeout(250)
    expect(screen.page.locator(".htmx-request")).to_have_count(0)  # what was asked for has come
    screen.press("Escape")

    expect(screen.page.locator("#essay")).to_be_focused()
    assert (screen.selection(), place(screen)) == ([9, 9], (5, 11))


def test_quick_hands_lose_no_change_while_a_card_is_on_its_way(desk):
    screen = desk(TEXT, *FIVE).into_text()
    wait = slow(screen.page, 1500)  # longer than these hands need

    screen.press("j", "e", "Escape", "j", "j", "j", "Delete", "j", "Delete")
    screen.into_text().press("Control+Home")
    for _ in range(3):
        screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    wait(0)
    screen.saved(5)

    left = [code for _start, _end, code, _subcode in screen.marks()]
    assert len(left) == 5 + 3 - 2
    assert left[-3:] == ["А.грамм"] * 3


# ── what the page shows ─────────────────────────────────────────────────────

SHOWN = """
() => ["essay", "marks", "whole", "points", "checklist"].map((id) => {
  const part = document.getElementById(id).cloneNode(true);
  for (const each of part.querySelectorAll("*")) {
    for (const name of ["style", "tabindex", "open"]) each.removeAttribute(name);
    each.classList.remove("on", "on-s", "on-e", "linked", "hover", "tick", "htmx-added");
    if (!each.className) each.removeAttribute("class");
  }
  return part.innerHTML.trim();
})
"""


def test_after_many_changes_the_page_is_the_one_a_new_visit_shows(desk):
    text = "Some people\nthink that sport\n\nunite people, does not agree."
    screen = desk(text, fragment(5, 11, "А.лекс"), whole_text("А.аспект")).into_text()

    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter").saved(1)
    screen.press("Control+End", "Control+Shift+ArrowLeft", ".").saved(2)
    screen.press("Control+Shift+Home", ".").saved(3)
    activate(screen, 1).press("b", "Control+ArrowRight", "Enter").saved(4)
    activate(screen, 2).press("l", "j", "Enter").saved(5)
    activate(screen, 0).press("Delete").saved(6)
    screen.press("Escape", "Escape")

    now = screen.page.evaluate(SHOWN)
    screen.page.reload()
    screen.ready()
    assert screen.page.evaluate(SHOWN) == now


@pytest.mark.parametrize("number", [3, 12])
def test_mistakes_of_the_whole_text_move_no_word_however_many_they_are(desk, number):
    screen = desk(TEXT, fragment(0, 4))
    before = screen.rects((0, len(TEXT)))

    for version in range(1, number + 1):
        screen.page.locator("#whole-add").click()
        screen.letters("fcgt").press("Enter").saved(version)

    assert screen.rects((0, len(TEXT))) == before


# ── mistakes of the whole text ──────────────────────────────────────────────


def test_the_card_of_a_mistake_of_the_whole_text_speaks_of_no_place(desk):
    screen = desk(TEXT, whole_text(), fragment(5, 11))
    cards = screen.page.locator("#cards")

    screen.page.locator("#whole [data-do=open]").click()
    expect(cards.locator("header span")).to_have_text("Whole text")
    assert cards.get_by_role("button", name="Move borders").count() == 0
    assert cards.locator("[data-value^=Bracket]").count() == 0
    screen.click(7)
    expect(cards.locator("header span")).to_have_text("1 fragment here")

    assert cards.get_by_role("button", name="Move borders").count() == 1
    assert cards.locator("[data-value^=Bracket]").count() == 2


def test_the_card_of_the_first_mark_closes_once_it_is_done(ready):
    screen = ready(TEXT)
    screen.press("Control+Home", "Control+Shift+ArrowRight").letters("uh").press("Enter")
    screen.saved(1).page.locator("#card-comment").fill("why so")

    screen.press("Control+Enter").saved(2)

    expect(screen.page.locator("#cards form")).to_have_count(0)
