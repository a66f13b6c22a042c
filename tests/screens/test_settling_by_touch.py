"""The third expert's desk by touch and in small windows, and its sheet before the submission."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.review.thirds import thirds
from tests.screens.test_small_windows import PHONE

pytestmark = pytest.mark.full


def third_desk(visit, **options):
    made = thirds()
    page = visit(made.record.author, f"/markups/{made.record.pk}/", **options)
    page.wait_for_selector("#desk[data-ready]")
    return page


def test_the_desk_can_be_used_in_a_small_window(visit):
    page = third_desk(visit, viewport={"width": 320, "height": 640}, has_touch=True)

    page.locator("#pairs .take.first").first.tap()

    expect(page.locator("#undecided")).to_have_text("3")
    wide = page.evaluate(
        """() => [...document.querySelectorAll("#settling, #settling *")]
          .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length"""
    )
    assert wide == 0


def test_either_side_and_neither_are_one_tap_away_from_a_finger(visit):
    page = third_desk(visit, **PHONE)
    open_pairs = page.locator("#pairs > .pair:not(.decided)")

    for left, choice in [("3", ".take.first"), ("2", ".neither"), ("1", ".take.second")]:
        open_pairs.filter(has=page.locator(choice)).first.locator(choice).tap()
        expect(page.locator("#undecided")).to_have_text(left)
    page.locator(".status [data-do=undo]").tap()

    expect(page.locator("#undecided")).to_have_text("2")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
def test_the_sheet_has_the_points_with_their_rules_above_the_pairs(visit, options):
    page = third_desk(visit, **options)

    page.locator("#to-submit").click()
    expect(page.locator(".submission")).to_be_visible()
    expect(page.locator(".points .pop")).to_be_visible()
    sheet, points, pairs = (
        page.locator(place).bounding_box() for place in (".submission", ".points", "#settling")
    )

    assert sheet["y"] + sheet["height"] <= points["y"]
    assert points["y"] + points["height"] <= pairs["y"]
    assert points["y"] + points["height"] <= page.viewport_size["height"]
