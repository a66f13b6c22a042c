"""What pictures of the pages showed: what is cut off, and colours that are not ours."""

from __future__ import annotations

import pytest

from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory

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


def test_a_lone_way_to_the_next_essay_has_an_arrow_and_round_corners(visit):
    essay_set = EssaySetFactory()
    listed = f"list=desk&set={essay_set.name}&order=number"
    first, _second = (EssayFactory(essay_set=essay_set, number=f"{n}") for n in (1, 2))
    page = visit(PersonFactory(role="coordinator"), f"/essays/{first.pk}/?{listed}")

    way = page.locator("nav.group a")

    assert (way.count(), way.locator(".icon").count()) == (1, 1)
    corners = way.evaluate("each => getComputedStyle(each).borderRadius")
    assert len(set(corners.split())) == 1


def test_the_moments_of_a_history_stay_on_one_line(visit):
    essay = AssignmentFactory().essay
    page = visit(PersonFactory(role="coordinator"), f"/essays/{essay.pk}/")

    heights = page.locator(".history time").evaluate_all(
        "all => all.map(each => each.offsetHeight)"
    )

    assert heights
    assert max(heights) < 30
