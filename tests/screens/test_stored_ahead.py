"""A change is saved with the head of its answer; what is cut off after that comes by itself."""

from __future__ import annotations

from contextlib import closing

import pytest
from django.contrib.sessions.models import Session
from django.utils.timezone import localtime
from playwright.sync_api import expect

from annotator.models import Assignment, MarkupRecord, SeenHint
from annotator.services.drafts import delete_fragment
from annotator.services.hints import put_away
from tests.annotator.drafts import draft_of
from tests.e2e.visitor import session_of
from tests.screens.desk import Desk
from tests.screens.relay import Relay
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import comment, mark_some, notice, open_card, state
from tests.strategies import fragment

pytestmark = pytest.mark.full

KEPT = "Object.keys(localStorage).filter((name) => /waiting/.test(name))"


@pytest.fixture
def relay(site, visitors):
    """What the browser says of a connection that ends is expected."""
    with closing(Relay(site.port)) as opened:
        yield opened
    visitors.watch.problems.clear()


@pytest.fixture
def ahead(relay, visitors):
    """The marking screen of a draft, behind the relay."""

    def opened(*fragments):
        record = draft_of(TEXT, *fragments)
        for hint in SeenHint.Hint.values:
            put_away(user=record.author, hint=hint)
        page = visitors.page("en")
        page.context.add_cookies([session_of(record.author, relay.url)])
        page.goto(f"{relay.url}/markups/{record.pk}/")
        page.wait_for_load_state("networkidle")
        return Desk(page, record).ready().into_text()

    return opened


def pending(screen):
    return screen.page.locator("#marks > [data-pending]")


def codes(screen):
    return screen.page.locator("#marks > [data-mark]:not([hidden]) b")


def version_of(record):
    return MarkupRecord.objects.get(pk=record.pk).version


def posts_of(screen):
    """The changes that are sent from now on."""
    found = []

    def note(request):
        if request.method == "POST" and "/activity/" not in request.url:
            found.append(request.post_data)

    screen.page.on("request", note)
    return found


def head_came(screen, relay):
    """To the relay and to the page: a connection that ends takes along what was not read."""
    relay.held()
    state(screen, "saved")


def stored(ahead, relay):
    """A mark is stored: the head of the answer has come, and nothing behind it."""
    screen = ahead()
    relay.hold()
    mark_some(screen)
    head_came(screen, relay)
    return screen


def test_a_change_is_saved_as_soon_as_the_head_is_there_and_shown_with_the_rest(ahead, relay):
    screen = stored(ahead, relay)

    assert (screen.version(), version_of(screen.record)) == (0, 1)
    assert screen.page.evaluate(KEPT) == []
    expect(pending(screen)).to_have_count(1)
    relay.go()
    screen.saved(1)
    expect(pending(screen)).to_have_count(0)
    expect(codes(screen)).to_have_text(["А.грамм"])


def test_the_page_says_when_a_change_was_saved_as_soon_as_the_head_is_there(ahead, relay):
    screen = ahead()
    saved_at = screen.page.locator("#saved time")
    saved_at.evaluate("(time) => { time.textContent = 'earlier'; }")
    relay.hold()

    mark_some(screen)
    head_came(screen, relay)

    record = MarkupRecord.objects.get(pk=screen.record.pk)
    expect(saved_at).to_have_text(f"{localtime(record.saved_at):%H:%M}")
    relay.go()
    screen.saved(1)


def mark(screen):
    mark_some(screen)


def delete(screen):
    activate(screen).press("Delete")


def write(screen):
    comment(open_card(screen)).fill("why so")
    screen.press("Control+Enter")


def state_points(screen):
    screen.own_points()
    screen.page.locator("#stated [name=K3]").fill("2")
    screen.press("Tab")


CHANGES = {each.__name__: each for each in (mark, delete, write, state_points)}
LEFT = {"mark": ["А.грамм", "А.грамм"], "delete": []}
LOOK = (
    "[...document.querySelectorAll('#essay span')].map((each) => [each.dataset.m, each.innerText])"
)


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_is_cut_off_after_its_head_loses_and_doubles_nothing(ahead, relay, change):
    screen = ahead(fragment(5, 11))
    sent = posts_of(screen)
    relay.hold()

    CHANGES[change](screen)
    head_came(screen, relay)
    relay.cut()
    expect(notice(screen)).to_be_empty()

    screen.saved(1)
    expect(notice(screen)).to_be_empty()
    expect(codes(screen)).to_have_text(LEFT.get(change, ["А.грамм"]))
    expect(pending(screen)).to_have_count(0)
    assert [code for (code,) in screen.marks("code")] == LEFT.get(change, ["А.грамм"])
    assert version_of(screen.record) == 1
    uids = {each.split("uid=")[1].split("&")[0] for each in sent}
    assert (len(sent), len(uids)) == (2, 1)
    before = screen.page.evaluate(LOOK)
    screen.page.reload()
    screen.ready().saved(1)
    assert screen.page.evaluate(LOOK) == before


