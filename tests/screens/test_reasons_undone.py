"""A reason is undone and made again like any other step, at once and without a network."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from review.queries.settling import neither_of, reasons_of
from tests.review.thirds import LEFT, RIGHT
from tests.screens.test_settling import pairs, third

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]
__all__ = ["third"]  # a fixture

UNDO, REDO = "Control+z", "Control+Shift+z"
SHOWN = """
() => {
  const pair = document.querySelector("#pairs > .pair");
  const pressed = [...pair.querySelectorAll("[aria-pressed=true]")];
  const side = pressed.map((each) => each.dataset.side ?? "neither").join();
  return [side, pair.querySelector("[data-reason]").value];
}
"""
"""What is pressed of the pair, and the reason in its field."""


@pytest.fixture
def opened(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    return opened.into_text().press("n")


def reason(opened, words):
    """By the key that leads to the field."""
    opened.press("r")
    pairs(opened).locator("[data-reason]").fill(words)
    return opened.press("Enter")


def seen(opened, *keys):
    """What is shown after each of these keys."""
    return [opened.press(key).page.evaluate(SHOWN) for key in keys]


STATES = [["", ""], ["neither", ""], ["neither", "unclear"], ["neither", "wrong"]]


@pytest.mark.parametrize("reload", [False, True])
def test_reasons_of_before_are_undone_and_made_again_at_once(opened, reload):
    opened.press("0").saved(1)
    reason(opened, "unclear").saved(2)
    reason(opened, "wrong").saved(3)
    if reload:
        opened.page.reload()
        opened.ready().page.wait_for_load_state("networkidle")
        opened.into_text()
    opened.page.context.set_offline(True)

    assert seen(opened, UNDO, UNDO, UNDO) == STATES[2::-1]
    assert seen(opened, REDO, REDO, REDO) == STATES[1:]
    assert seen(opened, UNDO, UNDO, UNDO) == STATES[2::-1]
    opened.page.context.set_offline(False)

    opened.saved(12)
    assert opened.page.evaluate(SHOWN) == STATES[0]
    assert (reasons_of(opened.record), neither_of(opened.record)) == ({}, [])


def test_reasons_that_wait_are_undone_and_made_again_at_once(opened):
    opened.page.context.set_offline(True)
    opened.press("0")
    reason(opened, "unclear")
    reason(opened, "wrong")

    assert seen(opened, UNDO, UNDO, UNDO) == STATES[2::-1]
    assert seen(opened, REDO, REDO) == STATES[1:3]
    opened.page.context.set_offline(False)

    opened.saved(8)
    assert opened.page.evaluate(SHOWN) == STATES[2]
    assert set(reasons_of(opened.record).values()) == {"unclear"}


def test_it_is_said_that_a_reason_is_undone_and_none_stays_on_an_undecided_pair(opened):
    toast = opened.page.locator("#toast")
    opened.press("1").saved(1)
    reason(opened, "unclear").saved(2)

    opened.press(UNDO).saved(3)
    expect(toast).to_contain_text("Undone: reason given: “think”")
    opened.press(UNDO).saved(4)

    expect(toast).to_contain_text("Undone: taken: А.лекс “think”")
    assert opened.page.evaluate(SHOWN) == STATES[0]
    assert reasons_of(opened.record) == {}
    opened.press(UNDO)
    expect(toast).to_contain_text("There is nothing to undo.")


def test_a_reason_written_as_it_stands_is_no_step(opened):
    reason(opened, "unclear").saved(1)
    field = pairs(opened).locator("[data-reason]")

    field.fill("  unclear ")
    field.press("Enter")

    expect(field).to_have_value("unclear")
    opened.press("0").saved(2)
