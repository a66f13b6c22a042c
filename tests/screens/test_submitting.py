"""A submission that is refused leads to what has to be done before."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.core.values import Fragment, Span
from tests.screens.test_small_windows import PHONE, TEXT
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
def test_a_refused_submission_leads_to_the_first_problem_before_you_submit(desk, options):
    screen = desk(TEXT, fragment(0, 4), Fragment(Span(28, 33), "ИСП"), **options)
    assert screen.page.locator("#checklist li").count() == 1

    screen.page.locator("#submit button").click()
    expect(screen.page.locator(".messages")).to_contain_text(
        "keeps the markup from being submitted"
    )
    screen.ready()
    problem = screen.page.locator("#checklist .blocks button").first

    expect(problem).to_be_focused()
    expect(problem).to_be_in_viewport()
    screen.page.keyboard.press("Enter")
    expect(screen.page.locator("#cards h2 b")).to_have_text("ИСП")
