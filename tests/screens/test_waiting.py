"""What was typed or marked is never lost: changes that did not get through wait and go on."""

from __future__ import annotations

import re

import pytest
from django.db.models import F
from playwright.sync_api import expect

from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.drafts import delete_fragment
from annotator.services.markup import close
from tests.annotator.drafts import draft_of
from tests.screens.desk import first, holding, slow
from tests.screens.test_changing import TEXT, activate
from tests.strategies import fragment

pytestmark = pytest.mark.full

ELSEWHERE = "The same was changed in another tab or on another device."


@pytest.fixture
def two_tabs(desk, visitors):
    """One person's draft in two browsers."""
    visitors.watch.expected.add(409)

    def opened(*fragments):
        record = draft_of(TEXT, *fragments)
        return desk(record=record).into_text(), desk(record=record).into_text()

    return opened


def notice(screen):
    return screen.page.locator("#waiting")


def state(screen, name):
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", name)


def comment(screen):
    return screen.page.locator("#card-comment")


def mark_some(screen, letters="uh"):
    screen.into_text().press("Control+Home", "Control+Shift+ArrowRight")
    return screen.letters(letters).press("Enter")


def open_card(screen, number=0):
    activate(screen, number).press("e")
    expect(screen.page.locator("#cards form")).to_be_visible()
    return screen


def test_how_many_changes_are_being_saved_is_said_in_words(ready):
    screen = ready(TEXT)

    def said(number):
        words = f"Saving: {number}"
        expect(screen.page.locator("#saved")).to_have_text(words, use_inner_text=True)

    held = holding(screen, "**/fragments/")
    for number in (1, 2, 3):
        screen.press("Control+Shift+ArrowRight").letters("uh").press("Enter")
        said(number)
    for left in (2, 1, 0):
        first(screen, held).continue_()
        if left:
            said(left)

    screen.saved(3)


# ── an open card ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("delay", [0, 700])
def test_a_link_given_while_a_card_is_open_stays_when_one_types_on(desk, delay):
    first, second = fragment(5, 11, subcode="множ"), fragment(40, 46, subcode="множ")
    screen = open_card(desk(TEXT, first, second))
    comment(screen).fill("begun")
    slow(screen.page, delay)

    screen.page.locator("#cards [data-do=link]").click()
    screen.click(42)
    comment(screen).click()
    screen.press("End").write(", ended")
    expect(screen.page.locator("#card-tag")).to_have_value("множ1")
    screen.press("Control+Enter").saved(3)

    assert screen.marks("tag", "comment") == [("множ1", "begun, ended"), ("множ1", "")]


