"""What has to be in sight of a comparison."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.strategies import fragment

pytestmark = pytest.mark.full

WORDS = "it is as we do so"
TEXT = "\n\n".join([WORDS] * 10)
LINE = len(WORDS) + 2
PLACES = [(0, 2), (3, 5), (6, 8), (9, 11), (12, 14), (15, 17), (0, 5), (3, 8), (6, 11), (9, 14)]


def marks(*per_line):
    """So many marks on each line."""
    return [
        fragment(at * LINE + start, at * LINE + end, "А.грамм")
        for at, many in enumerate(per_line)
        for start, end in PLACES[:many]
    ]


@pytest.fixture
def opened(site, visit):  # noqa: ARG001 - its database
    def opened(left, right=(), **window):
        essay = EssayFactory(text=TEXT)
        one, other = (submitted(essay, *fragments) for fragments in (left, right))
        judge = PersonFactory(role=User.Role.JUDGE)
        return Pair(visit(judge, f"/compare/{one.pk}/{other.pk}/", viewport=window))

    return opened


@pytest.mark.parametrize("kind", ["borders", "only_right"])
def test_a_phone_has_the_chosen_filter_in_sight(opened, kind):
    left, right = marks(4), [*marks(2), fragment(LINE, LINE + 5, "А.лекс")]
    left.append(fragment(LINE * 2, LINE * 2 + 2, "А.лекс"))
    right.append(fragment(LINE * 2, LINE * 2 + 5, "А.лекс"))
    screen = opened(left, right, width=375, height=740)
    page = screen.page

    def in_sight():
        box = page.locator(f"#kind-{chosen}").bounding_box()
        return box["x"] >= 0 and box["x"] + box["width"] <= 375

    chosen = kind
    page.locator(f"#kind-{chosen}").click()
    expect(page.locator(f"#kind-{chosen}")).to_have_attribute("aria-current", "true")
    page.wait_for_load_state("networkidle")
    assert in_sight()
    page.reload()
    Pair(page)
    assert in_sight()
    page.locator("#swap").click()
    chosen = {"only_right": "only_left"}.get(kind, kind)
    expect(page.locator(f"#kind-{chosen}")).to_have_attribute("aria-current", "true")
    Pair(page)
    assert in_sight()
