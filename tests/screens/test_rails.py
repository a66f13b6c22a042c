"""The rails along semantic blocks, beside either text of a comparison."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.screens.test_comparison import LEFT, RIGHT, TEXT, WIDTHS
from tests.strategies import fragment

pytestmark = pytest.mark.full

BESIDE = """(all) => all.map((rail) => {
  const side = rail.classList.contains("left") ? "left" : "right";
  const text = document.createRange();
  text.selectNodeContents(document.getElementById(side));
  const [one, other] = [rail.getBoundingClientRect(), text.getBoundingClientRect()];
  return side === "left" ? other.left - one.right : one.left - other.right;
})"""
"""How many pixels each rail stands off the words of its side."""


@pytest.fixture
def rails(site, visit):  # noqa: ARG001 - its database
    """The rails between two markups of these fragments, in a window this wide."""

    def opened(left, right, width):
        essay = EssayFactory(text=TEXT)
        pair = [submitted(essay, *fragments) for fragments in (left, right)]
        address = f"/compare/{pair[0].pk}/{pair[1].pk}/"
        screen = Pair(
            visit(
                PersonFactory(role=User.Role.JUDGE),
                address,
                viewport={"width": width, "height": 900},
            )
        )
        return screen.page.locator(".brail")

    return opened


def test_rails_run_along_the_blocks_of_either_side(rails):
    found = rails(LEFT, RIGHT, 1440)

    assert sorted(found.evaluate_all("(all) => all.map((each) => each.className)")) == [
        "brail left borders",
        "brail left same",
        "brail right borders",
        "brail right same",
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_rails_of_nested_blocks_stand_beside_the_words(rails, width):
    nested = [fragment(0, end, "ПРОБЛЕМА") for end in (240, 180, 120, 63)]

    beside = rails(nested, nested, width).evaluate_all(BESIDE)

    assert len(beside) >= 4
    assert min(beside) > 0
