"""What the third expert has not decided yet, in the text and in the list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.review.thirds import LEFT, ONLY_LEFT, RIGHT
from tests.screens.desk import holding, slow
from tests.screens.test_settling import pairs, rulings, taken, third, undecided
from tests.strategies import fragment

pytestmark = pytest.mark.full
__all__ = ["third"]  # a fixture


GHOSTS = """
() => ["first", "second"].map((side) =>
  [...(CSS.highlights.get(`ghost-${side}`) ?? [])].map(String).sort())
"""


def ghosts(opened):
    return opened.page.evaluate(GHOSTS)


LIT = "(essay, side) => getComputedStyle(essay, `::highlight(${side})`).backgroundColor"


@pytest.mark.parametrize("side", ["first", "second"])
def test_marks_within_a_lit_fragment_show_through_it(third, side):
    opened, _made = third()

    colour = opened.page.locator("#essay").evaluate(LIT, side)

    assert 0.1 <= float(re.search(r"/ ([0-9.]+)\)$", colour)[1]) <= 0.2


ENDS = GHOSTS.replace("ghost", "ends")


def test_blocks_that_are_undecided_show_by_their_ends_and_mistakes_as_a_whole(third):
    over = [fragment(0, 34, "АРГУМЕНТ"), fragment(35, 41, "ВЫВОД")]
    opened, _made = third(first=(over[0], LEFT), second=(RIGHT, over[1]))

    assert ghosts(opened) == [["think"], ["think"]]
    assert opened.page.evaluate(ENDS) == [[" unite", "Some p"], ["people"]]
    opened.into_text().press("n", "1").saved(1)

    assert opened.page.evaluate(ENDS) == [[], ["people"]]
    assert ghosts(opened) == [["think"], ["think"]]


def test_what_is_undecided_shows_in_the_text_and_n_goes_to_the_next_of_it(third):
    opened, _made = third()
    before = ghosts(opened)
    assert all(before)
    assert all(words for side in before for words in side)
    progress = opened.page.locator("#decided")
    expect(progress).to_have_js_property("value", 0)

    opened.into_text().press("n", "1").saved(1)
    expect(progress).to_have_js_property("value", 1)
    first = pairs(opened, ".here").get_attribute("data-number")
    assert len(ghosts(opened)[0]) == len(before[0]) - 1
    opened.press("p", "n", "n")

    here = pairs(opened, ".here")
    assert here.get_attribute("data-number") != first
    expect(here).not_to_have_class("decided")
    status = opened.page.locator(".status").bounding_box()
    for key in ("N", "P", "1", "2", "0", "R", "A", "X"):
        box = opened.page.locator(".status kbd", has_text=key).first.bounding_box()
        assert status["y"] < box["y"] < status["y"] + status["height"] - box["height"], key

    left = ghosts(opened)
    slow(opened.page, 1500)
    opened.press("Control+Home", "Control+Shift+ArrowRight").letters("uh").press("Enter")
    expect(opened.page.locator("#marks > [data-pending]")).to_have_count(1)
    assert ghosts(opened) == left  # also while the text is painted before the answer


def test_keys_of_marks_are_about_the_pair_one_has_come_to(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT, fragment(29, 34, "А.лекс")))
    opened.into_text().press("n", "2").saved(1)
    opened.press("n", "0").saved(2)

    opened.press("Delete", "p", "e")
    expect(opened.page.locator("#cards h2 b")).to_have_text("А.орф")
    opened.press("Escape", "n", "e")

    expect(opened.page.locator("#cards form")).to_have_count(0)
    assert [row[:3] for row in taken(opened)] == [(12, 17, "А.орф")]


def test_keys_are_about_a_copy_at_once_and_no_more_when_one_went_on_before_its_answer(third):
    opened, _made = third(first=(LEFT, ONLY_LEFT), second=())
    opened.page.wait_for_load_state("networkidle")
    active = opened.page.locator("#marks > .on b")
    held = holding(opened, "**/take/")

    with opened.page.expect_request("**/take/"):  # it is painted before it is sent
        opened.into_text().press("n", "1")
    expect(active).to_have_text("А.лекс")
    opened.press("n")
    expect(active).to_have_count(0)
    held[0].continue_()
    opened.saved(1)
    opened.page.evaluate("new Promise(requestAnimationFrame)")
    expect(active).to_have_count(0)
    opened.press("Delete", "p")
    expect(active).to_have_text("А.лекс")

    assert opened.version() == 1


def test_the_sheet_counts_what_is_undecided_and_leads_there(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.click("#to-submit")
    line = opened.page.locator("#open-line")
    expect(line.locator("h3")).to_have_text("Submitted once every pair is decided")
    expect(line.locator("li")).to_have_text("Undecided pairs: 1")
    expect(line).to_be_visible()

    line.locator("button").press("Enter")
    expect(pairs(opened, ".here").locator(".pair-words")).to_be_focused()
    opened.press("2").saved(1)

    expect(line).to_be_hidden()
    expect(opened.page.locator("#checklist h3")).to_have_text("Worth a second look, 1")


def test_neither_of_what_was_taken_is_one_step_that_is_undone_and_made_again_as_one(third):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    both = {*made.rows("first"), *made.rows("second")}
    opened.into_text().press("n", "1").saved(1)
    before = taken(opened)
    opened.press("0").saved(2)
    undecided(opened, 0)
    expect(opened.said()).to_have_text("Neither is taken")
    assert (taken(opened), rulings(made)) == ([], both)

    opened.press("Control+z").saved(3)
    undecided(opened, 0)
    expect(opened.page.locator("#toast")).to_contain_text("Undone: neither taken: “think”")
    assert (taken(opened), rulings(made)) == (before, set())
    opened.press("Control+Shift+z").saved(4)
    undecided(opened, 0)
    assert (taken(opened), rulings(made)) == ([], both)
    opened.press("0").saved(5)
    undecided(opened, 1)


def test_the_card_of_what_was_taken_goes_with_it_once_neither_is(third):
    opened, _made = third(first=(LEFT,), second=(RIGHT,))
    opened.into_text().press("n", "1").saved(1)
    opened.press("e")
    expect(opened.page.locator("#cards form")).to_be_visible()

    pairs(opened).locator(".neither").click()
    opened.saved(2)

    expect(opened.page.locator("#cards form")).to_have_count(0)
    assert taken(opened) == []


def test_decisions_are_undone_one_by_one_after_the_page_was_loaded_anew(third):
    opened, made = third()
    opened.into_text().press("n", "1").saved(1)
    for at in (2, 3):
        opened.press("n", "0").saved(at)
    opened.page.reload()
    opened.ready().into_text()

    for at, left in ((4, 2), (5, 3), (6, 4)):
        opened.press("Control+z").saved(at)
        undecided(opened, left)
    assert (taken(opened), rulings(made)) == ([], set())
    for at, left in ((7, 3), (8, 2), (9, 1)):
        opened.press("Control+Shift+z").saved(at)
        undecided(opened, left)


def test_neither_shows_at_once_while_there_is_no_network_and_is_taken_back(third, visitors):
    opened, made = third(first=(LEFT,), second=(RIGHT,))
    opened.page.wait_for_load_state("networkidle")
    opened.into_text().press("n", "1").saved(1)
    neither = pairs(opened).locator(".neither")

    opened.page.context.set_offline(True)
    opened.press("0")
    expect(neither).to_have_attribute("aria-pressed", "true")
    expect(pairs(opened).locator(".take[aria-pressed=true]")).to_have_count(0)
    undecided(opened, 0)
    opened.press("0")
    expect(neither).to_have_attribute("aria-pressed", "false")
    undecided(opened, 1)
    opened.press("0")
    opened.page.context.set_offline(False)

    opened.saved(4)
    visitors.watch.problems.clear()
    undecided(opened, 0)
    assert rulings(made) == {*made.rows("first"), *made.rows("second")}


def test_a_pair_that_is_asked_about_keeps_no_other_pair_and_both_versions_are_told(third, visitors):
    visitors.watch.expected.add(409)
    opened, made = third()
    other, _made = third(made)
    opened.page.wait_for_load_state("networkidle")
    other.into_text().press("n", "2").saved(1)

    opened.into_text().press("n", "1")
    expect(opened.page.locator("#saved")).to_have_attribute("data-state", "conflict")
    asked = opened.page.locator("#waiting")
    expect(asked.locator("[data-there]")).to_contain_text("А.грамм")
    for at, key in ((2, "1"), (3, "1")):
        opened.into_text().press("n", key)
        expect(opened.page.locator("#saved")).to_have_attribute("data-version", str(at))
    opened.press("t").saved(3)

    first, second = made.rows("first"), made.rows("second")
    assert [row[3] for row in taken(opened)] == [second[0], first[1], first[2]]


def test_what_neither_side_gave_there_is_told_in_words(third, visitors):
    visitors.watch.expected.add(409)
    opened, made = third()
    other, _made = third(made)
    opened.page.wait_for_load_state("networkidle")
    other.into_text().press("n", "0").saved(1)

    opened.into_text().press("n", "1")

    asked = opened.page.locator("#waiting [data-there]")
    expect(asked).to_have_text("Neither: Some")
    visitors.watch.problems.clear()


def test_a_press_on_undecided_words_goes_to_their_pair_and_once_more_to_that_around_it(third):
    opened, _made = third(first=(fragment(0, 34, "А.логика"), LEFT), second=(RIGHT,))

    for number in ("2", "1", "2"):
        opened.click(14)
        expect(pairs(opened, ".here")).to_have_attribute("data-number", number)
        assert opened.selection() == [14, 14]

    opened.press("1").saved(1)
    opened.click(14)
    expect(opened.page.locator("#cards form")).to_be_visible()  # of the mark that is there now
