"""A script or a part of the page that does not come: it is said, and asked for again."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import close
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.screens.desk import first, holding
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import mark_some, notice, state
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
LATER = (
    "The card opens once the connection is back: until then its fields take no words. "
    "Marks are kept."
)


@pytest.fixture
def failing(visitors):
    """Requests to an address fail, so many times; what the browser says of it is expected."""

    def fail(screen, address, times=1):
        """``times``: of how many requests; ``None`` of all, until the address is unrouted."""
        screen.page.route(address, lambda route: route.abort(), times=times)

    yield fail
    visitors.watch.problems.clear()


def without(screen, failing, address):
    """The page anew, a script of which does not come until its address is unrouted."""
    failing(screen, address, times=None)
    screen.page.reload()
    screen.ready().page.wait_for_load_state("networkidle")


def told(screen, words=UNREACHABLE):
    expect(screen.page.locator("#told")).to_have_text(words)


def test_a_button_that_is_pressed_before_the_scripts_have_come_acts_once_they_have(desk):
    screen = desk(TEXT, fragment(5, 11))
    late = []

    def keep(route):
        late.append(route)

    screen.page.route("**/marking/main*.js*", keep)
    screen.page.reload(wait_until="commit")

    screen.page.click("#to-submit")
    screen.page.click("#to-submit")  # nothing came of it: once more
    expect(screen.page.locator("#submission")).to_be_hidden()
    late[0].continue_()

    expect(screen.page.locator("#submission")).to_be_visible()
    screen.press("Escape")
    expect(screen.page.locator("#submission")).to_be_hidden()


def test_a_key_whose_script_does_not_come_is_said_and_the_other_keys_go_on(desk, failing):
    screen = desk(TEXT, fragment(5, 11))
    without(screen, failing, "**/borders*.js*")
    activate(screen)

    screen.press("b")
    told(screen)
    screen.page.unroute("**/borders*.js*")
    screen.press("e")
    expect(screen.page.locator("#cards form")).to_be_visible()
    screen.press("Escape", "b", "ArrowRight", "Enter").saved(1)

    assert screen.marks("start", "end") == [(5, 12)]
    told(screen, "")


def test_painting_that_did_not_come_at_first_comes_with_the_next_change(desk, failing):
    screen = desk(TEXT)
    without(screen, failing, "**/painting*.js*")
    screen.into_text()
    screen.page.unroute("**/painting*.js*")
    with screen.page.expect_response("**/painting*.js*"):
        mark_some(screen).saved(1)
    screen.page.context.set_offline(True)

    mark_some(screen, "jha")

    expect(screen.page.locator("#marks > [data-pending]")).to_have_count(1)
    screen.page.context.set_offline(False)
    screen.saved(2)


def test_painting_that_does_not_come_is_asked_for_with_changes_and_not_over_and_over(desk, failing):
    screen = desk(TEXT)
    without(screen, failing, "**/painting*.js*")
    asked = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.context.set_offline(True)

    mark_some(screen.into_text())
    state(screen, "offline")
    screen.page.evaluate(
        """new Promise((done) => {
          const wait = (left) => (left ? requestAnimationFrame(() => wait(left - 1)) : done());
          wait(30);
        })"""
    )

    assert 1 <= len([each for each in asked if "/painting" in each]) <= 3


@pytest.mark.usefixtures("failing")
def test_what_waited_for_a_moment_is_not_said_once_the_script_that_says_it_comes(desk):
    screen = desk(TEXT)
    held = holding(screen, "**/waiting*.js*")
    screen.page.reload()
    screen.ready().page.context.set_offline(True)
    mark_some(screen)
    state(screen, "offline")
    screen.page.context.set_offline(False)
    screen.saved(1)

    first(screen, held).continue_()
    screen.page.evaluate(
        "import(JSON.parse(document.getElementById('desk').dataset.scripts).waiting)"
    )

    assert notice(screen).inner_html() == ""


def test_the_script_of_borders_is_there_before_the_key_without_a_mouse_too(desk):
    screen = desk(TEXT, fragment(5, 11))

    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)
    activate(screen)
    screen.press("b", "ArrowRight", "Escape")
    screen.page.context.set_offline(False)

    told(screen, "")


def test_words_are_found_in_a_cut_that_came_before_the_first_search(desk):
    screen = desk(TEXT)
    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)

    screen.into_text().press("f").write("people").press("Escape")

    assert sorted(screen.selection()) == [5, 11]
    screen.page.context.set_offline(False)
    told(screen, "")


def test_finding_words_without_a_connection_says_so_and_escape_closes_the_box(desk, failing):
    screen = desk(TEXT)
    without(screen, failing, "**/search*.js*")
    screen.into_text()

    screen.press("f")
    told(screen)
    screen.page.unroute("**/search*.js*")
    screen.write("people").press("Escape")
    expect(screen.page.locator("#search")).to_be_hidden()
    assert screen.focused() == "essay"
    screen.press("f")

    expect(screen.page.locator("#search-count")).to_have_text("1 / 2")


def test_the_box_looks_again_by_enter_once_the_network_is_back(desk, failing):
    screen = desk(TEXT)
    without(screen, failing, "**/search*.js*")
    screen.into_text()

    screen.press("f").write("people")
    told(screen)
    screen.page.unroute("**/search*.js*")
    screen.press("Enter")

    expect(screen.page.locator("#search-count")).to_have_text("1 / 2")


def test_a_card_to_be_read_that_does_not_come_is_said(desk, failing):
    screen = desk(TEXT, fragment(5, 11))
    found = MarkupRecord.objects.filter(pk=screen.record.pk)
    found.update(state="submitted", submitted_at=timezone.now())
    screen.page.reload()
    screen.ready()
    failing(screen, "**/fragments/*/")
    activate(screen)

    screen.press("e")
    told(screen, LATER)
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
    expect(screen.page.locator("#cards form[data-stand-in]")).to_be_visible()
    screen.page.unroute("**/fragments/**")
    screen.page.evaluate("dispatchEvent(new Event('online'))")

    screen.saved(1)
    assert screen.marks("start") == [(5,), (0,)]


@pytest.mark.usefixtures("failing")
def test_what_is_done_while_the_rest_is_tried_once_more_is_named_with_it(desk):
    screen = desk(TEXT, fragment(28, 33)).furnished()
    screen.page.route("**/fragments/**", lambda route: route.abort())
    mark_some(screen)
    expect(screen.page.locator("#waiting li")).to_have_text(["Some · А.грамм"])
    screen.page.unroute("**/fragments/**")
    held = holding(screen, "**/fragments/**")

    screen.page.evaluate("dispatchEvent(new Event('online'))")
    first(screen, held)
    screen.choose(5, 11).press(".")

    waiting = ["Some · А.грамм", "people · А.грамм"]
    expect(screen.page.locator("#waiting li")).to_have_text(waiting, timeout=1_000)


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


HEARD = """
window.heard = [];
new MutationObserver(() => window.heard.push(document.getElementById("told").textContent))
  .observe(document.getElementById("told"), { childList: true });
