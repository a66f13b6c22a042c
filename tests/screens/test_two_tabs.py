"""Two tabs of one check: what somebody has to decide about stays with the tab they are at."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotator.services.drafts import delete_fragment
from tests.annotator.drafts import draft_of
from tests.review.thirds import thirds
from tests.screens.desk import first, holding
from tests.screens.test_changing import TEXT
from tests.screens.test_kept import in_new_tab, items
from tests.screens.test_waiting import comment, mark_some, notice, open_card, state
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]

NOT_LOOKED_AT = "document.hasFocus = () => false"
"""A browser that is driven says of every tab that somebody is at it."""

HIDDEN = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
SHOWN = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))"

ALL_ANSWERED = "() => !Object.keys(localStorage).some((name) => /razbor-waiting/.test(name))"


@pytest.fixture
def gone(desk):
    """A tab with words for a mark that is gone, and another one nobody is at."""
    screen = open_card(desk(TEXT, fragment(5, 11)))
    record = screen.record
    delete_fragment(record=record, version=0, row=record.fragments.get())
    comment(screen).fill("too late")
    screen.press("Control+Enter")
    state(screen, "gone")
    other = in_new_tab(screen)
    other.page.wait_for_load_state("networkidle")
    other.page.evaluate(NOT_LOOKED_AT)
    return screen, other


def test_words_for_what_is_gone_stay_in_sight_when_their_tab_is_loaded_anew(gone):
    screen, other = gone

    screen.page.reload()

    state(screen.ready(), "gone")
    expect(items(screen)).to_have_text(["people · too late"])
    state(other, "saved")
    expect(notice(other)).to_be_empty()


def test_words_for_what_is_gone_are_shown_by_the_other_tab_when_theirs_was_closed(gone):
    screen, other = gone
    screen.page.close()
    other.page.wait_for_timeout(500)
    expect(notice(other)).to_be_empty()

    other.page.evaluate("delete document.hasFocus; dispatchEvent(new Event('focus'))")

    state(other, "gone")
    expect(items(other)).to_have_text(["people · too late"])


WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
"""A browser whose tabs take no turns: the twin that only sends."""


@pytest.mark.parametrize("naive", [False, True])
def test_of_two_open_tabs_one_sends_while_the_answer_of_the_other_is_held(desk, naive):
    screen = desk(TEXT)
    context = screen.page.context
    if naive:
        context.add_init_script(WITHOUT_LOCKS)
        screen.page.reload()
        screen.ready()
    tabs, sent, at_once = [screen, in_new_tab(screen)], [], []

    def hold(route):
        sent.append(route)

    context.route("**/fragments/", hold)
    for number, tab in enumerate(tabs):
        tab.page.bring_to_front()
        tab.choose(5 * number, 5 * number + 4).letters("uh").press("Enter")
        tab.choose(20, 21 + number).letters("uh").press("Enter")

    for _answered in range(4):
        tabs[0].page.wait_for_timeout(800)  # whoever may send has sent
        at_once.append(len(sent))
        sent.pop(0).continue_()
    context.unroute("**/fragments/")

    assert max(at_once) == (2 if naive else 1)
    for tab in tabs:
        tab.page.wait_for_function(ALL_ANSWERED)
    assert len(screen.marks()) == 4


def test_what_two_tabs_have_left_that_went_at_once_goes_in_the_order_it_was_made(desk):
    screen = desk(TEXT)
    context = screen.page.context
    context.new_page()
    context.route("**/marking/leftovers*.js*", lambda route: route.abort())  # none takes up another
    tabs = [in_new_tab(screen), in_new_tab(screen)]
    screen.page.close()
    for tab in tabs:
        tab.page.wait_for_load_state("networkidle")
    context.set_offline(True)
    for start, tab in zip((0, 5), tabs, strict=True):
        tab.page.bring_to_front()
        tab.choose(start, start + 4).letters("uh").press("Enter")
        state(tab, "offline")
    for tab in tabs:
        tab.page.close()
    context.unroute("**/marking/leftovers*.js*")
    context.set_offline(False)

    opened = in_new_tab(screen).saved(2)

    assert opened.marks("start") == [(0,), (5,)]


@pytest.fixture
def third_tabs(site, desk):  # noqa: ARG001 - the rows need the database
    """Two tabs of one third check, the older one first."""
    older = desk(record=thirds().record)
    older.page.wait_for_load_state("networkidle")
    return older, in_new_tab(older)


def test_what_is_decided_in_one_tab_stands_in_the_other_one_too(third_tabs):
    older, newer = third_tabs

    newer.into_text().press("n", "1").saved(1)
    newer.press("n", "0").saved(2)

    expect(older.page.locator("#undecided")).to_have_text("2")
    expect(older.page.locator("#marks > [data-mark]")).to_have_count(1)
    older.saved(2).into_text().press("n", "1").saved(3)
    expect(newer.page.locator("#undecided")).to_have_text("1")
    expect(newer.page.locator("#marks > [data-mark]")).to_have_count(2)


def test_a_tab_nobody_looks_at_has_what_the_other_one_made_once_somebody_does(desk):
    screen = desk(TEXT)
    screen.page.wait_for_load_state("networkidle")
    other = in_new_tab(screen)
    screen.page.evaluate(HIDDEN)
    other.into_text().press("Control+Shift+ArrowRight").letters("uh").press("Enter").saved(1)
    assert screen.version() == 0

    screen.page.evaluate(SHOWN)

    screen.saved(1)
    expect(screen.page.locator("#marks > [data-mark]")).to_have_count(1)


def test_who_has_read_the_card_as_it_is_elsewhere_by_now_is_asked_nothing(desk):
    record = draft_of(TEXT, fragment(5, 11))
    mine, other = desk(record=record).into_text(), desk(record=record).into_text()
    open_card(other)
    comment(other).fill("there")
    other.press("Control+Enter").saved(1)

    open_card(mine)
    expect(comment(mine)).to_have_value("there")
    comment(mine).fill("there and here")
    mine.press("Control+Enter")

    mine.saved(2)
    expect(notice(mine)).to_be_empty()
    assert mine.marks("comment") == [("there and here",)]


def test_own_comments_that_got_a_key_in_one_tab_have_it_in_the_other_one_too(desk):
    screen = desk(TEXT, fragment(0, 4), fragment(5, 11))
    other = in_new_tab(screen)
    other.page.wait_for_load_state("networkidle")
    for at, version in ((1, 1), (6, 2)):
        screen.click(at)
        comment(screen).fill("own words")
        screen.press("Control+Enter").saved(version)
        expect(screen.page.locator("#cards form")).to_have_count(0)

    other.saved(2)
    expect(other.page.locator("#quick")).to_contain_text("own words")
    other.into_text().choose(13, 16).press("1").saved(3)

    assert other.marks("start", "comment")[-1] == (13, "own words")


def test_a_page_shows_what_another_tab_made_before_its_scripts_had_come(desk):
    screen = desk(TEXT, fragment(5, 11))
    other = in_new_tab(screen)
    screen.page.wait_for_load_state("networkidle")
    held = holding(other, re.compile("marking/leftovers"))
    other.page.reload()
    other.ready()

    mark_some(screen).saved(1)
    first(other, held).continue_()

    other.saved(1)
    expect(other.page.locator("#marks > [data-mark]")).to_have_count(2)
