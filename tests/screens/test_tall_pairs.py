"""The pair one is at has its head and its buttons in sight, however tall it is."""

from __future__ import annotations

import pytest

from tests.review.thirds import thirds
from tests.screens.test_beside_pairs import TEXT, WORDS
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment

pytestmark = pytest.mark.full

SAID = "One thinks of people here, not of sport, and so the verb follows the plural noun. " * 3
TALL = 21  # the word with much to say of it, that of the fourth pair
SIDES = ("А.лекс", "А.грамм")
IN_SIGHT = """
([part, share]) => {
  const each = document.querySelector(`.pair.here ${part}`);
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const seen = (y) => each.contains(document.elementFromPoint((left + right) / 2, y));
  let count = 0;
  for (let y = top + 2; y <= bottom - 2; y += 1) count += seen(y);
  return count >= share * (bottom - top - 4);
}
"""
"""Is a share of a part of the pair one is at in sight, and nothing over it?"""
HEAD, SIDE, ENDS = ".pair-words", [".take.first", ".take.second"], [".neither", "input"]


@pytest.fixture
def third(desk):
    """A third check of fifteen pairs, one of which has much to say: ``third(**options)``."""

    def opened(size=(1440, 900), **options):
        sides = [
            tuple(
                fragment(*WORDS[at], code, explanation=SAID if at == TALL else "")
                for at in range(3, 93, 6)
            )
            for code in SIDES
        ]
        record = thirds(*sides, text=TEXT).record
        return desk(record=record, **({"viewport": window(size)} | options))

    return opened


def window(size):
    return dict(zip(("width", "height"), size, strict=True))


def settled(page):
    page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")


def hidden(page, *, sides=1.0):
    """The parts of the pair one is at that are out of sight; of its sides such a share counts."""
    settled(page)
    wanted = [(each, 1) for each in (HEAD, *ENDS)] + [(each, sides) for each in SIDE]
    return [part for part, share in wanted if not page.evaluate(IN_SIGHT, [part, share])]


SIZES = [(1440, 900), (1366, 768), (1100, 700)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_pair_taller_than_its_list_has_its_head_and_its_buttons_in_sight(third, size, language):
    screen = third(size, language=language).into_text()
    page = screen.page

    screen.press("n", "n", "n", "n")
    assert hidden(page, sides=0.2) == []
    for other in (each for each in SIZES if each != size):
        page.set_viewport_size(window(other))
        assert hidden(page, sides=0.2) == []
    screen.press("n", "p")  # from below
    assert hidden(page, sides=0.2) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_pair_that_has_room_is_in_sight_as_a_whole_also_in_another_window(third, size):
    screen = third(size).into_text()
    page = screen.page

    screen.press(*"nnnnnnn")  # the lowest of those that are shown
    assert hidden(page) == []
    for other in (each for each in SIZES if each != size):
        page.set_viewport_size(window(other))
        assert hidden(page) == []


def test_a_tall_pair_has_them_in_sight_on_a_phone_whichever_way_it_is_held(third):
    page = third(**PHONE).page
    for _pair in range(4):
        page.locator("[data-do=next-pair]").tap()

    assert hidden(page, sides=0.2) == []
    for size in ((375, 640), (414, 896)):
        page.set_viewport_size(window(size))
        assert hidden(page, sides=0.2) == []
    page.set_viewport_size(window((740, 375)))
    settled(page)
    assert [each for each in ENDS if not page.evaluate(IN_SIGHT, [each, 1])] == []
    page.locator("#pairs > .here .neither").tap()

    assert page.locator("#open-here").inner_text() == "14"
