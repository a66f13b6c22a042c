"""Troubles of a day, each beside a naive twin that loses work in it; what becomes of what waits.

A killed server, F5, a closed tab and lost answers have theirs in `test_stories`.
The twins are the very screen with one protection taken off: a browser that keeps nothing that
waits (`FORGETFUL`), a page whose changes say no version (`blind`).
"""

from __future__ import annotations

import contextlib
import json

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import close
from tests.annotator.drafts import draft_of
from tests.e2e.visitor import session_of
from tests.factories import AssignmentFactory
from tests.screens.desk import Desk
from tests.screens.test_changing import TEXT
from tests.screens.test_stories import WORDS, all_saved, mark_words, opened_again
from tests.screens.test_waiting import ELSEWHERE, comment, mark_some, notice, open_card, state
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.fixture(autouse=True)
def trouble(visitors):
    """What the browser says of a trouble is expected."""
    yield
    visitors.watch.problems.clear()


# ── troubles ────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def cut(_site, screens):
    for screen in screens:
        screen.page.context.set_offline(True)
    yield
    for screen in screens:
        screen.page.context.set_offline(False)


@contextlib.contextmanager
def expired_login(site, screens):
    Session.objects.all().delete()
    yield
    for screen in screens:
        screen.page.context.add_cookies([session_of(screen.record.author, site.url)])


@pytest.mark.parametrize("befall", [cut, expired_login])
def test_marks_made_in_trouble_outlive_the_page_and_a_naive_twin_loses_them(ready, site, befall):
    screens = [ready(TEXT), ready(TEXT, forgetful=True)]

    with befall(site, screens):
        for screen in screens:
            mark_words(screen, 2)
            screen.page.close()  # a page that only goes elsewhere may try once more as it goes
    careful, naive = [opened_again(screen, screen.page.context) for screen in screens]

    assert all_saved(careful, 2) == WORDS[:2]
    assert (naive.version(), naive.marks()) == (0, [])
    expect(notice(naive)).to_be_empty()


DEAF = "() => addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"


def blind(screen):
    """Every change says it was made for what there is by now, whatever other tabs of the browser
    tell.
    """
    screen.page.evaluate(DEAF)

    def tell(route):
        version = MarkupRecord.objects.values_list("version", flat=True).get(pk=screen.record.pk)
        words = route.request.post_data or ""
        told = [each for each in words.split("&") if not each.startswith(("version=", "shown="))]
        route.continue_(post_data="&".join([*told, f"version={version}", f"shown={version}"]))

    screen.page.route("**/fragments/*/", tell)


@pytest.mark.parametrize("where", ["two tabs", "two devices"])
@pytest.mark.parametrize("naive", [False, True])
def test_words_of_both_pages_stay_in_sight_and_a_naive_twin_loses_the_first(
    desk, visitors, where, naive
):
    visitors.watch.expected.add(409)
    record = draft_of(TEXT, fragment(5, 11))
    mine = open_card(desk(record=record))
    # Before the other page's words: a tab of the same browser shows them soon.
    comment(mine).fill("mine")
    if naive:
        blind(mine)
    is_one_browser = where == "two tabs"
    other = opened_again(mine, mine.page.context) if is_one_browser else desk(record=record)
    comment(open_card(other)).fill("theirs")
    other.press("Tab").saved(1)

    mine.page.bring_to_front()
    comment(mine).press("Tab")

    if naive:
        expect(mine.page.locator("#saved")).to_have_attribute("data-version", "2")
        expect(notice(mine)).to_be_empty()
        assert mine.marks("comment") == [("mine",)]
    else:
        expect(notice(mine)).to_contain_text(ELSEWHERE)
        expect(notice(mine).locator("[data-there]")).to_contain_text("theirs")
        expect(notice(mine).locator("li")).to_have_text(["people · mine"])
        assert mine.marks("comment") == [("theirs",)]


# ── a check that is no longer one's own, a storage that is full ─────────────


def withdrawn(record):
    Assignment.objects.filter(pk=record.assignment_id).update(state="withdrawn")


def handed_over(record):
    Assignment.objects.filter(pk=record.assignment_id).update(state="returned")
    AssignmentFactory(essay=record.essay, role=record.assignment.role)


def submitted(record):
    close(MarkupRecord.objects.get(pk=record.pk))


def taken_away(screen):
    """The words of what waits, as a file has them."""
    with screen.page.expect_download() as file:
        notice(screen).get_by_role("button", name="Save as a file").click()
    return [each["words"] for each in json.loads(file.value.path().read_text("utf-8"))["changes"]]


@pytest.mark.parametrize("happen", [withdrawn, handed_over, submitted])
def test_changes_of_a_check_that_is_gone_stay_in_sight_and_are_taken_away(ready, happen):
    screen = ready(TEXT)
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    words = ["Some · А.грамм", "people · А.грамм"]
    happen(screen.record)

    screen.page.context.set_offline(False)
    state(screen, "closed")

    expect(notice(screen).locator("li")).to_have_text(words)
    expect(notice(screen).get_by_role("button")).to_have_text(["Save as a file", "Throw away (2)"])
    expect(notice(screen).get_by_role("link")).to_have_attribute("href", "/")
    assert (screen.marks(), taken_away(screen)) == ([], words)
    screen.into_text().press("s")
    state(screen, "closed")
    screen.page.reload()  # where it is only read by now
    expect(notice(screen).locator("li")).to_have_text(words)
    assert taken_away(screen) == words
    notice(screen).get_by_role("button", name="Throw away").click()
    expect(notice(screen)).to_be_empty()
    assert screen.page.evaluate("Object.keys(localStorage).filter((n) => /waiting/.test(n))") == []


