"""Ticking rows: the page at once, a range by Shift, and how many are ticked is told."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import expect

from tests.factories import AssignmentFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full

LISTS = ["/desk/?set={set}", "/deadlines/?set={set}", "/people/?q={set}"]


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.mark.parametrize("address", LISTS)
def test_rows_are_ticked_one_by_one_in_ranges_and_all_at_once(visit, coordinator, address):
    essay_set = EssaySetFactory(name=uuid.uuid4().hex)
    for number in range(4):
        person = PersonFactory(full_name=f"{essay_set.name} {number}")
        AssignmentFactory(essay__essay_set=essay_set, expert=person)
    page = visit(coordinator, address.format(set=essay_set.name))
    boxes, all_of_them = page.locator("[data-tick]"), page.locator("[data-tick-all]")
    told = page.locator("[data-ticked]")
    assert boxes.count() == 4

    boxes.nth(0).click()
    expect(told).to_have_text("ticked: 1")
    boxes.nth(2).click(modifiers=["Shift"])
    expect(told).to_have_text("ticked: 3")
    all_of_them.press("Space")
    expect(told).to_have_text("ticked: 4")
    boxes.nth(1).press("Space")
    expect(told).to_have_text("ticked: 3")
    all_of_them.press("Space")
    all_of_them.press("Space")

    expect(told).to_have_text("")


@pytest.mark.parametrize("width", [1440, 375])
def test_the_navigation_opens_by_keys_and_closes_by_escape(visit, coordinator, width):
    page = visit(coordinator, "/sets/", viewport={"width": width, "height": 800})
    drop = page.locator("nav:visible details").nth(0 if width == 375 else 1)
    if width == 375:
        assert page.locator("header nav:visible details").count() == 1

    drop.locator("summary").press("Enter")
    expect(drop.get_by_role("link", name="Sets")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")

    expect(drop.get_by_role("link", name="Sets")).to_be_hidden()
    expect(drop.locator("summary")).to_be_focused()
    if width == 1440:
        expect(page.locator("nav.grouped [aria-current=true]")).to_have_text("Essays")
