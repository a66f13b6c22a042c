"""What is asked beside the text has its buttons in sight, in a low window and at the third desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import Assignment
from tests.annotator.drafts import draft_of
from tests.review.thirds import thirds
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import comment, notice, open_card, state

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]

LOW = {"width": 1366, "height": 768}
COVERED = """
(buttons) => buttons.filter((button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return !button.contains(found);
}).map((button) => button.textContent.trim())
"""
"""The buttons that a pointer does not reach where they stand."""


def covered(screen):
    buttons = notice(screen).locator(".acts > *")
    expect(buttons.first).to_be_attached()
    return buttons.evaluate_all(COVERED)


@pytest.fixture(params=["a first check", "a third check"])
def record(request, site):  # noqa: ARG001 - the rows need the database
    if request.param == "a third check":
        return thirds().record
    return draft_of(TEXT)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_buttons_about_a_check_that_was_withdrawn_are_in_sight(desk, record, language):
    screen = desk(record=record, viewport=LOW, language=language).into_text()
    Assignment.objects.filter(pk=record.assignment_id).update(state="withdrawn")
    for _word in range(4):
        screen.press("Control+ArrowRight", "Control+Shift+ArrowRight").letters("jha").press("Enter")
    state(screen, "closed")
    expect(notice(screen).locator("li")).to_have_count(4)

    assert covered(screen) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_buttons_about_the_same_changed_elsewhere_are_in_sight(desk, record, language):
    mark = ("Control+Home", "Control+Shift+ArrowRight", *"jha", "Enter")
    screen = desk(record=record, viewport=LOW, language=language).into_text()
    screen.press(*mark)
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "1")
    open_card(screen)
    made = record.fragments.last()
    other = desk(record=record)
    other.page.locator(f"#marks > [data-mark='{made.pk}'] button").click()
    comment(other).fill("theirs")
    other.press("Tab").saved(2)

    for words in ("mine", "mine, and more"):
        screen.page.locator("#cards #card-comment").fill(words)
        screen.press("Tab")
    state(screen, "conflict")
    screen.page.click("#points-why > summary")

    assert covered(screen) == []
