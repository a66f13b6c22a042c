"""The third expert's desk by touch and in small windows, and its sheet before the submission."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.review.thirds import thirds
from tests.screens.test_hints import meet
from tests.screens.test_small_windows import PHONE
from tests.strategies import fragment

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
        """() => [...document.querySelectorAll("#settling, #settling :not(.bulk *)")]
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


GHOST = """
(at) => {
  const ghost = [...CSS.highlights.get("ghost-first")][at].getBoundingClientRect();
  return [ghost.x + ghost.width / 2, ghost.y + ghost.height / 2];
}
"""
"""Where words that are undecided stand."""
SAID_BESIDE = """() => {
  const all = [...document.querySelectorAll("#toast p, #submit .btn")];
  return all.length > 2 && all.map((each) => each.getBoundingClientRect().toJSON());
}"""
"""Where it is said what was undone, and where the buttons of the sheet stand; once it is said."""
LIT = "() => [...CSS.highlights.get('first')][0].getBoundingClientRect().toJSON()"
SENTENCE = " ".join(["Some people think that sport unite people, others does not."] * 30)
PLACES = [(at * 60, at * 60 + 4) for at in range(28)]


@pytest.fixture
def phone(visit):
    """The desk on a phone: 28 pairs over a long text."""
    marks = tuple(fragment(*place) for place in PLACES)
    made = thirds(marks, marks, text=SENTENCE)
    page = visit(made.record.author, f"/markups/{made.record.pk}/", **PHONE)
    page.wait_for_selector("#desk[data-ready]")
    return page


def stands_above_the_pairs(page):
    """Are the words of the pair one is at in sight, and the pair below them?"""
    lit, sheet = page.evaluate(LIT), page.locator("#settling").bounding_box()
    pair = page.locator("#pairs > .here").bounding_box()
    return (
        lit["y"] >= 48
        and lit["y"] + lit["height"] <= sheet["y"] < pair["y"]
        and pair["y"] + pair["height"] <= page.locator(".status").bounding_box()["y"] + 1
    )


def test_a_phone_says_which_check_it_is_and_leads_from_the_text_to_the_pairs(phone):
    leads = phone.locator("[data-do=next-pair]")

    expect(leads).to_have_text("third check 28 undecided", use_inner_text=True)
    expect(leads).to_be_in_viewport(ratio=1)
    for number in ("1", "2"):
        leads.tap()
        expect(phone.locator("#pairs > .here")).to_have_attribute("data-number", number)
        assert stands_above_the_pairs(phone)
    phone.locator("#pairs > .here .take.second").tap()
    expect(phone.locator("#open-here")).to_have_text("27")
    phone.locator("[data-do=shut-pairs]").tap()

    expect(phone.locator("#pairs > .here .take.second")).not_to_be_in_viewport()
    expect(leads).to_be_in_viewport(ratio=1)


def test_what_decides_many_pairs_stands_above_them_in_the_sheet_of_a_phone(phone):
    phone.locator("[data-do=next-pair]").tap()
    agreed = phone.locator("#settling [data-do=agreed]")
    for name in ("agreed", "rest"):
        expect(phone.locator(f"#settling [data-do={name}]")).to_be_in_viewport(ratio=1)
    for _pair in range(12):
        phone.locator("[data-do=next-pair]").tap()
    expect(phone.locator("#pairs > .here")).to_have_attribute("data-number", "13")
    assert stands_above_the_pairs(phone)
    expect(agreed).to_be_in_viewport(ratio=1)

    agreed.tap()

    expect(phone.locator("#open-here")).to_have_text("0")


def test_what_was_undone_covers_no_button_of_the_sheet_on_a_phone_nor_do_the_pairs(phone):
    buttons = [phone.locator(f"#hand-in{which}") for which in ("-next", "")]
    phone.locator("[data-do=next-pair]").tap()
    phone.locator("#to-submit").tap()
    for button in buttons:
        expect(button).to_be_in_viewport(ratio=1)
    phone.locator("#hand-in").tap()
    phone.locator("#open-pairs [value=rest]").tap()
    expect(phone.locator("#undecided")).to_have_text("0")
    low = "(button) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight + 80)"

    for do, left in [("undo", "28"), ("redo", "0")]:
        buttons[0].evaluate(low)
        phone.locator(f".status [data-do={do}]").tap()
        *others, said = phone.wait_for_function(SAID_BESIDE).json_value()
        for other in others:
            assert not meet(said, other)
        expect(phone.locator("#undecided")).to_have_text(left)


@pytest.mark.parametrize("part", [".pair-words", ".neither"])
def test_a_tap_on_a_pair_brings_its_words_into_sight_on_a_phone(phone, part):
    phone.locator(f"#pairs > .pair:nth-child(20) {part}").tap()

    expect(phone.locator("#pairs > .here")).to_have_attribute("data-number", "20")
    assert stands_above_the_pairs(phone)