def test_of_a_check_that_was_closed_meanwhile_cards_are_only_read(ready):
    screen = open_card(ready(TEXT, fragment(5, 11)))
    screen.page.context.set_offline(True)
    comment(screen).fill("told")
    screen.press("Tab").write("typed")  # no field is left after it
    closed = MarkupRecord.objects.get(pk=screen.record.pk)
    withdrawn(closed)
    screen.page.context.set_offline(False)
    state(screen, "closed")

    expect(screen.page.locator("#cards h2")).to_contain_text("А.грамм")
    expect(screen.page.locator("#cards form")).to_have_count(0)
    expect(notice(screen).locator("li")).to_have_text(["people · told", "people · typed"])
    assert screen.focused() == "essay"
    mark_some(screen)
    expect(notice(screen).locator("li")).to_have_text(
        ["people · told", "people · typed", "Some · А.грамм"]
    )
    expect(screen.page.locator("#essay [data-m]")).to_have_text(["people"])
    assert taken_away(screen) == ["people · told", "people · typed", "Some · А.грамм"]


def filled(screen):
    """Nothing more goes into the storage of this browser."""
    screen.page.evaluate(
        """() => {
          for (let size = 1 << 22; size; size >>= 1) {
            try {
              for (let at = 0; ; at += 1) localStorage.setItem(`${size}-${at}`, "x".repeat(size));
            } catch { /* no room for this much */ }
          }
        }"""
    )
    return screen


def test_changes_a_full_storage_does_not_take_stay_in_sight_and_are_taken_away(ready):
    screen = filled(ready(TEXT))
    screen.page.context.set_offline(True)
    mark_words(screen, 2)

    expect(notice(screen)).to_contain_text("This browser keeps nothing")
    assert taken_away(screen) == ["Some · А.грамм", "people · А.грамм"]
    screen.page.context.set_offline(False)
    assert all_saved(screen, 2) == WORDS[:2]


@pytest.mark.parametrize("happen", [withdrawn, handed_over, submitted])
def test_a_full_storage_and_a_check_that_is_gone_leave_the_changes_to_be_taken_away(ready, happen):
    screen = filled(ready(TEXT))
    screen.page.context.set_offline(True)
    mark_words(screen, 2)
    happen(screen.record)
    screen.page.context.set_offline(False)
    state(screen, "closed")

    assert (screen.marks(), taken_away(screen)) == ([], ["Some · А.грамм", "people · А.грамм"])


def test_a_full_storage_gives_a_second_reader_of_the_browser_nothing_and_keeps_the_first_ones(
    ready, site
):
    screen = filled(ready(TEXT))
    context = screen.page.context
    screen.page.route("**/fragments/**", lambda route: route.abort())
    mark_words(screen, 2)
    other = draft_of(TEXT)
    context.add_cookies([session_of(other.author, site.url)])

    second = opened_again(Desk(screen.page, other), context)
    expect(notice(second)).to_be_empty()
    all_saved(mark_words(second, 1), 1)
    second.page.close()

    expect(notice(screen)).to_contain_text("This browser keeps nothing")
    assert (screen.marks(), other.fragments.count()) == ([], 1)
    assert taken_away(screen) == ["Some · А.грамм", "people · А.грамм"]
    context.add_cookies([session_of(screen.record.author, site.url)])
    screen.page.unroute("**/fragments/**")
    screen.page.evaluate("dispatchEvent(new Event('online'))")
    assert all_saved(screen, 2) == WORDS[:2]


# ── logging out ─────────────────────────────────────────────────────────────


def test_logging_out_asks_while_changes_wait_and_they_go_after_the_next_login(ready, site):
    screen = ready(TEXT)
    screen.page.route("**/fragments/**", lambda route: route.abort())
    mark_some(screen)
    state(screen, "offline")
    account = screen.page.context.new_page()
    account.goto("/account/")
    question = account.locator("#still-waiting")

    account.get_by_role("button", name="Log out", exact=True).click()
    question.get_by_role("button", name="Stay").click()
    expect(question).to_be_hidden()
    assert account.url.endswith("/account/")
    account.get_by_role("button", name="Log out", exact=True).click()
    question.get_by_role("button", name="Log out all the same").click()
    account.wait_for_url("**/login/")

    screen.page.unroute("**/fragments/**")
    screen.page.evaluate("dispatchEvent(new Event('online'))")
    state(screen, "login")
    screen.page.context.add_cookies([session_of(screen.record.author, site.url)])
    screen.page.evaluate("dispatchEvent(new Event('focus'))")
    assert all_saved(screen, 1) == WORDS[:1]
    account.goto("/account/")
    account.get_by_role("button", name="Log out", exact=True).click()
    account.wait_for_url("**/login/")
