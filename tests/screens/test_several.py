"""One markup beside several others in Chromium."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.strategies import fragment

pytestmark = pytest.mark.full

TEXT = "Some people, who think that sport unite people, does not agree.\n\n" + "So it goes. " * 60


@pytest.fixture
def records(site):  # noqa: ARG001 - its database
    essay = EssayFactory(text=TEXT.strip())
    algorithm = submitted(essay, fragment(5, 11, "А.грамм"), source="algorithm")
    experts = [submitted(essay, fragment(5, 11, code)) for code in ("А.грамм", "А.лекс")]
    return algorithm, *experts


@pytest.fixture
def several(visit, records):
    judge = PersonFactory(role=User.Role.JUDGE)

    def opened(width):
        address = f"/markups/{records[0].pk}/comparison/"
        page = visit(judge, address, viewport={"width": width, "height": 900})
        return Pair(page, ready=".lanes")

    return opened


def test_three_markups_keep_their_lines_and_light_up_together(several):
    screen = several(1440)

    places = [[place[1] for place in screen.places(str(side))] for side in range(3)]

    assert places[0] == places[1] == places[2]
    screen.words("0", "people").hover()
    assert [screen.framed(str(side)) for side in range(3)] == ["people"] * 3


def test_an_address_lights_its_row(several):
    screen = several(1440)

    screen.page.goto(f"{screen.page.url}#row-1")
    screen.page.reload()

    assert [screen.framed(str(side)) for side in range(3)] == ["people"] * 3


def test_texts_under_each_other_have_their_authors_names(several, records):
    screen = several(320)

    heads = screen.page.locator(".lanes .essay").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each, '::before').content)"
    )

    assert heads == [f'"{each.author}"' for each in records]
    assert screen.overflow() == 0
