"""The comparison screen in Chromium: aligned columns, keys, filters, addresses, paper."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

TEXT = (
    "Some people, who think that sport unite people, does not agree.\n\n"
    "I believe that sport make people more stronger and happy. " + "And so on it goes. " * 40
).strip()
LEFT = (
    fragment(0, 63, "ПРОБЛЕМА"),
    fragment(5, 11, "А.грамм"),
    fragment(13, 22, "А.лекс"),
    fragment(34, 39, "А.грамм", subcode="видовр", tag="видовр1"),
    fragment(65, 100, "ЛМНЕНИЕ"),
    fragment(102, 115, "А.орф"),
    whole_text("А.запас"),
)
RIGHT = (
    fragment(0, 63, "ПРОБЛЕМА"),
    fragment(5, 11, "А.лекс"),
    fragment(17, 22, "А.лекс"),
    fragment(34, 39, "А.грамм", subcode="слобр"),
    fragment(65, 122, "ЛМНЕНИЕ"),
    fragment(len(TEXT) - 10, len(TEXT) - 1, "А.пункт"),
)
NUMBERS = {
    "same": ["1"],
    "code": ["2"],
    "borders": ["3", "5"],
    "subcode": ["4"],
    "only_left": ["6", "8"],
    "only_right": ["7"],
}
DIFFERENCES = ["2", "3", "4", "5", "6", "7", "8"]
WIDTHS = [320, 375, 600, 900, 1152, 1440]


@pytest.fixture
def records(site):  # noqa: ARG001 - its database
    essay = EssayFactory(text=TEXT)
    return submitted(essay, *LEFT), submitted(essay, *RIGHT)


@pytest.fixture
def address(records):
    return f"/compare/{records[0].pk}/{records[1].pk}/"


@pytest.fixture
def judge(site):  # noqa: ARG001 - its database
    return PersonFactory(role=User.Role.JUDGE)


@pytest.fixture
def compare(visit, judge, address):
    def opened(query="", **options):
        return Pair(visit(judge, f"{address}{query}", **options))

    return opened


@pytest.mark.parametrize("width", [800, 1152, 1440, 1920])
def test_equal_lines_of_both_texts_stand_side_by_side(compare, width):
    screen = compare(viewport={"width": width, "height": 900})

    left, right = screen.places("left"), screen.places("right")

    assert len(left) == len(right) > 700
    assert [place[1] for place in left] == [place[1] for place in right]
    moved = [abs(one[0] - other[0]) for one, other in zip(left, right, strict=True)]
    assert max(moved) <= 0.25
    texts = screen.page.locator(".texts .essay")
    assert texts.evaluate_all("(all) => all.map((each) => each.textContent)") == [TEXT, TEXT]


def test_lines_stay_aligned_when_the_page_scrolls_and_a_pair_is_chosen(compare):
    screen = compare(viewport={"width": 1440, "height": 700})
    before = screen.places("left")

    screen.press("p", "p")
    screen.page.wait_for_function("scrollY > 0")

    moved = [[place[0], place[2]] for place in screen.places("left")]
    assert moved == [[place[0], place[2]] for place in before]
    assert [place[1] for place in screen.places("left")] == [
        place[1] for place in screen.places("right")
    ]


def test_keys_go_through_the_differences_and_pass_agreements_over(compare):
    screen = compare()
    found = []
    for _ in range(len(DIFFERENCES) + 1):
        screen.press("n")
        found.append(screen.chosen())

    assert found == [(number, f"#row-{number}") for number in [*DIFFERENCES, "2"]]
    screen.press("p")
    assert screen.chosen() == ("8", "#row-8")
    screen.press("Escape")
    assert screen.chosen() == (None, "")


def test_a_chosen_pair_is_framed_in_both_texts_and_in_the_list(compare):
    screen = compare().press("n", "n")

    assert (screen.framed("left"), screen.framed("right")) == ("who think", "think")
    expect(screen.page.locator("#row-3")).to_have_class(re.compile(r"\bon\b"))
    expect(screen.page.locator("#row-3 .diff")).to_be_focused()
    expect(screen.page.locator("#knots .on")).to_have_text("3")
    expect(screen.page.locator(".wires .on")).to_have_count(1)


def test_arrows_go_through_the_list_with_its_agreements(compare):
    screen = compare()
    screen.page.locator("#row-1 .diff").focus()

    screen.press("ArrowDown", "ArrowDown", "ArrowUp")

    expect(screen.page.locator("#row-2 .diff")).to_be_focused()
    assert screen.chosen() == ("2", "#row-2")


def test_hovering_lights_up_both_texts_and_the_list_wherever_the_pointer_is(compare):
    screen = compare()

    def lit():
        return screen.framed("left", "hover"), screen.framed("right", "hover")

    screen.words("right", "think").hover()
    assert lit() == ("who think", "think")
    expect(screen.page.locator("#row-3")).to_have_class(re.compile(r"\bhover\b"))
    screen.page.locator("#row-2").hover()
    assert lit() == ("people", "people")
    screen.page.locator("#knots [data-row='4']").hover()
    assert lit() == ("unite", "unite")
    screen.page.locator(".strip").hover()
    assert lit() == ("", "")


def test_a_click_chooses_the_innermost_and_a_click_again_goes_outwards(compare):
    screen = compare()
    found = []
    for _ in range(3):
        screen.words("left", "unite").click()
        found.append(screen.chosen()[0])

    assert found == ["4", "1", "4"]


def test_a_mark_behind_a_difference_in_points_leads_to_its_row(compare):
    screen = compare()

    screen.page.locator(".gap .code", has_text="А.запас").click()

    assert screen.chosen() == ("8", "#row-8")
    expect(screen.page.locator(".whole .wt")).to_have_class(re.compile(r"\bon\b"))


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_filter_leaves_its_rows_and_an_address_to_share(compare, kind):
    screen = compare()

    screen.page.locator(f"#kind-{kind}").click()
    expect(screen.page.locator(f"#kind-{kind}")).to_have_attribute("aria-current", "true")

    assert screen.rows() == NUMBERS[kind]
    assert screen.page.url.endswith(f"/?kind={kind}")
    knots = screen.page.locator("#knots .knot").evaluate_all(
        "(all) => all.map((each) => each.dataset.row)"
    )
    assert knots == NUMBERS[kind]
    screen.page.reload()
    assert Pair(screen.page).rows() == NUMBERS[kind]


def test_filters_work_by_keys_and_the_focus_stays(compare):
    screen = compare().press("n", "n", "f")
    expect(screen.page.locator("#kind-all")).to_be_focused()

    screen.press("Tab", "Tab", "Tab", "Enter")
    expect(screen.page.locator("#difflist > li")).to_have_count(2)

    assert screen.rows() == ["3", "5"]
    expect(screen.page.locator("#kind-borders")).to_be_focused()
    assert screen.chosen() == ("3", "#row-3")
    assert (screen.framed("left"), screen.framed("right")) == ("who think", "think")
    expect(screen.page.locator("#said")).to_have_text("Show only: 2 of 8 rows")
    files = screen.page.locator("a[data-filtered]").evaluate_all(
        "(all) => all.map((each) => each.search)"
    )
    assert files == ["?kind=borders", "?kind=borders"]
    screen.press("n")
    assert screen.chosen() == ("5", "#row-5")


def test_a_filter_by_code_is_put_on_and_off(compare):
    screen = compare("?kind=code&kind=only_left")
    assert screen.rows() == ["2", "6", "8"]

    screen.page.locator(".codes a", has_text="А.орф").click()
    expect(screen.page.locator("#difflist > li")).to_have_count(1)
    assert screen.rows() == ["6"]
    screen.page.locator(".chosen a").click()
    expect(screen.page.locator("#difflist > li")).to_have_count(3)


def test_a_shared_address_shows_the_filter_and_the_pair(compare):
    screen = compare("?kind=borders&kind=code#row-5")

    assert (screen.rows(), screen.chosen()) == (["2", "3", "5"], ("5", "#row-5"))
    assert screen.framed("left") == TEXT[65:100]


def test_sides_are_swapped_by_key_and_the_filter_and_the_chosen_pair_go_with_them(compare, records):
    screen = compare()
    screen.page.locator("#kind-only_left").click()
    expect(screen.page.locator("#difflist > li")).to_have_count(2)

    number, named = screen.press("n").chosen()
    screen.press("s").page.wait_for_url(f"**/compare/{records[1].pk}/{records[0].pk}/**")

    assert screen.page.url.endswith(f"?kind=only_right{named}")
    expect(screen.page.locator(".diff[aria-current]")).to_have_attribute("data-row", number)
    assert len(Pair(screen.page).rows()) == 2


def test_all_keys_are_listed_and_letters_can_be_switched_off(compare):
    screen = compare().press("?")
    expect(screen.page.locator("#keys")).to_be_visible()

    screen.page.locator("#letters").uncheck()
    screen.press("Escape", "n")

    assert screen.chosen() == (None, "")


def test_knots_stand_at_the_line_of_their_fragments_and_apart(compare):
    screen = compare(viewport={"width": 1440, "height": 900})
    boxes = {
        each.get_attribute("data-row"): each.bounding_box()
        for each in screen.page.locator("#knots .knot").all()
    }

    for number, side, words in (
        ("3", "left", "who"),
        ("4", "right", "unite"),
        ("7", "right", "on"),
        ("8", "left", "А.запас"),
    ):
        knot = boxes[number]
        lines = screen.page.locator(f".pairtext [data-side={side}] [data-rows~='{number}']")
        line = lines.first.bounding_box()
        middle = knot["y"] + knot["height"] / 2
        assert line["y"] <= middle <= line["y"] + line["height"], (number, words)
    placed = sorted((box["y"], box["x"], box["width"]) for box in boxes.values())
    assert all(
        one[1] + one[2] <= other[1] + 0.5
        for one, other in itertools.pairwise(placed)
        if one[0] == other[0]
    )


def test_without_scripts_everything_can_be_read_and_filtered(visit, judge, address):
    page = visit(judge, address, java_script_enabled=False)

    expect(page.locator("#difflist > li")).to_have_count(8)
    assert page.locator("#left").text_content() == TEXT
    expect(page.locator("#row-3 .sub")).to_contain_text("= borders 0.44 + beginning 1 + code 0")
    page.locator("#kind-borders").click()

    expect(page.locator("#difflist > li")).to_have_count(2)
    assert page.url.endswith("/?kind=borders")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_has_to_be_scrolled_sideways(compare, width):
    screen = compare(viewport={"width": width, "height": 700})

    assert screen.overflow() == 0
    screen.press("n", "n", "n")
    assert screen.overflow() == 0


def test_a_phone_shows_one_text_and_keeps_the_place_when_the_other_is_picked(compare):
    screen = compare(viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True)
    texts = [screen.page.locator(f"#{side}") for side in ("left", "right")]
    assert [each.is_visible() for each in texts] == [True, False]
    screen.page.evaluate("document.getElementById('left').scrollIntoView()")
    heights = [place[1] for place in screen.places("left")]

    screen.page.locator("label[for=pick-right]").tap()

    assert [each.is_visible() for each in texts] == [False, True]
    assert [place[1] for place in screen.places("right")] == heights


def test_on_a_phone_the_text_that_has_the_fragment_is_brought_above_the_list(compare):
    screen = compare(viewport={"width": 375, "height": 740})

    screen.press("p", "p")

    assert screen.chosen()[0] == "7"
    assert screen.page.locator("#right").is_visible()
    piece = screen.page.locator("#right .on").first.bounding_box()
    sheet = screen.page.locator(".diffs").bounding_box()
    assert 96 < piece["y"] < sheet["y"] - piece["height"]


def test_on_paper_the_whole_list_stands_and_pairs_are_named_by_numbers(compare):
    screen = compare("?kind=borders", viewport={"width": 800, "height": 900})
    expect(screen.page.locator(".for-paper")).to_be_hidden()
    screen.page.emulate_media(media="print")

    expect(screen.page.locator(".for-paper")).to_contain_text("Only these rows:")
    for hidden in (".bar", ".status", "#filters", "#knots", ".choice"):
        expect(screen.page.locator(hidden)).to_be_hidden()
    assert screen.page.evaluate(
        """() => {
          const list = document.getElementById("difflist");
          const [above, below] = [".diffs", ".codes"].map((each) =>
            document.querySelector(each).getBoundingClientRect());
          return [list.scrollHeight - list.clientHeight, below.top >= above.bottom];
        }"""
    ) == [0, True]
    numbers = screen.page.locator("#left [data-rows]").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each, '::before').content)"
    )
    assert numbers == ['"[3]"', '"[5]"']


def test_a_sheet_of_paper_has_both_texts_side_by_side_in_ink_on_white(compare):
    screen = compare(viewport={"width": 718, "height": 900}, color_scheme="dark")
    screen.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    screen.page.emulate_media(media="print")  # A4 with the margins of the browser

    left, right = (screen.page.locator(f"#{side}") for side in ("left", "right"))
    boxes = left.bounding_box(), right.bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert screen.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert left.evaluate("(text) => getComputedStyle(text).printColorAdjust") == "exact"


def test_on_paper_a_number_stands_where_its_fragment_begins(compare):
    screen = compare(viewport={"width": 718, "height": 900})
    screen.page.emulate_media(media="print")

    found = screen.page.locator("#left [data-rows]").evaluate_all(
        """(all) => all.map((each) => [
          `${each.dataset.rows} ${each.textContent.trim().split(" ")[0]}`,
          getComputedStyle(each, "::before").left,
        ])"""
    )

    assert found == [
        [words, "0px"] for words in ("2 people", "3 who", "4 unite", "5 I", "6 stronger")
    ]


def test_kinds_of_difference_differ_without_colour(compare):
    screen = compare(viewport={"width": 1440, "height": 900})
    lines = screen.page.evaluate(
        """(kinds) => kinds.map((kind) => {
          const piece = document.createElement("span");
          piece.className = `f u0-${kind}`;
          document.querySelector("#left p").append(piece);
          const image = getComputedStyle(piece).backgroundImage;
          piece.remove();
          return image.replace(/rgba?\\([^)]*\\)/g, "ink");
        })""",
        ["same", "code", "borders", "subcode", "correction", "only_left", "only_right"],
    )

    assert len(set(lines)) == 7
