"""A script or a part of the page that does not come: it is said, and asked for again."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import mark_some
from tests.strategies import fragment

pytestmark = pytest.mark.full

HASTY = """
const { get, set } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "timeout");
Object.defineProperty(XMLHttpRequest.prototype, "timeout", {
  get, set(milliseconds) { set.call(this, milliseconds / 20); },
});
"""
"""A browser that waits for answers a twentieth of the time it is told to."""
PATIENT = """
window.patience = [];
const { set } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "timeout");
Object.defineProperty(XMLHttpRequest.prototype, "timeout", {
  set(milliseconds) { window.patience.push(milliseconds); set.call(this, milliseconds); },
});
"""
"""A browser that tells how long it was told to wait: all requests, in order."""
SHORT, TWICE = 10_000, 2
UNREACHABLE = "No connection to the server: this did not come. Try again."


@pytest.fixture
def failing(visitors):
    """Requests to an address fail, so many times; what the browser says of it is expected."""

    def fail(screen, address, times=1):
        screen.page.route(address, lambda route: route.abort(), times=times)

    yield fail
    visitors.watch.problems.clear()


def without(screen, failing, address, times):
    """The page anew, a script of which does not come at rest, and so many times in all."""
    failing(screen, address, times=times)
    screen.page.reload()
    screen.ready().page.wait_for_load_state("networkidle")


def told(screen, words=UNREACHABLE):
    expect(screen.page.locator("#told")).to_have_text(words)


def test_a_key_whose_script_does_not_come_is_said_and_the_other_keys_go_on(desk, failing):
    screen = desk(TEXT, fragment(5, 11))
    without(screen, failing, "**/borders*.js*", 3)  # at rest, by the focus, and asked for
    activate(screen)

    screen.press("b")
    told(screen)
    screen.press("e")
    expect(screen.page.locator("#cards form")).to_be_visible()
    screen.press("Escape", "b", "ArrowRight", "Enter").saved(1)

    assert screen.marks("start", "end") == [(5, 12)]
    told(screen, "")


def test_painting_that_did_not_come_at_first_comes_with_the_next_change(desk, failing):
    screen = desk(TEXT)
    without(screen, failing, "**/painting*.js*", 2)  # at rest, and by the focus
    screen.into_text()
    with screen.page.expect_response("**/painting*.js*"):
        mark_some(screen).saved(1)
    screen.page.context.set_offline(True)

    mark_some(screen, "jha")

    expect(screen.page.locator("#marks > [data-pending]")).to_have_count(1)
    screen.page.context.set_offline(False)
    screen.saved(2)


def test_the_script_of_borders_is_there_before_the_key_without_a_mouse_too(desk):
    screen = desk(TEXT, fragment(5, 11))

    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)
    activate(screen)
    screen.press("b", "ArrowRight", "Escape")
    screen.page.context.set_offline(False)

    told(screen, "")


def test_finding_words_without_a_connection_says_so_and_escape_closes_the_box(desk, failing):
    screen = desk(TEXT).into_text()
    failing(screen, "**/search*.js*", times=1)

    screen.press("f")
    told(screen)
    screen.write("people").press("Escape")
    expect(screen.page.locator("#search")).to_be_hidden()
    assert screen.focused() == "essay"
    screen.press("f")

    expect(screen.page.locator("#search-count")).to_have_text("1 / 2")


def test_the_box_looks_again_by_enter_once_the_network_is_back(desk, failing):
    screen = desk(TEXT).into_text()
    failing(screen, "**/search*.js*")

    screen.press("f").write("people")
    told(screen)
    screen.press("Enter")

    expect(screen.page.locator("#search-count")).to_have_text("1 / 2")


@pytest.mark.parametrize("editable", [True, False])
def test_a_card_that_does_not_come_is_said(desk, failing, editable):
    screen = desk(TEXT, fragment(5, 11))
    if not editable:
        found = MarkupRecord.objects.filter(pk=screen.record.pk)
        found.update(state="submitted", submitted_at=timezone.now())
        screen.page.reload()
        screen.ready()
    failing(screen, "**/fragments/*/")
    activate(screen)

    screen.press("e")
    told(screen)
    screen.press("e")

    expect(screen.page.locator("#cards .card")).to_be_visible()
    told(screen, "")


def test_a_guide_that_does_not_come_is_said_in_it_and_comes_the_next_time(desk, failing):
    screen = desk(TEXT).into_text()
    failing(screen, "**/classifiers/**")

    screen.press("g")
    expect(screen.page.locator("#guide [role=alert]")).to_have_text(UNREACHABLE)
    screen.press("Escape", "g")

    expect(screen.page.locator("#guide [role=alert]")).to_be_empty()
    expect(screen.page.locator("#classifier")).to_contain_text("А.грамм")


@pytest.mark.usefixtures("failing")
def test_a_network_that_swallows_everything_is_said_and_all_goes_once_it_answers(desk):
    screen = desk(TEXT, fragment(5, 11))
    screen.page.evaluate(HASTY)
    screen.page.route("**/fragments/**", lambda _route: None)

    mark_some(screen)
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "offline")
    expect(screen.page.locator("#waiting li")).to_have_text("Some · А.грамм")
    activate(screen, 1).press("e")
    told(screen)
    screen.page.unroute("**/fragments/**")
    screen.page.evaluate("dispatchEvent(new Event('online'))")

    screen.saved(1)
    assert screen.marks("start") == [(5,), (0,)]


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("arrives", [True, False])
def test_a_request_that_is_swallowed_is_made_again_by_itself_and_the_change_once(desk, arrives):
    screen = desk(TEXT)
    screen.page.wait_for_load_state("networkidle")
    screen.page.evaluate(f"() => {{{HASTY}}}")
    screen.page.evaluate(f"() => {{{PATIENT}}}")
    sent = []

    def swallow(route):
        sent.append(route.request.post_data)
        if len(sent) > 1:
            route.continue_()
        elif arrives:
            route.fetch()

    screen.page.route("**/fragments/**", swallow)
    mark_some(screen).saved(1)

    assert min(screen.page.evaluate("window.patience")) < SHORT
    assert len(sent) == TWICE
    assert sent[0] == sent[1]
    assert screen.marks("start") == [(0,)]
