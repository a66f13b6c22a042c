"""What pictures of the pages showed: what is cut off, and colours that are not ours."""

from __future__ import annotations

import pytest

from tests.factories import AssignmentFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full

PHONE = {"viewport": {"width": 375, "height": 812}}


def test_on_a_phone_an_expert_finds_every_section_under_one_word(visit):
    page = visit(PersonFactory(), "/queue/", language="ru", **PHONE)

    shown = page.locator("header nav:visible")

    assert shown.count() == 1
    assert shown.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_radio_buttons_have_the_accent_and_not_the_browsers_blue(visit):
    page = visit(PersonFactory(role="coordinator"), f"/deadlines/sets/{EssaySetFactory().pk}/")

    colour = page.locator("input[type=radio]").first.evaluate(
        "each => getComputedStyle(each).accentColor"
    )

    assert colour == "rgb(86, 51, 163)"


def test_on_a_phone_the_box_of_a_check_stands_beside_its_number(visit):
    AssignmentFactory()
    page = visit(PersonFactory(role="coordinator"), "/deadlines/", **PHONE)

    box, name = (
        page.locator(f"tbody {each}").first.bounding_box() for each in (".a-no", ".a-name")
    )

    assert (box["x"] < name["x"], abs(box["y"] - name["y"]) < 12) == (True, True)
