"""The sheet before a submission: what keeps the check back, the points, the next essay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotator.core.values import Fragment, Span
from annotator.models import MarkupRecord
from annotator.services.markup import submit_markup
from annotator.services.recalling import settle
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory
from tests.screens.test_small_windows import PHONE, TEXT
from tests.strategies import fragment

pytestmark = pytest.mark.full

UNCOVERED = """(own) => {
  const { x, y, width, height } = own.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return own === found || own.contains(found) || found.form === own.form;
}"""
"""Does nothing lie over the middle of it? A press on a disabled button meets what holds it."""


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
def test_the_sheet_leads_to_the_problem_that_keeps_the_check_back(desk, options):
    screen = desk(TEXT, fragment(0, 4), Fragment(Span(28, 33), "ИСП"), **options)
    screen.page.locator("#to-submit").click()
    problem = screen.page.locator("#checklist .blocks button").first

    expect(problem).to_be_focused()
    expect(problem).to_be_in_viewport()
    expect(screen.page.locator("#hand-in")).to_be_disabled()
    expect(screen.page.locator("#kept-back")).to_be_visible()
    screen.page.keyboard.press("Enter")
    expect(screen.page.locator("#cards h2 b")).to_have_text("ИСП")
    screen.page.locator("#card-correction").fill("like")
    screen.page.locator("#cards .acts .primary").click()
    screen.saved(1)

    expect(screen.page.locator("#hand-in")).to_be_enabled()
    expect(screen.page.locator("#checklist h3")).to_have_text("Worth a second look, 1")
    expect(screen.page.locator("#no-remarks")).to_be_hidden()


@pytest.mark.parametrize("is_open", [False, True], ids=["no card", "another card"])
def test_the_line_of_a_crossing_leads_to_its_mark_whose_borders_move_at_once(desk, is_open):
    marks = [fragment(0, end) for end in (7, 8, 9)]
    screen = desk(TEXT, *marks, fragment(5, 11, "А.лекс"), fragment(28, 33, "А.орф")).into_text()
    if is_open:
        screen.click(30)
        screen.page.locator("#cards form").wait_for()
    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#checklist [data-count]")).to_have_text("3")
    expect(screen.page.locator("#checklist .blocks button").first).to_be_focused()

    screen.press("Enter")
    expect(screen.page.locator("#essay")).to_be_focused()
    screen.press("b")
    expect(screen.page.locator("#desk")).to_have_class(re.compile("moving"))
    screen.press("Shift+ArrowLeft", *["Shift+ArrowLeft"] * 4, "Enter").saved(1)

    assert screen.marks("start", "end", "code")[3] == (0, 11, "А.лекс")
    expect(screen.page.locator("#checklist .blocks")).to_have_count(0)
    expect(screen.page.locator("#submission")).to_be_visible()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "375 px"])
@pytest.mark.parametrize(("key", "hint"), [("b", "moving"), ("l", "linking")])
def test_what_a_key_asks_for_is_said_beside_the_open_sheet(desk, options, key, hint):
    screen = desk(TEXT, fragment(5, 11), **options).into_text()
    screen.press("h", "Escape", "k", "h").into_text()
    expect(screen.page.locator("#submission")).to_be_visible()

    screen.press(key)
    said = screen.page.locator(f"#{hint}")
    expect(said).to_be_visible()
    expect(said).to_be_in_viewport(ratio=1)
    expect(screen.page.locator("#codes")).to_be_hidden()
    screen.press("Escape")

    expect(said).to_be_hidden()
    expect(screen.page.locator("#hand-in")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768), (1280, 640)])
def test_the_buttons_of_the_sheet_are_in_sight_however_much_keeps_the_check_back(
    desk, width, height
):
    crossing = [fragment(at, at + 6, "А.лекс") for at in (0, 3, 6, 9)]
    screen = desk(TEXT, *crossing, viewport={"width": width, "height": height}).into_text()

    screen.press("h")
    expect(screen.page.locator("#checklist .blocks").first).to_be_visible()

    for name in ("hand-in-next", "hand-in", "kept-back"):
        button = screen.page.locator(f"#{name}")
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate(UNCOVERED)


def test_the_sheet_tells_the_rule_behind_the_points_and_escape_leads_back(desk):
    marks = [fragment(at, at + 1, "А.грамм") for at in range(0, 20, 2)]
    screen = desk(TEXT, *marks).into_text()

    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#points .why")).to_contain_text(
        "K4 = 0 А.грамм: 10 different, at most 7 for a point more"
    )
    expect(screen.page.locator("#palette")).to_be_hidden()
    screen.press("Escape")

    expect(screen.page.locator("#palette")).to_be_visible()
    expect(screen.page.locator("#points .why")).to_be_hidden()


@pytest.mark.parametrize("how", ["mouse", "keys", "search"])
def test_whoever_marks_on_beside_the_sheet_has_the_codes_again(desk, how):
    screen = desk(TEXT, fragment(0, 4)).into_text()
    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#palette")).to_be_hidden()

    if how == "mouse":
        screen.drag(5, 11)
    else:
        screen.into_text().press("Control+Home", "Control+ArrowRight")
        screen.press("/" if how == "search" else "Control+Shift+ArrowRight")

    expect(screen.page.locator("#palette")).to_be_visible()
    if how == "search":
        screen.press("Escape", "Control+Shift+ArrowRight")
    screen.letters("jha").press("Enter").saved(1)
    assert screen.marks("start", "code") == [(0, "А.грамм"), (5, "А.орф")]


def test_on_a_phone_the_words_stay_under_the_finger_when_the_sheet_gives_way(desk):
    screen = desk("\n".join([TEXT] * 40), fragment(0, 4), **PHONE)
    screen.page.locator("#to-submit").tap()
    expect(screen.page.locator("#submission")).to_be_visible()
    at = screen.record.essay.text.index("people", 900)
    x, y = screen.middle(at, at + 6)
    screen.page.evaluate("(y) => scrollBy(0, y - 200)", y)
    x, y = screen.middle(at, at + 6)

    screen.page.touchscreen.tap(x, y)

    expect(screen.page.locator("#submission")).to_be_hidden()
    expect(screen.page.locator("#palette")).to_be_visible()
    assert screen.middle(at, at + 6) == pytest.approx((x, y), abs=1)


def test_a_key_opens_the_sheet_where_one_reads_and_escape_leads_back_there(desk):
    screen = desk("\n".join([TEXT] * 40), fragment(0, 4)).into_text()
    screen.press("Control+End")
    before = screen.page.evaluate("scrollY")

    screen.press("h")
    expect(screen.page.locator("#submission")).to_be_focused()
    assert screen.page.evaluate("scrollY") == before > 0
    screen.press("Escape")

    expect(screen.page.locator("#submission")).to_be_hidden()
    expect(screen.page.locator("#essay")).to_be_focused()
    assert screen.page.evaluate("scrollY") == before


@pytest.mark.parametrize("tags", [0, 6])
def test_why_a_check_was_not_submitted_hides_no_button_of_the_sheet(ready, visitors, tags):
    marks = [fragment(at, at + 3, tag=f"т{at}") for at in range(0, 4 * tags, 4)]
    screen = ready(TEXT, *marks, viewport={"width": 1366, "height": 768}, language="ru")
    screen.press("h")
    expect(screen.page.locator("#submission")).to_be_focused()
    screen.press("Escape").page.context.set_offline(True)
    screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")

    screen.press("Escape", "h", "Control+Enter")
    expect(screen.page.locator("#notice")).not_to_be_empty()

    expect(screen.page.locator("#submission")).to_be_focused()
    expect(screen.page.locator("#hand-in-next")).to_be_in_viewport(ratio=1)
    expect(screen.page.locator("#notice")).to_be_in_viewport(ratio=1)
    visitors.watch.problems.clear()


def test_pressed_twice_the_button_leaves_the_sheet_open(desk):
    screen = desk(TEXT, fragment(0, 4))

    screen.page.locator("#to-submit").dblclick()
    expect(screen.page.locator("#submission")).to_be_focused()
    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#submission")).to_be_focused()
    screen.page.get_by_role("button", name="Back to marking").click()

    expect(screen.page.locator("#submission")).to_be_hidden()
    expect(screen.page.locator("#to-submit")).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("words", ["with ", "much\n", "of the third person "])
def test_words_typed_in_the_text_submit_no_check(desk, words):
    screen = desk(TEXT, fragment(28, 33)).into_text()
    AssignmentFactory(expert=screen.record.author)

    screen.write(words)
    screen.page.wait_for_load_state("networkidle")

    expect(screen.page.locator("#essay")).to_have_text(TEXT)
    assert MarkupRecord.objects.get(pk=screen.record.pk).state == "draft"


def test_letters_in_the_sheet_are_no_commands(desk):
    screen = desk(TEXT, fragment(28, 33)).into_text().press("k", "h")
    expect(screen.page.locator("#submission")).to_be_focused()

    screen.write("go to school by foot, j k 1")

    expect(screen.page.locator("#submission")).to_be_focused()
    for name in ("search", "linking", "moving"):
        expect(screen.page.locator(f"#{name}")).to_be_hidden()


def test_one_press_submits_the_check_and_opens_the_next_one(desk):
    screen = desk(TEXT, fragment(0, 4))
    following = AssignmentFactory(expert=screen.record.author)

    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#submission")).to_be_focused()
    screen.press("Control+Enter")

    expect(screen.page.locator("h1")).to_have_text(f"Essay {following.essay.number}")
    screen.ready()
    assert MarkupRecord.objects.get(pk=screen.record.pk).state == "submitted"


def test_pressed_twice_while_the_server_is_asked_a_check_is_sent_once_with_all_there_is(desk):
    screen = desk(TEXT, fragment(0, 4))
    held, sent = [], []
    screen.page.route("**/submission*.js", lambda route: hold(route, held))
    screen.page.on("request", lambda asked: asked.method == "POST" and sent.append(asked.url))
    screen.page.locator("#to-submit").click()
    screen.page.locator("#hand-in").click()
    expect(screen.page.locator("#hand-in")).to_be_disabled()
    screen.page.evaluate("document.getElementById('submit').requestSubmit()")

    with screen.page.expect_navigation(url="**/queue/"):
        for route in held:
            route.continue_()

    assert len([each for each in sent if each.endswith("/submit/")]) == 1


def hold(route, held):
    if route.request.method == "HEAD":
        held.append(route)
    else:
        route.continue_()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_the_points_of_the_next_check_are_whole_below_what_was_said(desk, width, height):
    screen = desk(TEXT, fragment(0, 4), viewport={"width": width, "height": height})
    AssignmentFactory(expert=screen.record.author)
    screen.page.locator("#to-submit").click()
    screen.page.locator("#hand-in-next").click()
    screen.page.wait_for_url(lambda url: not url.endswith(f"/markups/{screen.record.pk}/"))
    screen.ready()

    points = screen.page.locator(".points").bounding_box()
    status = screen.page.locator(".status").bounding_box()

    assert screen.page.locator(".messages, .recallable").count() > 0
    assert points["y"] + points["height"] <= status["y"]


def test_one_key_opens_the_next_essay_from_the_queue_and_from_a_check_that_is_done(visit):
    record = draft_of(TEXT)
    next_one = AssignmentFactory(expert=record.author, essay__essay_set=record.essay.essay_set)
    page = visit(record.author, "/queue/")

    page.keyboard.press("n")
    expect(page.locator("#to-submit")).to_be_visible()
    assert page.url.endswith(f"/markups/{record.pk}/")
    page.keyboard.press("n")  # of a draft it opens nothing
    page.locator("#to-submit").click()
    expect(page.locator("#hand-in")).to_be_visible()
    page.locator("#hand-in").press("Enter")
    expect(page.locator(".messages")).to_contain_text("is submitted")
    page.goto(f"/markups/{record.pk}/")
    page.wait_for_selector("#desk[data-ready]")
    expect(page.locator(".hints")).to_contain_text("next essay")
    page.keyboard.press("n")

    expect(page.locator("h1").first).to_contain_text(next_one.essay.number)
    expect(page.locator("#to-submit")).to_be_visible()


def test_when_the_time_to_recall_is_over_the_page_says_so_and_leads_to_the_list(visit, settings):
    settings.RECALL_SECONDS = 8
    record = draft_of(TEXT, fragment(0, 4))
    page = visit(record.author, "/practice/")
    submit_markup(record=record, version=record.version)
    page.goto("/queue/")
    banner = page.locator(".recallable")
    expect(banner).to_contain_text("” is submitted and can be recalled")
    expect(banner.get_by_role("button")).to_have_count(2)

    expect(banner).to_have_text(
        re.compile(r"^\s*The check of essay .+ is final\. To the submitted")
    )
    expect(banner.get_by_role("button")).to_have_count(0)
    settle(markup_id=record.pk)
    banner.get_by_role("link").click()

    expect(page.locator(".recallable")).to_have_count(0)
    expect(page.locator("table.done th[scope=row]")).to_have_count(1)
