"""What has to be in sight of a comparison, and what its line of state does."""

from __future__ import annotations

import itertools

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
def opened(visit):
    def opened(left, right=(), text=TEXT, **window):
        essay = EssayFactory(text=text)
        one, other = (submitted(essay, *fragments) for fragments in (left, right))
        judge = PersonFactory(role=User.Role.JUDGE)
        return Pair(visit(judge, f"/compare/{one.pk}/{other.pk}/", viewport=window))

    return opened


def boxes(page):
    return [each.bounding_box() for each in page.locator("#knots .knot:visible").all()]


def over(one, other):
    return all(
        one[at] < other[at] + other[size] - 0.5 and other[at] < one[at] + one[size] - 0.5
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("width", [1152, 1440])
def test_knots_of_one_line_lie_apart_and_within_the_seam_however_many_they_are(opened, width):
    page = opened(marks(2, 3, 4, 5, 4, 6, 10), width=width, height=900).page

    placed = boxes(page)
    seam = page.locator(".seam").bounding_box()

    assert [pair for pair in itertools.combinations(placed, 2) if over(*pair)] == []
    assert all(
        seam["x"] <= each["x"] and each["x"] + each["width"] <= seam["x"] + seam["width"]
        for each in placed
    )
    numbers = page.locator("#knots .knot:visible").all_inner_texts()
    assert numbers[:9] == [str(number) for number in range(1, 10)]  # four of a line have room
    assert len(numbers) < 34


@pytest.mark.parametrize("width", [1152, 1366, 1440])
@pytest.mark.parametrize("agreed", [0, 6])
def test_signs_of_a_line_are_large_enough_to_read_however_many_they_are(opened, width, agreed):
    left = marks(3, 4, 5, 6, 10)
    page = opened(left, left[:agreed] or (), width=width, height=900).page

    signs = page.locator("#knots .knot[data-row]:visible .icon")

    assert signs.count() > 8
    assert min(each.bounding_box()["width"] for each in signs.all()) >= 12


def test_what_a_line_has_no_room_for_is_counted_and_gone_on_to(opened):
    screen = opened(marks(1, 10), width=1440, height=900)
    page = screen.page
    more, shown = page.locator("#knots .more"), page.locator("#knots .knot[data-row]:visible")
    seen = set(shown.all_inner_texts())
    assert more.inner_text() == f"+{11 - len(seen)}"

    while len(seen) < 11:
        before = len(seen)
        more.click()
        chosen = screen.chosen()[0]
        expect(page.locator("#knots .on")).to_have_text(chosen)
        expect(page.locator("#knots .on")).to_be_visible()
        seen |= set(shown.all_inner_texts())
        assert chosen in seen
        assert len(seen) > before

    assert seen == {str(number) for number in range(1, 12)}


CLIPPED = """(cells) => cells.filter((each) => each.scrollHeight > each.clientHeight + 1).length"""


def test_on_a_phone_what_the_points_differ_by_lies_in_its_own_room(opened):
    page = opened(marks(4, 5, 6), marks(1), width=375, height=740).page
    cells = page.locator(".gap tbody > tr > *")

    assert cells.count() > 0
    assert cells.evaluate_all(CLIPPED) == 0


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


@pytest.mark.parametrize("window", [(375, 740), (1440, 900)], ids=["375 px", "1440 px"])
def test_a_mark_behind_a_difference_in_points_comes_into_sight_from_below_the_texts(opened, window):
    width, height = window
    left = [fragment(at * LINE, at * LINE + 2, "А.грамм") for at in range(40)]
    page = opened(left, (), "\n\n".join([WORDS] * 40), width=width, height=height).page
    leads = page.locator(".gap .code")
    assert leads.count() == 40

    for at in range(0, 40, 3):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        leads.nth(at).click()
        expect(page.locator("#left .on")).to_have_count(1)

        place, head, status, pairs = (
            page.locator(each).bounding_box()
            for each in ("#left .on", ".pair-head", ".status", ".diffs")
        )
        below = min(each["y"] for each in (status, pairs) if each["width"] > width / 2)
        assert head["y"] + head["height"] <= place["y"], at
        assert place["y"] + place["height"] <= below, at


def test_keys_in_the_line_of_state_are_pressed_with_the_mouse(opened):
    screen = opened(marks(1, 1, 1), width=1440, height=900)
    key = screen.page.locator(".status .hints").get_by_role

    key("button", name="N", exact=True).click()
    assert screen.chosen() == ("1", "#row-1")
    key("button", name="P", exact=True).click()
    assert screen.chosen() == ("3", "#row-3")
    key("button", name="F", exact=True).click()
    expect(screen.page.locator("#kind-all")).to_be_focused()
    key("button", name="?", exact=True).click()
    expect(screen.page.locator("#keys")).to_be_visible()


@pytest.mark.parametrize("window", [(1440, 900), (1366, 768), (375, 740)])
@pytest.mark.parametrize("key", ["n", "p"])
def test_the_row_one_goes_to_is_in_sight_as_a_whole_and_its_words_too(opened, window, key):
    width, height = window
    screen = opened(marks(*[3] * 10), marks(1, 0, 2), width=width, height=height)
    page = screen.page

    for at in range(30):
        screen.press(key)

        row, pairs, status, place, head = (
            page.locator(each).first.bounding_box()
            for each in (
                "#difflist .on",
                "#difflist",
                ".status",
                ".texts .on:visible",
                ".pair-head",
            )
        )
        assert row["y"] >= pairs["y"] - 0.5, at
        assert row["y"] + row["height"] <= min(status["y"], pairs["y"] + pairs["height"]) + 0.5, at
        assert head["y"] + head["height"] <= place["y"], at
        assert place["y"] + place["height"] <= status["y"], at