def test_the_card_of_a_new_mark_comes_all_the_same(ahead, relay):
    screen = stored(ahead, relay)

    relay.cut()

    screen.saved(1)
    expect(screen.page.locator("#cards form")).to_be_visible()


def test_a_page_that_goes_after_the_head_sends_nothing_again(ahead, relay):
    screen = ahead()
    sent = posts_of(screen)
    relay.hold()
    mark_some(screen)
    head_came(screen, relay)

    screen.page.reload()
    screen.ready().saved(1)
    relay.cut()

    expect(codes(screen)).to_have_text(["А.грамм"])
    assert (len(sent), screen.marks("start")) == (1, [(0,)])


def test_a_page_written_before_the_head_and_shown_after_it_catches_up(ahead, relay):
    screen = ahead()
    before = screen.page.request.get(screen.page.url)
    relay.hold()
    mark_some(screen)
    head_came(screen, relay)
    screen.page.route(screen.page.url, lambda route: route.fulfill(response=before))

    screen.page.reload()
    relay.go()

    screen.ready().saved(1)
    expect(codes(screen)).to_have_text(["А.грамм"])


@pytest.mark.parametrize("leave", [(), ("Escape", "Escape")])
def test_a_card_asked_for_before_the_rest_of_a_saved_one_opens(ahead, relay, leave):
    screen = ahead(fragment(5, 11), fragment(12, 17))
    comment(open_card(screen)).fill("why so")
    relay.hold()
    screen.press("Control+Enter")
    head_came(screen, relay)

    screen.press(*leave, "j", "e")
    relay.go()

    form = screen.page.locator("#cards form")
    second = screen.page.locator("#marks > [data-start='12']").get_attribute("data-mark")
    expect(form).to_have_attribute("data-number", second)
    expect(comment(screen)).to_have_value("")
    assert screen.marks("comment") == [("why so",), ("",)]


def test_what_is_done_between_the_head_and_the_rest_goes_on_from_there(ahead, relay):
    screen = stored(ahead, relay)

    screen.press("Control+z")
    expect(codes(screen)).to_have_count(0)
    state(screen, "saving")
    relay.cut()

    screen.saved(2)
    expect(notice(screen)).to_be_empty()
    expect(codes(screen)).to_have_count(0)
    assert screen.marks() == []


def test_a_network_that_stays_away_after_the_head_keeps_what_comes_later_in_order(ahead, relay):
    screen = stored(ahead, relay)
    screen.page.context.set_offline(True)
    relay.cut()
    state(screen, "saved")
    expect(notice(screen)).to_be_empty()

    screen.press("Control+ArrowRight", "Control+Shift+ArrowRight").letters("jha").press("Enter")
    state(screen, "offline")
    expect(notice(screen).locator("li")).to_have_count(1)
    screen.page.context.set_offline(False)

    screen.saved(2)
    expect(notice(screen)).to_be_empty()
    assert [code for (code,) in screen.marks("code")] == ["А.грамм", "А.орф"]


def test_a_check_that_is_closed_after_the_head_keeps_the_change_and_asks_nothing(
    ahead, relay, visitors
):
    visitors.watch.expected.add(409)
    screen = stored(ahead, relay)
    Assignment.objects.filter(pk=screen.record.assignment_id).update(state="withdrawn")

    relay.cut()
    with screen.page.expect_response(lambda answer: answer.status == 409):
        pass

    expect(notice(screen)).to_be_empty()
    state(screen, "saved")
    assert screen.marks("code") == [("А.грамм",)]
    screen.press("Control+ArrowRight", "Control+Shift+ArrowRight").letters("jha").press("Enter")
    state(screen, "closed")


def test_who_was_logged_out_after_the_head_is_asked_to_log_in(ahead, relay):
    screen = stored(ahead, relay)
    Session.objects.all().delete()

    relay.cut()

    state(screen, "login")
    assert screen.marks("code") == [("А.грамм",)]


def test_words_for_a_mark_that_was_deleted_elsewhere_after_the_head_ask_nothing(
    ahead, relay, visitors
):
    visitors.watch.expected.add(404)
    screen = ahead(fragment(5, 11), fragment(12, 17))
    relay.hold()
    write(screen)
    head_came(screen, relay)
    row = screen.record.fragments.order_by("start").first()
    delete_fragment(record=MarkupRecord.objects.get(pk=screen.record.pk), version=1, row=row)

    relay.cut()

    screen.saved(2)
    expect(notice(screen)).to_be_empty()
    expect(codes(screen)).to_have_count(1)