def test_a_tap_on_undecided_words_leads_to_their_pair_and_the_next_tap_to_the_codes(phone):
    x, y = phone.evaluate(GHOST, 3)
    phone.touchscreen.tap(x, y)

    expect(phone.locator("#pairs > .here")).to_have_attribute("data-number", "4")
    assert stands_above_the_pairs(phone)
    expect(phone.locator("#desk.selecting")).to_have_count(0)
    phone.touchscreen.tap(*phone.evaluate(GHOST, 3))

    expect(phone.locator("#desk.selecting")).to_have_count(1)


def test_words_pressed_in_a_small_window_stay_in_sight_above_the_pairs_that_come_up(desk):
    marks = tuple(fragment(*place) for place in PLACES)
    size = {"width": 720, "height": 450}  # of 1440 pixels at 200 % zoom
    page = desk(record=thirds(marks, marks, text=SENTENCE).record, viewport=size).page
    ghosts = (page.evaluate(GHOST, at) for at in range(len(PLACES)))
    x, y = next((x, y) for x, y in ghosts if y > size["height"] / 2)

    page.mouse.click(x, y)

    expect(page.locator("#pairs > .here")).to_have_count(1)
    lit = page.evaluate(LIT)
    assert lit["y"] + lit["height"] <= page.locator("#settling").bounding_box()["y"]


def test_a_tap_between_two_undecided_words_leads_to_their_pair_too(desk):
    screen = desk(record=thirds(first=(fragment(12, 22),), second=()).record, **PHONE)

    screen.page.touchscreen.tap(*screen.middle(17))

    expect(screen.page.locator("#pairs > .here")).to_have_count(1)


def test_the_sign_of_a_pair_stands_in_the_line_of_its_words_on_a_phone(phone):
    middles = phone.evaluate(
        """() => [...document.querySelectorAll(".pair-words")].map((pair) => {
          const middle = (own) => {
            const { top, bottom } = pair.querySelector(own).getBoundingClientRect();
            return (top + bottom) / 2;
          };
          return Math.abs(middle(".glyph .icon") - middle("q"));
        })"""
    )

    assert len(middles) == len(PLACES)
    assert max(middles) < 4


def test_a_phone_shows_how_far_one_is_and_whose_ghosts_are_whose_beside_the_text(phone):
    tools = ["#decided", ".ghosts .one", ".ghosts .two", "[data-do=next-pair]"]
    first = phone.locator("#essay > p").first.bounding_box()

    for tool in tools:
        expect(phone.locator(tool)).to_be_in_viewport(ratio=1)
    assert first["y"] + 40 < phone.locator(".standing").bounding_box()["y"]
    phone.locator("[data-do=next-pair]").tap()
    for tool in [*tools, "#pairs > .here .neither"]:
        expect(phone.locator(tool)).to_be_in_viewport(ratio=1)
    phone.locator("#pairs > .here .neither").tap()

    expect(phone.locator("#decided")).to_have_js_property("value", 1)
    expect(phone.locator("#open-here")).to_have_text("27")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_line_of_the_text_shows_between_how_far_one_is_and_the_bar_below_it(visit, language):
    page = third_desk(visit, language=language, **PHONE)

    above, below = (
        page.locator(place).bounding_box() for place in (".settling > .standing", ".pairs-bar")
    )

    assert above["y"] + above["height"] == pytest.approx(below["y"], abs=0.5)


PAIRS_ABOVE = """() => {
  const bulk = document.querySelector("#settling > .bulk").getBoundingClientRect();
  const sheet = document.getElementById("settling").getBoundingClientRect();
  const found = new Set();
  for (let y = sheet.top + 4; y < bulk.bottom; y += 2)
    found.add(document.elementFromPoint(100, y)?.closest(".pair")?.dataset.number);
  return [...found].filter(Boolean);
}"""
"""The pairs that show between what stands above the list."""


def test_no_scrap_of_a_pair_shows_above_what_decides_many(phone):
    for _pair in range(6):
        phone.locator("[data-do=next-pair]").tap()
        assert phone.evaluate(PAIRS_ABOVE) == []


def test_a_phone_chooses_which_pairs_are_shown_and_takes_all_of_them_beside_the_text(phone):
    phone.locator("[data-do=next-pair]").tap()
    phone.locator("#shown").select_option("undecided")
    takes = phone.locator("#settling [data-do=shown][data-value=first]")

    takes.tap()

    expect(phone.locator("#open-here")).to_have_text("0")
    expect(phone.locator("#desk.pairing")).to_have_count(1)
