"""What a third expert undoes and makes again without a network shows at once, in pairs and text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.review.thirds import LEFT, RIGHT
from tests.screens.test_kept import items
from tests.screens.test_settling import rulings, taken, third

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]
__all__ = ["third"]  # a fixture

UNDO, REDO = "Control+z", "Control+Shift+z"
SHOWN = """
() => {
  const pair = document.querySelector("#pairs > .pair");
  const pressed = [...pair.querySelectorAll("[aria-pressed=true]")];
  const rows = [...document.querySelectorAll("#marks > [data-mark]:not([hidden]) b")];
  return [
    pressed.map((each) => each.dataset.side ?? "neither").join(),
    document.getElementById("undecided").textContent,
    rows.map((each) => each.textContent).join(),
    ["first", "second"].map((side) => CSS.highlights.get(`ghost-${side}`)?.size ?? 0).join(),
  ];
}
"""
"""What is pressed of a pair, how many are undecided, the codes beside the text, the ghosts."""

OPEN = ["", "1", "", "1,1"]
FIRST, SECOND = ["first", "0", "А.лекс", "0,0"], ["second", "0", "А.орф", "0,0"]
NEITHER = ["neither", "0", "", "0,0"]


def shown(opened):
    return opened.page.evaluate(SHOWN)


def seen(opened, *keys):
    """What is shown after each of these keys."""
    return [shown(opened.press(key)) for key in keys]


@pytest.fixture
def decided(third):
    """A pair whose first side was taken, then neither, then the second one."""
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.into_text().press("n", "1").saved(1)
    opened.press("0").saved(2)
    opened.press("2").saved(3)
    return opened, made


@pytest.mark.parametrize("reload", [False, True])
def test_every_decision_of_before_is_undone_and_made_again_at_once(decided, reload):
    opened, made = decided
    if reload:
        opened.page.reload()
        opened.ready().page.wait_for_load_state("networkidle")
        opened.into_text()
    assert shown(opened) == SECOND
    opened.page.context.set_offline(True)

    assert seen(opened, UNDO, UNDO, UNDO) == [NEITHER, FIRST, OPEN]
    assert seen(opened, REDO, REDO, REDO) == [FIRST, NEITHER, SECOND]
    assert seen(opened, UNDO) == [NEITHER]
    opened.page.context.set_offline(False)

    opened.saved(10)
    assert shown(opened) == NEITHER
    assert (taken(opened), rulings(made)) == ([], {*made.rows("first"), *made.rows("second")})


def test_decisions_that_wait_are_undone_and_made_again_at_once(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.into_text().press("n")
    opened.page.context.set_offline(True)

    assert seen(opened, "0", "1", "2") == [NEITHER, FIRST, SECOND]
    assert seen(opened, UNDO, UNDO, UNDO) == [FIRST, NEITHER, OPEN]
    assert seen(opened, REDO, REDO) == [NEITHER, FIRST]
    opened.page.context.set_offline(False)

    opened.saved(8)
    assert shown(opened) == FIRST
    assert [row[3] for row in taken(opened)] == made.rows("first")


def test_what_was_taken_instead_of_neither_and_is_deleted_leaves_the_pair_undecided(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.into_text().press("n")
    opened.page.context.set_offline(True)

    assert seen(opened, "0", "1", "Delete") == [NEITHER, FIRST, OPEN]
    opened.page.context.set_offline(False)

    opened.saved(3)
    assert shown(opened) == OPEN


def test_neither_of_what_waits_is_one_change_that_is_undone_and_made_again_as_one(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.page.context.set_offline(True)

    opened.into_text().press("n", "1", "0")

    expect(items(opened)).to_have_text(["Taken: think", "Neither: think"])
    assert shown(opened) == NEITHER
    assert seen(opened, UNDO, REDO, UNDO, UNDO) == [FIRST, NEITHER, FIRST, OPEN]
    assert seen(opened, REDO, REDO) == [FIRST, NEITHER]
    opened.page.context.set_offline(False)
    opened.saved(8)
    assert shown(opened) == NEITHER


def test_a_mark_laid_back_is_the_one_keys_are_about(decided):
    opened, made = decided
    opened.press("0").saved(4)
    opened.page.context.set_offline(True)

    opened.press(UNDO, "p")
    expect(opened.page.locator("#marks > .on b")).to_have_text("А.орф")
    assert seen(opened, "Delete") == [OPEN]
    opened.page.context.set_offline(False)

    opened.saved(6)
    assert (taken(opened), rulings(made)) == ([], set())


def test_what_is_taken_a_second_time_is_painted_as_it_will_be_until_it_is_deleted_again(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.into_text().press("n", "1").saved(1)
    opened.press("Delete").saved(2)
    opened.page.context.set_offline(True)

    assert seen(opened, "1", "Delete") == [FIRST, OPEN]
    opened.page.context.set_offline(False)

    opened.saved(4)
    assert shown(opened) == OPEN


WORDS = ("code", "subcode", "correction", "comment", "explanation")


def test_the_card_of_a_copy_just_taken_stands_in_with_all_its_words_and_takes_more(third):
    said = ("А.лекс", "сочет", "believe", "as it was", "why it was")
    left = replace(LEFT, **dict(zip(WORDS, said, strict=True)))
    opened, _made = third(first=(left,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.page.context.set_offline(True)

    opened.into_text().press("n", "1")
    expect(opened.page.locator("#marks > [data-pending] .fix")).to_have_text("believe")
    opened.press("e")
    card = opened.page.locator("#cards form[data-stand-in]")
    expect(card).to_be_visible()
    assert tuple(card.locator(f"[name={name}]").input_value() for name in WORDS) == said
    card.locator("[name=explanation]").fill("and more")
    card.locator("[name=comment]").focus()
    opened.page.context.set_offline(False)

    expect(card).to_have_count(0)
    expect(opened.page.locator("#cards form")).to_be_visible()
    opened.saved(2)
    assert opened.focused() == "card-comment"
    assert opened.marks(*WORDS) == [(*said[:-1], "and more")]