"""
"""All that the status line says from now on."""


def heard(screen):
    return {words for words in screen.page.evaluate("window.heard") if words}


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("is_in_list", [True, False])
def test_a_card_of_a_mark_that_is_gone_is_no_matter_of_the_connection(desk, is_in_list):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    screen.page.evaluate(HEARD)
    MarkupRecord.objects.get(pk=screen.record.pk).fragments.all().delete()
    if not is_in_list:
        screen.page.evaluate("document.querySelector('#marks > [data-mark]').remove()")

    screen.click(6)

    told(screen, "This mark is gone: it was deleted elsewhere.")
    assert heard(screen) == {"This mark is gone: it was deleted elsewhere."}


@pytest.mark.usefixtures("failing")
def test_a_card_of_a_check_that_is_closed_says_so(desk):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    screen.page.evaluate(HEARD)
    record = MarkupRecord.objects.get(pk=screen.record.pk)
    record.fragments.all().delete()
    Assignment.objects.filter(pk=record.assignment_id).update(state="withdrawn")

    screen.click(6)

    told(screen, "This check is closed to changes.")
    assert heard(screen) == {"This check is closed to changes."}


@pytest.mark.usefixtures("failing")
def test_a_card_of_what_one_may_read_no_more_says_so(desk):
    record = draft_of(TEXT, fragment(5, 11))
    close(record)
    screen = desk(record=record, user=PersonFactory(role="coordinator"))
    screen.page.evaluate(HEARD)
    MarkupRecord.objects.filter(pk=record.pk).update(state="draft")

    screen.click(6)

    told(screen, "This is not open to you any more.")
    assert heard(screen) == {"This is not open to you any more."}


def test_tags_and_the_map_that_did_not_come_with_the_page_come_by_themselves(desk, failing):
    screen = desk(TEXT, fragment(5, 11, "А.грамм", tag="множ12"))
    failing(screen, "**/marking/around*.js*", times=1)
    screen.page.reload()
    screen.ready()

    expect(screen.page.locator("#map .mistake")).to_have_count(1)
