"""The third expert's desk from the keyboard: take from either side, say why, go on to the next."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from review.models import Ruling
from tests.e2e.visitor import session_of
from tests.review.thirds import AGREED, LEFT, RIGHT, thirds
from tests.screens.desk import holding
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full


@pytest.fixture
def third(desk):
    """The desk of a third expert: ``third(first=…, second=…)``."""

    def opened(made=None, **earlier):
        made = made or thirds(**earlier)
        return desk(record=made.record), made

    return opened


def pairs(opened, of=""):
    return opened.page.locator(f"#pairs > .pair{of}")


def taken(opened):
    return opened.marks("start", "end", "code", "taken_from")


def rulings(made):
    found = Ruling.objects.filter(markup=made.record, neither=True)
    return set(found.values_list("fragment", flat=True))


def undecided(opened, count):
    expect(opened.page.locator("#undecided")).to_have_text(str(count))


def test_every_pair_is_decided_from_the_keyboard_alone(third):
    opened, made = third()
    first, second = made.rows("first"), made.rows("second")
    opened.into_text()

    opened.press("n", "1").saved(1)
    opened.press("n", "2").saved(2)
    opened.press("n", "r").write("“that” is right here")
    opened.press("Enter").saved(3)
    opened.press("0").saved(4)
    opened.press("n", "2").saved(5)

    undecided(opened, 0)
    assert taken(opened) == [
        (0, 4, "А.грамм", first[0]),
        (12, 17, "А.орф", second[1]),
        (29, 34, "А.лекс", second[2]),
    ]
    assert list(Ruling.objects.filter(markup=made.record).values_list("fragment", "reason")) == [
        (first[2], "“that” is right here")
    ]
    assert opened.focused() == "essay"
    assert opened.counted() == 10


def test_the_pair_is_lit_in_the_text_and_said_and_the_caret_stands_there(third):
    opened, _made = third()

    opened.into_text().press("n", "n")

    expect(pairs(opened, ".here")).to_have_attribute("data-number", "2")
    assert opened.selection() == [12, 12]
    expect(opened.said()).to_contain_text("another code think 1 first check: А.лекс")
    lit = opened.page.evaluate(
        """() => ["first", "second"].map((name) => [...CSS.highlights.get(name)].map(String))"""
    )
    assert lit == [["think"], ["think"]]


def test_the_pairs_are_gone_through_in_a_ring(third):
    opened, _made = third()

    opened.into_text().press("n", "p")
    expect(pairs(opened, ".here")).to_have_attribute("data-number", "4")
    opened.press("n")

    expect(pairs(opened, ".here")).to_have_attribute("data-number", "1")


def test_everything_the_two_agree_on_is_taken_by_one_key(third):
    both = (AGREED, LEFT, whole_text("А.абзац"))
    opened, made = third(first=(*both, fragment(18, 22)), second=(*both,))

    opened.into_text().press("a").saved(1)

    undecided(opened, 1)
    assert [row[3] for row in taken(opened)] == made.rows("first")[:3]
    expect(opened.page.locator("#marks > [data-mark]")).to_have_count(2)
    expect(opened.page.locator("#whole [data-mark]")).to_have_count(1)


def test_what_was_decided_otherwise_is_not_taken_with_the_rest(third):
    opened, made = third(first=(AGREED, LEFT), second=(AGREED, LEFT))
    opened.into_text().press("n", "0").saved(1)

    opened.press("a").saved(2)

    assert [row[3] for row in taken(opened)] == [made.rows("first")[1]]


def test_the_other_side_takes_the_place_of_the_one_taken_before(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.into_text().press("n", "1").saved(1)
    expect(pairs(opened, ".here")).to_have_count(1)

    opened.press("2").saved(2)

    assert taken(opened) == [(12, 17, "А.орф", made.rows("second")[0])]
    pressed = pairs(opened).locator(".take[aria-pressed=true]")
    expect(pressed).to_have_attribute("data-side", "second")


def test_a_taken_fragment_is_the_active_one_and_can_be_changed_at_once(third):
    opened, made = third(first=(LEFT,), second=())

    opened.into_text().press("n", "1").saved(1)
    opened.press("e")
    opened.page.locator("#cards [name=comment]").fill("my own words")
    opened.press("Control+Enter").saved(2)

    row = made.record.fragments.get()
    assert (row.comment, row.taken_from_id) == ("my own words", made.rows("first")[0])


def test_own_marks_are_made_beside_what_is_taken(third):
    opened, made = third(first=(AGREED,), second=(AGREED,))
    opened.into_text().press("a").saved(1)

    opened.choose(5, 11).press("u", "h", "Enter").saved(2)

    assert taken(opened) == [(0, 4, "А.грамм", made.rows("first")[0]), (5, 11, "А.грамм", None)]


def test_keys_of_the_desk_are_letters_of_a_code_while_something_is_selected(third):
    opened, made = third()

    opened.into_text().choose(5, 11).press("1", "a", "n")

    expect(opened.page.locator("#find")).to_have_value("an")
    assert made.record.fragments.count() == 0


def test_a_dropped_fragment_can_be_taken_again(third):
    opened, made = third(first=(LEFT,), second=())
    opened.into_text().press("n", "1").saved(1)
    undecided(opened, 0)

    opened.press("Delete").saved(2)
    undecided(opened, 1)
    opened.press("1").saved(3)

    undecided(opened, 0)
    assert [row[3] for row in taken(opened)] == made.rows("first")


def test_a_side_without_a_fragment_takes_nothing_and_says_so(third):
    opened, made = third(first=(LEFT,), second=())

    opened.into_text().press("n", "2")

    expect(opened.said()).to_have_text("Nothing to take here")
    expect(opened.page.locator("#toast .toast")).to_have_text("Nothing to take here")
    expect(opened.page.locator("#toast .toast")).to_be_in_viewport()
    assert (made.record.fragments.count(), opened.version()) == (0, 0)


def test_a_side_that_is_taken_already_says_so(third):
    opened, _made = third(first=(LEFT,), second=(LEFT,))
    opened.into_text().press("n", "1").saved(1)

    opened.press("1")

    expect(opened.said()).to_have_text("Already taken")
    expect(opened.page.locator("#toast .toast")).to_have_text("Already taken")
    opened.saved(1)


def test_all_pairs_of_a_kind_are_taken_from_one_side_at_once(third):
    ours = (AGREED, LEFT, fragment(18, 22, "А.лекс"))
    theirs = (AGREED, RIGHT, fragment(18, 22, "А.орф"))
    opened, made = third(first=ours, second=theirs)
    opened.page.select_option("#shown", "code")
    expect(pairs(opened).filter(visible=True)).to_have_count(2)

    opened.page.click("[data-do=shown][data-value=second]")
    opened.saved(1)

    assert [row[3] for row in taken(opened)] == made.rows("second")[1:]
    opened.page.select_option("#shown", "undecided")
    expect(pairs(opened).filter(visible=True)).to_have_count(1)


def test_a_click_takes_and_a_click_on_the_words_goes_there(third):
    opened, made = third()

    pairs(opened).nth(2).locator(".pair-words").click()
    expect(pairs(opened, ".here")).to_have_attribute("data-number", "3")
    pairs(opened).nth(1).locator(".take.second").click()
    opened.saved(1)

    expect(pairs(opened, ".here")).to_have_attribute("data-number", "2")
    assert [row[3] for row in taken(opened)] == [made.rows("second")[1]]


def test_neither_fragment_of_a_pair_is_taken_by_one_key_and_what_was_taken_of_it_goes(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.into_text().press("n", "1").saved(1)

    opened.press("0").saved(2)

    undecided(opened, 0)
    assert taken(opened) == []
    assert rulings(made) == {*made.rows("first"), *made.rows("second")}
    expect(pairs(opened).locator(".neither[aria-pressed=true]")).to_have_count(1)
    opened.press("2").saved(3)
    expect(pairs(opened).locator(".neither[aria-pressed=true]")).to_have_count(0)


def test_what_was_taken_earlier_and_told_late_is_not_believed(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.into_text().press("n", "1").saved(1)
    earlier = opened.page.locator("#taken").evaluate("(each) => each.outerHTML")
    held = holding(opened, "**/taken/")
    opened.own_points()
    opened.page.locator("#stated [name=K3]").fill("2")
    opened.press("Tab").saved(2)  # the answer says nothing of what is decided
    opened.into_text().press("0").saved(3)
    undecided(opened, 0)

    with opened.page.expect_event("requestfinished", lambda each: "/taken/" in each.url):
        held[0].fulfill(body=earlier, content_type="text/html")

    opened.page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert opened.page.locator("#taken").get_attribute("data-version") == "3"


def test_submitting_leads_to_the_first_undecided_pair(third):
    opened, made = third()
    opened.into_text().press("n", "1").saved(1)
    opened.page.select_option("#shown", "same")

    opened.page.click("#to-submit")
    expect(pairs(opened, ":not([hidden])")).to_have_count(3)  # the sheet stands beside what is left
    expect(opened.page.locator("#no-remarks")).to_be_hidden()
    opened.page.focus("#hand-in")
    opened.press("Enter")
    expect(opened.page.locator("#open-pairs")).to_be_visible()  # it opens once all is saved
    expect(opened.page.locator("#open-pairs h2")).to_have_text("Undecided pairs: 3")
    opened.press("Enter")

    expect(pairs(opened, ".here")).to_have_attribute("data-number", "2")
    expect(pairs(opened, ".here").locator(".pair-words")).to_be_focused()
    assert MarkupRecord.objects.get(pk=made.record.pk).state == "draft"
    opened.press("2").saved(2)
    undecided(opened, 2)


def test_the_rest_is_settled_after_a_question_and_the_check_submitted_with_keys_only(third):
    opened, made = third()
    opened.into_text().press("n", "1").saved(1)

    opened.press("x", "Escape", "x")
    expect(opened.page.locator("#open-pairs")).to_be_visible()
    opened.press("Tab", "Enter").saved(2)
    undecided(opened, 0)
    expect(opened.said()).to_have_text("Every pair is decided")
    expect(opened.page.locator("#hand-in")).to_be_focused()
    opened.press("Enter")

    opened.page.wait_for_url("**/queue/")
    assert MarkupRecord.objects.get(pk=made.record.pk).state == "submitted"
    assert rulings(made) == {*made.rows("first")[1:], *made.rows("second")[1:]}


def test_the_rest_is_settled_with_the_mouse_on_the_way_to_the_submission(third):
    opened, made = third()

    opened.submit()
    opened.page.click("#open-pairs [value=rest]")
    opened.saved(1)
    undecided(opened, 0)
    opened.submit()

    opened.page.wait_for_url("**/queue/")
    assert rulings(made) == {*made.rows("first"), *made.rows("second")}


def test_a_decision_still_on_its_way_counts_before_the_check_is_submitted(third):
    opened, made = third(first=(LEFT,), second=())

    opened.into_text().press("n", "1")
    opened.submit()

    opened.page.wait_for_url("**/queue/")
    assert MarkupRecord.objects.get(pk=made.record.pk).state == "submitted"


def test_after_the_page_is_loaded_anew_everything_decided_is_known(third):
    opened, _made = third()
    opened.into_text().press("n", "1").saved(1)
    opened.press("n", "0").saved(2)

    opened.page.reload()
    opened.ready()

    undecided(opened, 2)
    expect(pairs(opened, ".decided")).to_have_count(2)


def test_a_reason_is_no_decision_and_taking_it_back_undoes_none(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    reason = pairs(opened).locator("[data-reason]")

    opened.into_text().press("n", "r").write("unclear")
    opened.press("Enter").saved(1)
    undecided(opened, 1)
    expect(pairs(opened).locator("[aria-pressed=true]")).to_have_count(0)
    opened.press("0").saved(2)
    undecided(opened, 0)
    reason.fill("")
    reason.press("Enter")
    opened.saved(3)

    undecided(opened, 0)
    expect(pairs(opened).locator(".neither[aria-pressed=true]")).to_have_count(1)
    assert rulings(made) == {*made.rows("first"), *made.rows("second")}


def test_it_is_said_that_an_edited_copy_stays_beside_the_other_one(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.into_text().press("n", "1").saved(1)
    opened.press("e")
    opened.page.locator("#cards [name=comment]").fill("my own words")
    opened.press("Control+Enter").saved(2)

    opened.press("2").saved(3)

    expect(opened.page.locator("#told")).to_have_text("Your edited copy stays beside it")
    sources = [made.rows("first")[0], made.rows("second")[0]]
    assert [row[3] for row in taken(opened)] == sources
    opened.press("n", "0").saved(4)
    expect(opened.page.locator("#told")).to_be_empty()


def test_a_reason_written_while_logged_out_is_shown_after_the_login(third, site):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    reason = pairs(opened).locator("[data-reason]")
    opened.into_text().press("n", "r").write("old")
    opened.press("Enter").saved(1)
    Session.objects.all().delete()
    reason.fill("newer")
    reason.press("Enter")
    expect(opened.page.locator("#saved")).to_have_attribute("data-state", "login")
    expect(opened.page.locator("#waiting li")).to_have_text("think: newer")

    opened.page.context.add_cookies([session_of(made.record.author, site.url)])
    opened.page.reload()
    opened.ready().saved(2)

    expect(reason).to_have_value("newer")
    found = Ruling.objects.filter(markup=made.record).values_list("reason", flat=True)
    assert set(found) == {"newer"}


def test_a_change_in_another_tab_is_seen_as_a_conflict(third, visitors):
    visitors.watch.expected.add(409)
    opened, made = third()
    MarkupRecord.objects.filter(pk=made.record.pk).update(version=5)

    opened.into_text().press("n", "1")

    expect(opened.page.locator("#saved")).to_have_attribute("data-state", "conflict")
    assert made.record.fragments.count() == 0
