"""A check as text: what is typed is kept until it is taken over or given up."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from annotator.services.drafts import delete_fragment
from tests.annotator.drafts import draft_of
from tests.screens.test_changing import TEXT
from tests.strategies import fragment

pytestmark = pytest.mark.full

MARKED = r"(\ А.грамм \ people \)"


@pytest.fixture
def source(visit):
    """The page of a check's text: its page, its field, what is said to be back."""
    record = draft_of(TEXT, fragment(28, 33, "А.лекс"))
    page = visit(record.author, f"/markups/{record.pk}/source/")
    return page, page.locator("#words"), page.locator("#brought")


def typed(words):
    """Mark a word in the text; what the field says then."""
    before = words.input_value()
    assert "Some people" in before
    words.fill(before.replace("Some people", f"Some {MARKED}"))
    return words.input_value()


@pytest.mark.parametrize("way", ["loaded anew", "left and opened again"])
def test_what_was_typed_and_not_taken_over_is_back_with_what_it_changes(source, way):
    page, words, brought = source
    expect(brought).to_be_hidden()
    now = typed(words)

    if way == "loaded anew":
        page.reload()
    else:
        page.get_by_role("link", name="Back to the check").click()
        page.wait_for_selector("#desk[data-ready]")
        page.goto(page.url + "source/")

    expect(words).to_have_value(now)
    expect(brought).to_be_visible()
    expect(page.locator("#found")).to_contain_text("people")
    expect(page.get_by_role("button", name="Take it over")).to_be_visible()


def test_what_was_typed_can_be_given_up(source):
    page, words, brought = source
    stored = words.input_value()
    typed(words)
    page.reload()

    brought.get_by_role("button").click()

    expect(words).to_have_value(stored)
    expect(brought).to_be_hidden()
    page.reload()
    expect(words).to_have_value(stored)
    expect(brought).to_be_hidden()


def test_what_was_taken_over_comes_back_no_more(source):
    page, words, brought = source
    address = page.url
    typed(words)
    page.get_by_role("button", name="Take it over").click()
    page.wait_for_selector("#desk[data-ready]")
    expect(page.locator("#marks > [data-mark]")).to_have_count(2)

    page.goto(address)

    expect(brought).to_be_hidden()
    expect(words).to_contain_text("А.грамм")


def test_what_was_sent_and_not_taken_over_is_back_too(source):
    page, words, brought = source
    now = typed(words)
    expect(page.get_by_role("button", name="Take it over")).to_be_visible()
    record = MarkupRecord.objects.get(pk=page.url.split("/")[-3])
    delete_fragment(record=record, version=0, row=record.fragments.get())

    page.get_by_role("button", name="Take it over").click()
    expect(page.locator("#found")).to_contain_text("The check was changed meanwhile")
    page.get_by_role("link", name="Back to the check").click()
    page.wait_for_selector("#desk[data-ready]")
    page.goto(page.url + "source/")

    expect(words).to_have_value(now)
    expect(brought).to_be_visible()


def test_what_somebody_typed_is_shown_to_nobody_else_of_the_browser(source, visit):
    page, words, _brought = source
    typed(words)
    record = draft_of(TEXT)
    kept = page.evaluate("Object.entries(localStorage)")

    other = visit(record.author, f"/markups/{record.pk}/")
    other.evaluate("(kept) => kept.forEach((each) => localStorage.setItem(...each))", kept)
    other.goto(f"/markups/{record.pk}/source/")

    expect(other.locator("#brought")).to_be_hidden()
    assert MARKED not in other.locator("#words").input_value()


WAITS = "#typed-waits"


@pytest.mark.parametrize("sheet", [False, True], ids=["desk", "sheet"])
def test_the_desk_says_that_typed_text_waits_and_leads_to_it(source, sheet):
    page, words, brought = source
    now = typed(words)
    page.get_by_role("link", name="Back to the check").click()
    page.wait_for_selector("#desk[data-ready]")
    if sheet:
        page.locator("#to-submit").click()

    expect(page.locator(WAITS)).to_be_in_viewport(ratio=1)
    page.locator(WAITS).get_by_role("link").click()

    expect(brought).to_be_visible()
    expect(words).to_have_value(now)


def test_the_desk_says_nothing_of_text_that_was_taken_over_or_given_up(source):
    page, words, _brought = source
    typed(words)
    desk = page.context.new_page()
    desk.goto(page.url.replace("source/", ""))
    expect(desk.locator(WAITS)).to_be_visible()
    words.fill(words.evaluate("(own) => own.defaultValue"))
    expect(desk.locator(WAITS)).to_have_count(0)

    typed(words)
    expect(desk.locator(WAITS)).to_be_visible()
    page.get_by_role("button", name="Take it over").click()
    page.wait_for_selector("#desk[data-furnished]")

    expect(page.locator(WAITS)).to_have_count(0)
