"""What waits outlives its page: it is the person's who made it, and is made exactly once."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from annotator.services.drafts import delete_fragment
from tests.e2e.visitor import session_of
from tests.factories import PersonFactory
from tests.screens.desk import Desk, slow
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import comment, mark_some, notice, open_card, state
from tests.strategies import fragment

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]


def items(screen):
    return notice(screen).locator("li")


def in_new_tab(screen):
    page = screen.page.context.new_page()
    page.goto(f"/markups/{screen.record.pk}/")
    return Desk(page, screen.record).ready()


def marked_offline(desk):
    screen = desk(TEXT).into_text()
    screen.page.context.set_offline(True)
    mark_some(screen)
    state(screen, "offline")
    return screen


def close(screen):
    """Close the tab before the network is back."""
    context = screen.page.context
    screen.page.close()
    context.set_offline(False)


def test_what_waited_when_the_tab_was_closed_is_made_when_the_check_is_opened_again(desk):
    screen = marked_offline(desk)
    screen.page.context.new_page()
    close(screen)
    assert screen.marks() == []

    opened = in_new_tab(screen).saved(1)

    assert opened.marks("code") == [("А.грамм",)]
    expect(opened.page.locator("#cards form")).to_have_count(0)  # nobody has gone to that mark
    expect(opened.page.locator("#marks .on")).to_have_count(0)
    assert opened.page.evaluate("Object.keys(localStorage).filter((n) => /waiting/.test(n))") == []
    opened.page.reload()
    opened.ready().saved(1)


def test_what_waits_is_not_given_to_another_person(desk, site):
    screen = marked_offline(desk)
    context, owner, other = screen.page.context, screen.record.author, PersonFactory(role="expert")
    context.new_page()
    close(screen)
    found = MarkupRecord.objects.filter(pk=screen.record.pk)

    def open_as(user):
        found.update(author=user)
        context.add_cookies([session_of(user, site.url)])
        return in_new_tab(screen)

    another = open_as(other)
    expect(notice(another)).to_be_empty()
    assert (screen.marks(), another.version()) == ([], 0)
    another.page.close()

    open_as(owner).saved(1)
    assert screen.marks("code") == [("А.грамм",)]


def test_where_nothing_can_be_kept_closing_asks_first(desk):
    screen = desk(TEXT).into_text()
    screen.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error(); }; }")
    screen.page.context.set_offline(True)
    mark_some(screen)
    state(screen, "offline")

    with screen.page.expect_event("dialog") as question:
        screen.page.close(run_before_unload=True)
    question.value.dismiss()

    assert question.value.type == "beforeunload"
    expect(notice(screen)).to_contain_text("This browser keeps nothing")
    expect(notice(screen).locator("span:visible").first).to_contain_text("waits on this page only")
    saved = screen.page.locator("#saved > :visible")
    expect(saved).to_have_text("No connection; not kept, only on this page: 1", use_inner_text=True)
    expect(notice(screen).get_by_text("kept in this browser")).to_be_hidden()


@pytest.mark.parametrize("what", ["mark", "deletion", "own point"])
def test_a_change_whose_answer_was_lost_with_the_page_is_no_conflict(desk, what):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    changed = lambda route: route.request.method == "POST" and route.fetch()  # noqa: E731
    screen.page.route("**/markups/**", lambda route: (changed(route), route.abort()))
    if what == "mark":
        mark_some(screen)
    elif what == "deletion":
        activate(screen).press("Delete")
    else:
        screen.own_points()
        screen.page.locator("#stated [name=K3]").fill("2")
        screen.press("Tab")
    state(screen, "offline")
    screen.into_text().press("Control+End", "Control+Shift+ArrowLeft")
    screen.letters("jha").press("Enter")
    screen.page.unroute("**/markups/**")
    screen.page.reload()

    screen.ready().saved(2)

    expect(notice(screen)).to_be_empty()
    found = {"mark": ["А.грамм", "А.грамм", "А.орф"], "deletion": ["А.орф"]}
    codes = [code for (code,) in screen.marks("code")]
    assert codes == found.get(what, ["А.грамм", "А.орф"])


def test_a_change_of_somebody_else_meanwhile_is_still_a_conflict(desk, visitors):
    visitors.watch.expected.add(409)
    screen = marked_offline(desk)
    MarkupRecord.objects.filter(pk=screen.record.pk).update(version=3)
    close(screen)

    opened = in_new_tab(screen)

    state(opened, "conflict")
    expect(items(opened)).to_have_text(["Some · А.грамм"])


def test_all_that_waits_is_named_and_counted_and_so_is_what_is_thrown_away(desk):
    marks = [fragment(0, 4), fragment(5, 11, subcode="множ"), fragment(40, 46, subcode="множ")]
    screen = desk(TEXT, *marks).into_text()
    screen.own_points()
    screen.page.context.set_offline(True)

    activate(screen).press("Delete")
    screen.press("j", "l")
    screen.click(42)
    own = screen.page.locator("#stated [name=K3]")
    own.fill("2")
    screen.press("Tab")

    names = ["Deleted: Some", "Link: people – people", "K3: 2"]
    expect(items(screen)).to_have_text(names)
    leave = notice(screen).get_by_role("button", name="Throw away (3)")
    expect(leave).to_have_accessible_description(" ".join(names))
    leave.click()
    expect(screen.page.locator("#told")).to_have_text(f"Thrown away: {'; '.join(names)}")
    expect(own).to_have_value("")
    expect(notice(screen)).to_be_empty()


def test_of_the_words_of_a_long_mark_the_first_and_the_last_are_named(ready):
    screen = ready("Many people " * 12, fragment(0, 143, "ПРОБЛЕМА"))
    screen.page.context.set_offline(True)

    activate(screen).press("Delete")

    words = "Many people Many people Many people … people Many people"
    expect(items(screen)).to_have_text([f"Deleted: {words}"])


def test_of_many_words_marked_or_under_moved_borders_the_first_and_last_are_named(ready, visitors):
    screen = ready("Many people " * 12)
    screen.page.context.set_offline(True)

    screen.press("Control+Shift+End").letters("ghj").press("Enter")
    screen.press("j", "b", "Control+ArrowLeft", "Enter", "Delete")

    words = "Many people Many people Many people … people Many people"
    fewer = "Many people Many people Many people … Many people Many"
    expect(items(screen)).to_have_count(3)
    marked, moved, deleted = items(screen).all_inner_texts()
    assert marked == f"{words} · ПРОБЛЕМА"
    assert moved == f"{words} · {fewer}"
    assert deleted == f"Deleted: {fewer}"
    visitors.watch.problems.clear()


def test_own_points_typed_before_anything_came_are_kept_and_the_latest_wins(desk, visitors):
    visitors.watch.expected.add(422)
    screen = desk(TEXT)
    screen.own_points()
    screen.page.context.set_offline(True)
    for name, points in (("K3", "3,25"), ("K4", "1"), ("K5", "1"), ("K5", "2")):
        screen.page.locator(f"#stated [name={name}]").fill(points)
        screen.press("Tab")
    state(screen, "offline")
    screen.page.context.set_offline(False)

    expect(notice(screen)).to_be_empty()
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "3")
    values = {
        name: screen.page.locator(f"#stated [name={name}]").input_value()
        for name in ("K3", "K4", "K5")
    }
    assert values == {"K3": "3,25", "K4": "1", "K5": "2"}
    stated = MarkupRecord.objects.values_list("stated", flat=True).get(pk=screen.record.pk)
    assert stated == {"K4": 1, "K5": 2}
    screen.page.locator("#to-submit").click()
    expect(screen.page.locator("#hand-in")).to_be_disabled()
    expect(screen.page.locator("#submission")).to_contain_text("K3")


def test_what_was_meant_for_a_mark_that_is_gone_keeps_nothing_else_back(desk, visitors):
    visitors.watch.expected |= {404, 409}
    screen = activate(desk(TEXT, fragment(5, 11)).into_text()).press("e")
    comment = screen.page.locator("#card-comment")
    comment.wait_for()
    screen.page.context.set_offline(True)
    comment.fill("too late")
    screen.press("Control+Enter")
    mark_some(screen)
    expect(items(screen)).to_have_text(["people · too late", "Some · А.грамм"])
    record = MarkupRecord.objects.get(pk=screen.record.pk)
    delete_fragment(record=record, version=0, row=record.fragments.get())
    screen.page.context.set_offline(False)

    state(screen, "gone")
    expect(items(screen)).to_have_text(["people · too late"])
    expect(screen.page.locator("#marks b")).to_have_text(["А.грамм"])
    assert screen.marks("start", "code") == [(0, "А.грамм")]
    with screen.page.expect_download() as file:
        notice(screen).get_by_role("button", name="Save as a file").click()
    taken = json.loads(file.value.path().read_text("utf-8"))
    assert [(each["words"], each["comment"]) for each in taken["changes"]] == [
        ("people · too late", "too late")
    ]
    screen.into_text().press("s")
    state(screen, "gone")
    expect(items(screen)).to_have_text(["people · too late"])


def test_a_mark_deleted_twice_by_quick_hands_is_deleted_once(desk):
    screen = activate(desk(TEXT, fragment(5, 11), fragment(40, 46)).into_text())
    slow(screen.page, 500)

    screen.press("Delete", "Delete", "j")

    screen.saved(1)
    expect(notice(screen)).to_be_empty()
    assert screen.marks("start") == [(40,)]
    expect(screen.page.locator("#marks > .on")).to_have_attribute("data-start", "40")


def test_keys_go_past_a_mark_that_is_being_deleted_also_before_that_is_shown(desk):
    screen = desk(TEXT, fragment(5, 11), fragment(40, 46))
    screen.page.route("**/painting*.js*", lambda _route: None)  # it is on its way for ever
    screen.page.reload()
    activate(screen.ready().into_text())
    slow(screen.page, 500)

    screen.press("Delete", "j")

    chosen = screen.page.locator("#marks > .on")
    expect(chosen).to_have_attribute("data-start", "40")
    screen.saved(1)
    expect(chosen).to_have_attribute("data-start", "40")


@pytest.mark.parametrize("key", [None, "Tab", "Control+Enter"])
def test_a_comment_typed_just_before_the_page_is_loaded_anew_is_stored_and_shown(desk, key):
    screen = open_card(desk(TEXT, fragment(5, 11)))
    screen.page.on("dialog", lambda question: question.accept())  # it is left all the same
    slow(screen.page, 1500)
    comment(screen).click()
    screen.write("why so")
    if key:
        screen.press(key)

    screen.page.reload()
    open_card(screen.ready())
    expect(comment(screen)).to_have_value("why so")
    screen.saved(1)
    screen.page.locator("#cards [data-do=close]").click()

    screen.page.reload()
    screen.ready().saved(1)
    assert screen.marks("comment") == [("why so",)]


def test_what_another_tab_left_behind_is_not_undone_by_an_older_card_or_field(desk):
    screen = open_card(desk(TEXT, fragment(5, 11)))
    screen.own_points()
    open_tab = open_card(in_new_tab(screen))
    open_tab.own_points()
    screen.page.route("**/markups/**", lambda route: route.abort())
    comment(screen).fill("why so")
    screen.page.locator("#stated [name=K3]").fill("2")
    screen.press("Tab")
    state(screen, "offline")
    screen.page.close()

    open_tab.page.evaluate("dispatchEvent(new Event('focus'))")
    open_tab.saved(2)
    expect(comment(open_tab)).to_have_value("why so")
    expect(open_tab.page.locator("#stated [name=K3]")).to_have_value("2")
    open_tab.page.locator("#cards [data-do=close]").click()

    open_tab.page.reload()
    open_tab.ready().saved(2)
    assert open_tab.marks("comment") == [("why so",)]


def test_a_mark_that_waits_is_painted_as_it_will_be_until_it_is_deleted_again(desk):
    screen = desk(TEXT).into_text()
    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)
    mark_some(screen)
    state(screen, "offline")
    waits = "CSS.highlights.get('waiting')?.size ?? 0"
    shown = "getComputedStyle(essay, '::highlight(waiting)').backgroundColor"
    assert screen.page.evaluate(f"[{waits}, {shown}]") == [1, "rgba(0, 0, 0, 0)"]

    activate(screen).press("Delete")

    expect(items(screen)).to_have_count(2)
    assert screen.page.evaluate(waits) == 0


def test_a_mark_made_and_undone_without_a_network_is_painted_undone_and_made_again(desk):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)
    codes = screen.page.locator("#marks > :not([hidden]) b")
    mark_some(screen)
    expect(codes).to_have_count(2)

    screen.press("Control+z")
    expect(codes).to_have_count(1)
    screen.press("Control+Shift+z")
    expect(codes).to_have_count(2)
    screen.press("Control+z")
    expect(codes).to_have_count(1)
    screen.page.context.set_offline(False)

    screen.saved(4)
    assert screen.marks("start") == [(5,)]


@pytest.mark.parametrize("how", ["key", "press"])
def test_a_key_or_a_press_tries_at_once_again_what_waits_for_the_network(desk, how):
    screen = desk(TEXT).into_text()
    screen.page.wait_for_load_state("networkidle")
    screen.page.route("**/markups/**", lambda route: route.abort())
    mark_some(screen)
    state(screen, "offline")
    screen.page.evaluate("setTimeout = () => 0")  # no attempt comes by itself any more
    screen.page.wait_for_timeout(4500)  # nor the one that was promised
    screen.page.unroute("**/markups/**")

    if how == "key":
        screen.press("ArrowRight")
    else:
        screen.click(2)

    screen.saved(1)


def test_a_mark_is_painted_although_the_network_went_before_the_text_was_touched(desk, visitors):
    screen = desk(TEXT)
    screen.page.wait_for_load_state("networkidle")
    screen.page.context.set_offline(True)

    mark_some(screen)

    expect(screen.page.locator("#marks > [data-pending] b")).to_have_text(["А.грамм"])
    assert screen.page.locator("#essay .f").all_inner_texts() == ["Some"]
    visitors.watch.problems.clear()
