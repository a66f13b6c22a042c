"""An address that names a pair shows both: its words in the texts and its row in the list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.e2e.visitor import session_of
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment

pytestmark = pytest.mark.full

SENTENCE = "Some people think that sport unite people, others does not. "
IN_SIGHT = """
(row) => {
  const words = [...document.querySelectorAll(".pairtext .f.on")].find((each) => each.offsetParent);
  const boxes = [words, document.getElementById(row)].map((each) => each.getBoundingClientRect());
  const isSeen = ({ x, y, height }, at) => {
    const shown = document.elementFromPoint(x + 6, y + Math.min(height, 24) / 2);
    return Boolean(shown?.closest(at ? `#${row}` : ".pairtext .f.on"));
  };
  return boxes.every(isSeen);
}
"""
"""Are the words of a pair and its row in the window, with nothing over them?"""
FRAMED = '() => document.querySelector(".pairtext .f.on")'


@pytest.fixture
def address(site):  # noqa: ARG001 - the rows need the database
    essay = EssayFactory(text=(SENTENCE * 60).strip())
    places = [(at * 60, at * 60 + 4) for at in range(60)]
    left = submitted(essay, *(fragment(*place) for place in places))
    right = submitted(essay, *(fragment(*place, "А.лекс") for place in places))
    return f"/compare/{left.pk}/{right.pk}/"


@pytest.mark.parametrize("number", [2, 30, 59])
@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
def test_words_and_row_of_a_shared_address_are_in_sight(visit, address, options, number):
    judge = PersonFactory(role=User.Role.JUDGE)
    screen = Pair(visit(judge, f"{address}#row-{number}", **options))
    screen.page.wait_for_load_state("networkidle")

    screen.page.wait_for_function(IN_SIGHT, arg=f"row-{number}")
    screen.page.evaluate("new Promise((done) => setTimeout(done, 400))")

    assert screen.page.evaluate(IN_SIGHT, f"row-{number}")


@pytest.mark.usefixtures("site")
def test_swapped_sides_keep_the_pair_where_its_row_has_another_number(visit):
    essay = EssayFactory(text=SENTENCE.strip())
    left = submitted(essay, fragment(5, 11, "А.лекс"), fragment(5, 11, "А.грамм"))
    right = submitted(essay, fragment(5, 11, "А.грамм"))
    judge = PersonFactory(role=User.Role.JUDGE)
    screen = Pair(visit(judge, f"/compare/{left.pk}/{right.pk}/"))
    chosen = screen.page.locator("#difflist > .on")

    screen.press("n")
    expect(chosen).to_have_class(re.compile("st-only_left"))
    assert screen.chosen() == ("1", "#row-1")
    screen.press("s").page.wait_for_url(f"**/compare/{right.pk}/{left.pk}/**")

    expect(chosen).to_have_class(re.compile("st-only_right"))
    assert screen.chosen() == ("2", "#row-2")


def test_fonts_that_come_late_push_the_words_of_a_shared_address_out_of_sight_for_a_moment_only(
    visitors, site, address
):
    page = visitors.page("en", **PHONE)
    page.context.add_cookies([session_of(PersonFactory(role=User.Role.JUDGE), site.url)])
    held = []
    page.context.route("**/*.woff2", lambda route: held.append(route))  # noqa: PLW0108 - it asks for a function
    page.goto(f"{address}#row-59", wait_until="commit")
    page.wait_for_function(FRAMED)

    for route in held:
        route.continue_()
    page.context.unroute("**/*.woff2")

    page.wait_for_load_state("networkidle")
    page.wait_for_function(IN_SIGHT, arg="row-59")


def test_an_address_that_comes_to_name_another_pair_leads_there(visit, address):
    judge = PersonFactory(role=User.Role.JUDGE)
    screen = Pair(visit(judge, f"{address}#row-2"))

    screen.page.evaluate("location.hash = 'row-50'")

    screen.page.wait_for_function(IN_SIGHT, arg="row-50")