def test_a_card_changes_only_the_fields_that_were_touched(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    open_card(other).page.locator("#card-tag").fill("т1")
    other.press("Tab").saved(1)

    comment(mine).fill("mine")
    mine.press("Tab")
    expect(notice(mine)).to_contain_text(ELSEWHERE)
    expect(mine.page.locator("#card-tag")).to_have_value("т1")
    expect(comment(mine)).to_have_value("mine")
    notice(mine).get_by_role("button", name="Make my change").click()
    mine.saved(2)

    assert mine.marks("tag", "comment") == [("т1", "mine")]
    expect(notice(mine)).to_be_empty()


def test_what_was_saved_once_is_not_sent_again_with_the_next_field(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    comment(mine).fill("old")
    mine.press("Tab").saved(1)
    FragmentRecord.objects.filter(markup=mine.record).update(comment="newer")

    mine.page.locator("#card-explanation").fill("why")
    mine.press("Control+Enter").saved(2)

    assert mine.marks("comment", "explanation") == [("newer", "why")]
    assert other.version() == 0


def test_a_card_that_was_refused_sends_everything_that_is_not_stored(desk, visitors):
    visitors.watch.expected.add(422)
    screen = open_card(desk(TEXT, fragment(5, 11)))
    comment(screen).fill("kept")
    code = screen.page.locator("#card-code")
    code.fill("Я.нет")
    code.press("Control+Enter")
    expect(screen.page.locator("#cards [role=alert]")).to_be_visible()
    assert screen.version() == 1  # the comment left before

    code.fill("А.орф")
    screen.page.locator("#card-explanation").fill("why")
    screen.press("Control+Enter")

    shown = screen.page.locator("#saved[data-state=saved]")  # in one change or, if slow, in two
    expect(shown).to_have_attribute("data-version", re.compile("[23]"))
    assert screen.marks("code", "comment", "explanation") == [("А.орф", "kept", "why")]
    expect(screen.page.locator("#cards [role=alert]")).to_have_count(0)


# ── changed in another tab ──────────────────────────────────────────────────


def test_marks_of_a_stale_tab_come_beside_those_of_the_other_unasked(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    other.into_text().press("Control+End", "Control+Shift+ArrowLeft")
    other.letters("jha").press("Enter").saved(1)

    mark_some(mine).saved(2)

    expect(mine.page.locator("#marks b")).to_have_text(["А.грамм", "А.грамм", "А.орф"])
    assert mine.marks("start", "code")[1:] == [(62, "А.орф"), (0, "А.грамм")]
    expect(notice(mine)).to_be_empty()
    activate(other, 0).press("Delete").saved(3)
    assert [code for (code,) in mine.marks("code")] == ["А.орф", "А.грамм"]


@pytest.mark.parametrize("how", ["mine", "theirs", "mine by press"])
def test_the_same_mark_changed_in_two_tabs_is_shown_in_both_versions_and_one_key_decides(
    two_tabs, how
):
    mine, other = two_tabs(fragment(5, 11), fragment(0, 4))
    open_card(mine, 1)
    comment(open_card(other, 1)).fill("theirs")
    other.press("Control+Enter").saved(1)
    comment(mine).fill("mine")
    mine.press("Control+Enter")
    state(mine, "conflict")
    expect(notice(mine).locator("li")).to_have_text(["people · mine"])
    expect(notice(mine).locator("[data-there]")).to_contain_text("theirs")
    mine.page.click("#to-submit")
    expect(mine.page.locator("#submission")).to_be_focused()
    expect(mine.page.locator("#no-remarks")).to_be_hidden()
    mine.press("Escape")

    mark_some(mine, "jha")  # other marks are made all the while
    expect(mine.page.locator("#saved")).to_have_attribute("data-version", "2")
    expect(notice(mine).locator("li")).to_have_text(["people · mine"])
    if how == "mine by press":
        notice(mine).get_by_role("button", name="Make my change").click()
    else:
        mine.into_text().press("s" if how == "mine" else "t")
    expect(notice(mine)).to_be_empty()
    mine.saved(2 if how == "theirs" else 3)

    kept = "theirs" if how == "theirs" else "mine"
    assert mine.marks("start", "comment") == [(5, kept), (0, ""), (0, "")]


def test_a_change_of_the_same_field_is_seen_before_it_replaces_the_other(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    comment(open_card(other)).fill("theirs")
    other.press("Tab").saved(1)

    comment(mine).fill("mine")
    mine.press("Tab")
    expect(notice(mine).locator("li")).to_have_text(["people · mine"])
    expect(mine.page.locator("#marks .instead")).to_have_text(["theirs"])
    mine.page.locator("#card-explanation").fill("why")
    mine.press("Tab")
    expect(mine.page.locator("#saved")).to_have_attribute("data-version", "2")
    assert mine.marks("comment", "explanation") == [("theirs", "why")]
    notice(mine).get_by_role("button", name="Leave it").click()
    state(mine, "saved")

    expect(comment(mine)).to_have_value("theirs")
    assert mine.marks("comment", "explanation") == [("theirs", "why")]


def test_who_writes_on_in_a_card_that_is_asked_about_is_asked_once(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    comment(open_card(other)).fill("theirs")
    other.press("Tab").saved(1)
    answers = []
    mine.page.on("response", lambda answer: answers.append(answer.status))
    wait = slow(mine.page, 700)

    comment(mine).fill("mine")
    mine.press("Tab").write("why")  # no field is left while the answer is on its way
    expect(notice(mine).locator("li")).to_have_text(["people · mine", "people · why"])
    wait(0)
    comment(mine).fill("mine, and more")
    mine.press("Tab")
    expect(notice(mine).locator("li")).to_have_text(
        ["people · mine", "people · why", "people · mine, and more"]
    )
    assert mine.marks("comment", "explanation") == [("theirs", "")]
    mine.into_text().press("s").saved(4)

    assert mine.marks("comment", "explanation") == [("mine, and more", "why")]
    assert answers.count(409) == 1


def test_a_conflict_waits_also_when_the_page_is_loaded_anew(two_tabs):
    mine, other = two_tabs(fragment(5, 11))
    open_card(mine)
    comment(open_card(other)).fill("theirs")
    other.press("Control+Enter").saved(1)
    comment(mine).fill("mine")
    mine.press("Control+Enter")
    state(mine, "conflict")

    mine.page.reload()
    mine.ready()
    expect(notice(mine).locator("li")).to_have_text(["people · mine"])
    mine.into_text().press("s").saved(2)

    assert mine.marks("comment") == [("mine",)]
    mine.page.reload()
    expect(notice(mine.ready())).to_be_empty()


def test_a_mark_deleted_elsewhere_goes_when_its_card_is_asked_for(two_tabs, visitors):
    visitors.watch.expected.add(404)
    mine, other = two_tabs(fragment(5, 11), fragment(0, 4))
    activate(other).press("Delete").saved(1)

    mine.click(6)
    mine.click(1)

    expect(mine.page.locator("#told")).to_have_text("This mark is gone: it was deleted elsewhere.")
    expect(mine.page.locator("#marks > [data-mark]")).to_have_count(1)
    mine.saved(1)
    visitors.watch.problems.clear()


@pytest.mark.parametrize("what", ["mark", "check"])
def test_words_for_what_is_gone_can_still_be_copied(two_tabs, visitors, what):
    visitors.watch.expected.add(404)
    mine, _other = two_tabs(fragment(5, 11))
    open_card(mine)
    record = MarkupRecord.objects.get(pk=mine.record.pk)
    if what == "mark":
        delete_fragment(record=record, version=0, row=record.fragments.get())
    else:
        MarkupRecord.objects.filter(pk=record.pk).update(version=F("version") + 1)
        close(record)

    comment(mine).fill("long thought about")
    mine.press("Tab")

    state(mine, "gone" if what == "mark" else "closed")
    expect(notice(mine)).to_contain_text("is gone" if what == "mark" else "yours to mark no more")
    expect(notice(mine).locator("li")).to_have_text(["people · long thought about"])
    visitors.watch.problems[:] = [
        e for e in visitors.watch.problems if "Status Error Code 404" not in e
    ]


def test_a_check_changed_elsewhere_is_shown_before_it_is_submitted(two_tabs):
    mine, other = two_tabs()
    mark_some(other).saved(1)

    mine.submit()

    expect(mine.page.locator(".messages")).to_contain_text("changed in another tab")
    expect(mine.page.locator("#marks b")).to_have_text(["А.грамм"])
    assert MarkupRecord.objects.get(pk=mine.record.pk).state == "draft"


# ── the network ─────────────────────────────────────────────────────────────

KNOWN = ("net::ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")


def test_without_a_connection_changes_wait_and_go_when_it_is_back(desk, visitors):
    screen = desk(TEXT).into_text()
    screen.page.context.set_offline(True)

    mark_some(screen)
    state(screen, "offline")
    screen.into_text().press("Control+End", "Control+Shift+ArrowLeft")
    screen.letters("jha").press("Enter")
    saved = screen.page.locator("#saved")
    expect(saved).to_contain_text("No connection")
    assert saved.get_attribute("role") == "status"
    expect(notice(screen).locator("li")).to_have_text(["Some · А.грамм", ". · А.орф"])
    assert screen.marks() == []
    problems = visitors.watch.problems
    assert [each for each in problems if not any(word in each for word in KNOWN)] == []
    assert problems
    problems.clear()
    screen.page.context.set_offline(False)

    screen.saved(2)
    assert screen.marks("code") == [("А.грамм",), ("А.орф",)]
    expect(notice(screen)).to_be_empty()
    opened = screen.page.get_attribute("#cards", "data-open")  # keys are about the card one sees
    expect(screen.page.locator("#marks > .on")).to_have_attribute("data-mark", opened)


def test_a_card_one_types_into_is_not_replaced_by_that_of_a_mark_made_before(desk):
    screen = open_card(desk(TEXT, fragment(28, 33, "А.лекс")))
    slow(screen.page, 1500)
    mark_some(screen)
    comment(screen).click()
    screen.write("half a ")
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "1")
    screen.write("word").press("Control+Enter").saved(2)

    assert screen.marks("code", "comment") == [("А.лекс", "half a word"), ("А.грамм", "")]


def test_deleting_right_after_marking_never_takes_the_mark_before(desk):
    screen = activate(desk(TEXT, fragment(28, 33, "А.лекс")))
    slow(screen.page, 1500)

    mark_some(screen).press("Delete").saved(1)

    assert screen.marks("code") == [("А.лекс",), ("А.грамм",)]


def test_a_mark_whose_answer_was_lost_is_made_once(desk, visitors):
    screen = desk(TEXT).into_text()
    lost = []

    def lose(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    screen.page.route("**/fragments/", lose)
    mark_some(screen)
    state(screen, "offline")
    notice(screen).get_by_role("button", name="Send now").click()

    screen.saved(1)
    assert screen.marks("code") == [("А.грамм",)]
    visitors.watch.problems.clear()
