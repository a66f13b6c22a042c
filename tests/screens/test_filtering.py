"""After a filter of the desk the keyboard stands where it was."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import expect

from tests.factories import AssignmentFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_focus_stays_on_the_filter_that_was_pressed(visit, scripts):
    essay_set = EssaySetFactory(name=uuid.uuid4().hex)
    AssignmentFactory(essay__essay_set=essay_set)
    page = visit(
        PersonFactory(role="coordinator"),
        f"/desk/?set={essay_set.name}",
        java_script_enabled=scripts,
    )
    number, show = page.locator("#count-unassigned"), page.locator("#show")

    for pressed in (True, False):  # once to filter, once back to all
        number.press("Enter")
        expect(page.locator("#count-unassigned[aria-current]")).to_have_count(int(pressed))
        expect(number).to_be_focused()
    page.locator("#q").fill("0")
    show.press("Enter")
    page.wait_for_url("**q=0**")

    expect(show).to_be_focused()
    assert page.evaluate("scrollY") == 0
