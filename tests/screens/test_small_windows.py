"""Phones and narrow windows: touch, a sheet with the codes, no sideways scroll."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import Assignment
from annotator.services.markup import row_of
from contest.services.sessions.clock import moment_now
from tests.annotator.drafts import draft_of
from tests.contest.world import SECOND, Client, marked_set
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.review.thirds import thirds
from tests.screens.desk import slow
from tests.screens.test_changing import FIVE
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

TEXT = "Some people, who think that sport unite people, does not agree." + " And so on." * 60
PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
WIDTHS = [320, 375, 600, 900, 1152, 1440]


def test_a_selection_on_a_phone_brings_the_codes_and_a_tap_marks(desk):
    screen = desk(TEXT, **PHONE)
    palette = screen.page.locator("#palette")

    screen.choose(28, 33)
    box = palette.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(740, abs=2)
    assert (box["x"], box["width"]) == (0, 375)
    assert box["height"] <= 0.5 * 740
    palette.get_by_role("button", name="А.лекс").tap()
    screen.saved(1)

    assert screen.marks("start", "end", "code") == [(28, 33, "А.лекс")]
    expect(screen.page.locator("#desk.selecting")).to_have_count(0)


@pytest.mark.parametrize(("width", "is_named"), [(375, False), (1440, True)])
def test_of_the_bar_s_words_a_phone_keeps_the_number_of_the_essay(desk, width, is_named):
    screen = desk(TEXT, viewport={"width": width, "height": 740})
    heading = screen.page.locator("h1").first

    assert screen.page.locator(".bar .where .badge").is_visible() is is_named
    assert heading.evaluate("(own) => own.scrollWidth - own.clientWidth") == 0


def test_a_mistake_of_the_whole_text_on_a_phone_brings_the_codes_and_a_tap_marks(desk):
    screen = desk(TEXT, **PHONE)
    palette = screen.page.locator("#palette")

    screen.page.locator("#whole-add").tap()
    box = palette.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(740, abs=2)
    assert (box["x"], box["width"]) == (0, 375)
    palette.get_by_role("button", name="А.лекс").tap()
    screen.saved(1)

    assert screen.marks("start", "end", "code") == [(None, None, "А.лекс")]
    expect(screen.page.locator("#desk.for-whole")).to_have_count(0)


def test_the_codes_for_the_whole_text_begin_at_their_top_and_take_the_place_of_a_card(desk):
    screen = desk(TEXT, fragment(28, 33), **PHONE)
    palette = screen.page.locator("#palette")
    whole = screen.page.locator("#whole-add")
    whole.tap()
    palette.evaluate("(codes) => codes.scrollTo(0, 300)")
    whole.tap()
    x, y = screen.middle(30)
    screen.page.touchscreen.tap(x, y)
    screen.page.locator("#cards form").wait_for()

    whole.tap()

    expect(screen.page.locator("#cards form")).to_have_count(0)
    assert palette.evaluate("(codes) => codes.scrollTop") == 0
    expect(screen.page.locator("#find")).to_be_in_viewport()


def test_the_first_word_is_tapped_and_then_the_last_one(desk):
    screen = desk(TEXT, **PHONE)
    tap = screen.page.touchscreen.tap
    ((x, y, width, height), *_rest) = screen.rects((10, 11))[0]

    tap(x + 0.9 * width, y + height / 2)  # the right half of its last letter
    assert sorted(screen.selection()) == [5, 11]
    tap(*screen.middle(17))
    assert sorted(screen.selection()) == [5, 22]
    slow(screen.page, 1500)
    lexis = screen.page.locator("#codes").get_by_role("button", name="А.лекс")
    lexis.tap()
    tap(*screen.middle(30))
    screen.saved(1)  # the answer comes between two taps
    tap(*screen.middle(36))
    assert sorted(screen.selection()) == [28, 39]
    lexis.tap()
    screen.saved(2)

    assert screen.marks("start", "end", "code") == [(5, 22, "А.лекс"), (28, 39, "А.лекс")]


def test_the_codes_that_come_up_cover_no_word_that_was_tapped(desk):
    screen = desk(TEXT, **PHONE)
    low = next(at for at in range(len(TEXT)) if screen.middle(at)[1] > 540 and TEXT[at] == "A")

    screen.page.touchscreen.tap(*screen.middle(low))
    assert sorted(screen.selection()) == [low, low + 3]

    (_x, y, _width, height), *_ = screen.rects((low, low + 3))[0]
    assert 48 < y < y + height < screen.page.locator("#palette").bounding_box()["y"]


def test_a_long_press_takes_a_word_also_within_a_mark(desk):
    screen = desk(TEXT, fragment(0, 22), **PHONE)
    x, y = screen.middle(7)
    touch = screen.page.context.new_cdp_session(screen.page)

    point = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    touch.send("Input.dispatchTouchEvent", point)
    screen.page.wait_for_selector("#desk.selecting")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    assert sorted(screen.selection()) == [5, 11]
    expect(screen.page.locator("#cards form")).to_have_count(0)


def test_the_words_of_an_open_card_stay_in_sight_above_it(desk):
    at = TEXT.rindex("And")
    screen = desk(TEXT, fragment(at, at + 3), **PHONE)
    screen.page.locator("#marks button").tap()
    screen.page.locator("#cards form").wait_for()

    screen.page.wait_for_function(
        """() => {
          const words = document.querySelector("#essay .f").getBoundingClientRect();
          const card = document.getElementById("cards").getBoundingClientRect();
          return words.top > 48 && words.bottom <= card.top;
        }"""
    )


def test_a_line_of_a_long_mark_that_is_tapped_stays_under_the_finger(desk):
    screen = desk(TEXT, fragment(0, len(TEXT) - 5), **PHONE)
    screen.page.evaluate("scrollTo(0, 200)")
    before = screen.middle(150)

    screen.page.touchscreen.tap(*before)
    screen.page.locator("#cards form").wait_for()
    screen.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    assert screen.middle(150) == before


def test_the_box_of_a_search_is_one_row_on_a_phone(desk):
    screen = desk(TEXT, **PHONE)
    screen.page.locator(".status [data-value=KeyF]").tap()
    screen.page.locator("#search-words").fill("so")
    expect(screen.page.locator("#search-count")).to_have_text(re.compile("1 / "))

    row = [each.bounding_box()["y"] for each in screen.page.locator("#search > button").all()]

    assert row == [row[0]] * 3


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_the_way_back_and_the_guidelines_are_at_hand(desk, language):
    screen = desk(TEXT, language=language, **PHONE)

    for found in (".bar .back", ".status [data-value=guide]", "#to-submit"):
        box = screen.page.locator(found).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
    screen.page.locator(".status [data-value=guide]").tap()

    expect(screen.page.locator("#guide")).to_be_visible()


def test_a_comparison_on_a_phone_begins_with_the_text(visit):
    essay = EssayFactory(text=TEXT)
    left, right = submitted(essay, fragment(5, 11)), submitted(essay, fragment(5, 11, "А.лекс"))
    staff = PersonFactory(role="coordinator")

    page = visit(staff, f"/compare/{left.pk}/{right.pk}/", **PHONE)

    text = page.locator(".pair-row .essay, .pair-row [data-side] .par").first.bounding_box()
    lists = page.locator(".view > .diffs").bounding_box()
    assert text["y"] + 3 * 32 <= lists["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_on_a_phone_no_rail_shows_in_a_corner_of_the_names_above_a_comparison(visit):
    essay = EssayFactory(text=TEXT)
    left, right = submitted(essay, fragment(0, 63)), submitted(essay, fragment(0, 63))
    staff = PersonFactory(role="coordinator")

    page = visit(staff, f"/compare/{left.pk}/{right.pk}/", **PHONE)

    round_ = "(own) => getComputedStyle(own).borderRadius"
    assert page.locator(".pair-head").evaluate(round_) == "0px"


def test_a_tap_on_a_mark_opens_its_cards_and_another_one_goes_outwards(desk):
    screen = desk(TEXT, *FIVE, **PHONE)

    for code in ("А.орф", "А.грамм", "А.лекс"):
        x, y = screen.middle(19)
        screen.page.touchscreen.tap(x, y)
        expect(screen.page.locator("#cards h2 b")).to_have_text(code)

    card = screen.page.locator("#cards").bounding_box()
    assert card["y"] + card["height"] == pytest.approx(740, abs=2)
    assert card["height"] <= 0.65 * 740


def test_what_a_finger_has_to_hit_is_large_enough(desk):
    screen = desk(TEXT, fragment(28, 33), **PHONE)
    x, y = screen.middle(30)
    screen.page.touchscreen.tap(x, y)
    screen.page.locator("#cards form").wait_for()
    screen.choose(0, 4)

    sizes = screen.page.eval_on_selector_all(
        "#palette .code, .handle:not([hidden]), .chip, #cards button, .status .iconbtn",
        """(all) => all.filter((each) => each.offsetParent).map((each) => {
          const { width, height } = each.getBoundingClientRect();
          return [each.className, width, height];
        })""",
    )

    assert len(sizes) > 20
    assert [each for each in sizes if min(each[1:]) < 24] == []


@pytest.mark.parametrize(("width", "height"), [(375, 740), (320, 568)])
def test_the_buttons_of_a_card_are_in_sight_on_a_phone_whatever_it_holds(desk, width, height):
    viewport = {"width": width, "height": height}
    screen = desk(TEXT, fragment(28, 33, subcode="множ"), **PHONE | {"viewport": viewport})
    screen.page.touchscreen.tap(*screen.middle(30))
    screen.page.locator("#cards form").wait_for()
    buttons = screen.page.locator("#cards :is(header, .acts) button").all()
    assert len(buttons) == 6

    for scrolled in (0, 120, 1000):
        screen.page.locator("#cards").evaluate("(own, to) => own.scrollTo(0, to)", scrolled)
        for each in buttons:
            expect(each).to_be_in_viewport(ratio=1)
            box = each.bounding_box()
            assert min(box["width"], box["height"]) >= 44
            hit = "(own, [x, y]) => own.contains(document.elementFromPoint(x, y))"
            assert each.evaluate(hit, [box["x"] + 22, box["y"] + 22])
    screen.page.locator("#card-code").focus()
    screen.page.locator("#card-tag").focus()
    field = screen.page.locator("#card-tag").bounding_box()
    acts = screen.page.locator("#cards .acts").bounding_box()
    assert field["y"] + field["height"] <= acts["y"]


@pytest.mark.parametrize("width", [375, 1366, 1440])
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("third", [False, True])
def test_the_field_of_a_tag_has_room_for_one(desk, width, language, third):
    record = thirds().record if third else draft_of(TEXT)
    row_of(record, fragment(28, 33)).save()
    viewport = {"width": width, "height": 700}
    screen = desk(record=record, language=language, viewport=viewport).into_text()
    screen.click(30)
    tag = screen.page.locator("#card-tag")
    tag.wait_for()

    field = tag.bounding_box()
    assert field["width"] >= 80
    for button in screen.page.locator("#cards .cell:has(#card-tag) .btn").all():
        box = button.bounding_box()
        assert (box["x"] >= 0, box["x"] + box["width"] <= width) == (True, True)
        assert box["y"] + box["height"] > field["y"]


def test_what_waits_is_one_tap_away_on_a_phone(desk, visitors):
    screen = desk(TEXT, **PHONE)
    screen.page.context.set_offline(True)
    screen.choose(28, 33)
    screen.page.locator("#palette").get_by_role("button", name="А.лекс").tap()
    send = screen.page.locator("#waiting").get_by_role("button", name="Send now")
    expect(send).to_be_visible()
    expect(send).not_to_be_in_viewport()

    screen.page.locator("#saved").get_by_role("link").tap()

    expect(send).to_be_in_viewport()
    visitors.watch.problems.clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_has_to_be_scrolled_sideways(desk, width):
    long = fragment(28, 33, "ИСП", correction="x" * 80, tag="множ1", comment="y" * 120)
    screen = desk(
        TEXT,
        long,
        fragment(0, 4, "ПРОБЛЕМА"),
        whole_text(),
        viewport={"width": width, "height": 700},
    )
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

    assert screen.page.evaluate(overflow) == 0
    screen.page.locator("#marks button").nth(1).press("Enter")
    screen.page.locator("#cards form").wait_for()
    assert screen.page.evaluate(overflow) == 0
    screen.press("Escape", "f")
    expect(screen.page.locator("#search-words")).to_be_focused()
    assert screen.page.evaluate(overflow) == 0
    box = screen.page.locator("#search").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_an_essay_without_spaces_stays_in_its_column(desk):
    screen = desk("слово" * 80 + " " + "x" * 300, viewport={"width": 320, "height": 700})

    assert screen.page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_time_that_is_left_fits_into_the_status_bar(desk, language):
    record = draft_of(TEXT, fragment(28, 33))
    deadline = timezone.now() + timedelta(days=27, hours=23, minutes=30)
    Assignment.objects.filter(pk=record.assignment_id).update(deadline_at=deadline)

    screen = desk(record=record, language=language, viewport={"width": 320, "height": 700})

    status = screen.page.locator(".status")
    expect(status.locator(".due")).to_contain_text({"en": "27 d 23 h", "ru": "27 д 23 ч"}[language])
    assert status.evaluate("(bar) => bar.scrollWidth - bar.clientWidth") == 0


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_seconds_in_the_log_of_a_session_stay_beside_their_unit(visit, language):
    marked_set(3)
    client = Client(moment=moment_now() - 100 * SECOND)
    client.send(client.next(1).slot, 90.5, data=b"no JSON")

    page = visit(client.person, f"/exchange/{client.session.pk}/", language=language, **PHONE)

    seconds = page.locator(".log td.num").filter(has_text="89")
    lines = "cell => { const text = document.createRange(); text.selectNodeContents(cell);"
    lines += " return new Set([...text.getClientRects()].map(({ top }) => top)).size }"
    assert seconds.evaluate(lines) == 1


def test_the_codes_used_last_are_whole_on_a_phone(desk):
    screen = desk(TEXT, **PHONE)
    screen.choose(28, 33).page.locator("#codes").get_by_role("button", name="А.лекс").tap()
    screen.saved(1)
    screen.choose(28, 33)

    row = screen.page.locator("#recent").bounding_box()
    last = screen.page.locator("#recent .code").bounding_box()

    assert last["height"] >= 40
    assert row["y"] <= last["y"]
    assert last["y"] + last["height"] <= row["y"] + row["height"]


def test_what_a_third_check_decided_has_the_width_of_the_window(visit):
    made = thirds()
    page = visit(made.first.author, f"/markups/{made.submit().pk}/settled/?all=1", **PHONE)

    cells = page.locator(".settlement td.a-no")
    widths = cells.evaluate_all("(all) => all.map((each) => each.offsetWidth)")
    assert len(widths) == 6
    assert min(widths) > 300


def test_a_phone_names_no_key_beside_the_search_of_codes(desk):
    screen = desk(TEXT, **PHONE)
    screen.choose(28, 33).page.locator("#find").fill("лекс")
    expect(screen.page.locator("#hit-code")).to_have_text("А.лекс")

    expect(screen.page.locator("#palette kbd:visible")).to_have_count(0)


def test_what_was_undone_has_air_at_both_sides_on_a_phone(desk):
    screen = desk(TEXT, fragment(28, 33), **PHONE)
    screen.press("j", "Delete").saved(1).press("Control+z").saved(2)
    said = screen.page.locator("#toast p")
    expect(said).to_be_visible()

    left, right = said.evaluate(
        "(own) => ['paddingLeft', 'paddingRight'].map((side) => getComputedStyle(own)[side])"
    )

    assert left == right
