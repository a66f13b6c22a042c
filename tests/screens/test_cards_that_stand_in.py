"""Without a network the card of a mark is made of what the page knows, and what it says waits."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import FragmentRecord
from tests.annotator.drafts import draft_of
from tests.screens.test_cards_in_a_cut import cut, log_out
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_kept import items
from tests.screens.test_waiting import comment, mark_some, state
from tests.strategies import fragment, whole_text

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("trouble")]

FIELDS = ("code", "subcode", "correction", "comment", "explanation", "tag")
SAID = ("А.грамм", "арт", "the people", "as it was", "why it was", "арт1")
NEW = ("А.лекс", "", "persons", "as it is", "why it is", "лекс1")
KNOWN = fragment(5, 11, **dict(zip(FIELDS, SAID, strict=True)))


def field(screen, name):
    return screen.page.locator(f"#cards form [name={name}]")


def card(screen):
    return screen.page.locator("#cards form")


def stand_in(screen):
    return screen.page.locator("#cards form[data-stand-in]")


def shown(screen):
    return tuple(field(screen, name).input_value() for name in FIELDS)


def newest(screen):
    return FragmentRecord.objects.filter(markup=screen.record).latest("pk").pk


def fill(screen, words):
    for name, said in zip(FIELDS, words, strict=True):
        if name == "subcode":
            field(screen, name).select_option(said)
        else:
            field(screen, name).fill(said)


def by_key(screen):
    activate(screen).press("e")


def by_click(screen):
    screen.click(6)


@pytest.mark.parametrize("come", [by_key, by_click])
def test_in_a_cut_every_field_of_a_mark_is_shown_and_changed_and_arrives_when_it_is_over(
    ready, come
):
    screen = ready(TEXT, KNOWN)
    cut(screen)

    come(screen)
    expect(stand_in(screen)).to_be_visible()
    assert shown(screen) == SAID
    fill(screen, NEW)
    screen.press("Control+Enter")
    state(screen, "offline")
    expect(screen.page.locator("#cards")).to_be_empty()
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks(*FIELDS) == [NEW]


def test_a_key_goes_into_the_card_that_stands_in_and_the_card_of_the_server_takes_its_place(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")
    expect(screen.page.locator("#cards :focus")).to_have_count(1)
    comment(screen).focus()
    screen.press("Control+a").write("half a sen")

    screen.page.context.set_offline(False)
    expect(stand_in(screen)).to_have_count(0)
    expect(card(screen)).to_be_visible()

    assert screen.focused() == "card-comment"
    screen.write("tence")
    expect(comment(screen)).to_have_value("half a sentence")
    screen.press("Control+Enter")
    expect(screen.page.locator("#cards")).to_be_empty()
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("comment") == [("half a sentence",)]


def test_a_mark_made_in_a_cut_is_written_about_at_once_and_all_of_it_arrives_once(ready):
    screen = ready(TEXT)
    cut(screen)
    mark_some(screen)

    screen.press("e")
    expect(stand_in(screen)).to_be_visible()
    assert shown(screen) == ("А.грамм", "", "", "", "", "")
    field(screen, "subcode").select_option("арт")
    comment(screen).fill("told")
    field(screen, "explanation").fill("why")
    field(screen, "tag").focus()
    state(screen, "offline")
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    expect(stand_in(screen)).to_have_count(0)
    expect(comment(screen)).to_have_value("told")
    comment(screen).fill("told again")
    screen.press("Control+Enter")
    expect(screen.page.locator("#cards")).to_be_empty()
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("code", "subcode", "comment", "explanation") == [
        ("А.грамм", "арт", "told again", "why")
    ]
    changes = screen.record.changes.count()
    assert changes == len(["marked", "subcode", "comment", "explanation", "comment again"])


@pytest.mark.parametrize("how", ["button", "key"])
def test_a_mark_is_deleted_in_a_cut_with_its_card_open(ready, how):
    screen = ready(TEXT, KNOWN, fragment(28, 33, "А.лекс"))
    cut(screen)
    activate(screen).press("e")
    expect(stand_in(screen)).to_be_visible()

    if how == "button":
        screen.page.click("#cards [data-do=drop]")
    else:
        screen.press("Escape", "Delete")
    expect(screen.page.locator("#cards")).to_be_empty()
    expect(items(screen)).to_have_text(["Deleted: people"])
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("code") == [("А.лекс",)]


def test_a_mark_that_comes_back_in_a_cut_is_written_about_at_once(ready):
    screen = ready(TEXT, fragment(28, 33, "А.лекс"))
    mark_some(screen).saved(1)
    screen.press("e")
    comment(screen).fill("why so")
    screen.press("Control+Enter").saved(2)
    screen.press("Control+z").saved(3)
    screen.press("Control+z").saved(4)
    cut(screen)

    screen.press("Control+Shift+z", "Control+Shift+z", "Control+Home", "j", "e")
    expect(stand_in(screen)).to_be_visible()
    assert shown(screen) == ("А.грамм", "", "", "why so", "", "")
    field(screen, "explanation").fill("and more")
    comment(screen).focus()
    screen.page.context.set_offline(False)

    expect(stand_in(screen)).to_have_count(0)
    expect(card(screen)).to_have_attribute("data-number", str(newest(screen)))
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.focused() == "card-comment"
    assert screen.marks("start", "comment", "explanation")[-1] == (0, "why so", "and more")


@pytest.mark.parametrize("known", [True, False])
def test_words_undone_in_a_cut_leave_the_open_card_and_come_again(ready, known):
    screen = ready(TEXT, KNOWN)
    if not known:
        cut(screen)
    activate(screen).press("e")
    comment(screen).fill("told")
    screen.press("Tab")
    if known:
        screen.saved(1)
        cut(screen)
    else:
        state(screen, "offline")

    for key, words in (("Control+z", "as it was"), ("Control+Shift+z", "told")) * 2:
        screen.press(key)
        expect(comment(screen)).to_have_value(words)
    screen.press("Control+z", "Escape")
    expect(screen.page.locator("#cards")).to_be_empty()
    screen.page.context.set_offline(False)

    screen.saved(6)
    assert screen.marks("comment") == [("as it was",)]


def test_a_code_undone_in_a_cut_leaves_the_open_card_with_its_subcode(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")
    expect(stand_in(screen)).to_be_visible()

    screen.page.locator('#codes [data-code="ПРОБЛЕМА"]').click()
    expect(card(screen).locator("h2 [data-code]")).to_have_text("ПРОБЛЕМА")
    screen.press("Control+z")

    expect(card(screen).locator("h2 [data-code]")).to_have_text("А.грамм")
    assert shown(screen) == SAID


def test_keys_go_past_a_mark_that_is_deleted_in_a_cut(ready):
    screen = ready(TEXT, KNOWN, fragment(28, 33, "А.лекс"))
    cut(screen)
    activate(screen).press("Delete", "Control+Home", "j")

    expect(screen.page.locator("#marks > .on b")).to_have_text("А.лекс")


def test_codes_are_looked_up_in_a_cut_and_their_subcodes_offered(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")

    field(screen, "code").focus()
    screen.press("Control+a").write("лекс")
    expect(screen.page.locator("#card-codes [data-hit]").first).to_contain_text("А.лекс")
    screen.press("Enter")
    expect(field(screen, "code")).to_have_value("А.лекс")
    expect(field(screen, "subcode")).to_have_value("")
    field(screen, "subcode").focus()

    options = field(screen, "subcode").locator("option")
    offered = options.evaluate_all("all => all.map(({ value }) => value)")
    assert offered[0] == ""
    assert "арт" not in offered


def test_a_card_that_stands_in_follows_another_code_and_the_focus_goes_on_in_it(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")

    field(screen, "code").focus()
    screen.press("Control+a").write("орф")
    expect(screen.page.locator("#card-codes [data-hit]")).to_have_count(1)
    screen.press("Enter")
    expect(card(screen).locator("h2")).to_have_text("А.орф A word is misspelt.")
    screen.press("Tab")
    assert screen.focused() == "card-correction"
    screen.press("Control+a").write("peoples").press("Control+Enter")
    state(screen, "offline")
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("code", "subcode", "correction") == [("А.орф", "", "peoples")]


def test_a_card_that_stands_in_again_keeps_the_code_and_subcode_that_wait(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")
    field(screen, "code").focus()
    screen.press("Control+a").write("сочет")
    expect(screen.page.locator("#card-codes [data-hit]").first).to_contain_text("А.лекс сочет")
    screen.press("Enter", "Control+Enter")
    expect(screen.page.locator("#cards")).to_be_empty()

    screen.press("e")
    expect(stand_in(screen).locator("h2 [data-code]")).to_have_text("А.лекс")
    assert shown(screen)[:2] == ("А.лекс", "сочет")
    screen.press("Escape")
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("code", "subcode") == [("А.лекс", "сочет")]


def test_a_card_that_stands_in_has_the_fields_of_a_code_of_the_palette(ready):
    screen = ready(TEXT, fragment(5, 11, "А.орф"))
    cut(screen)
    activate(screen).press("e")
    expect(stand_in(screen)).to_be_visible()

    screen.page.locator('#codes [data-code="ПРОБЛЕМА"]').click()

    expect(card(screen).locator("h2 [data-code]")).to_have_text("ПРОБЛЕМА")
    expect(screen.page.locator("#cards label:visible")).to_have_text(
        ["Code", "Comment", "Explanation"]
    )
    assert screen.focused() == "card-comment"


def test_in_a_cut_who_marks_and_edits_with_one_key_is_in_the_card_of_the_mark(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)

    screen.press("Control+Home", "Control+Shift+ArrowRight").letters("jha").press("Tab")
    expect(stand_in(screen).locator("h2 [data-code]")).to_have_text("А.орф")
    expect(screen.page.locator("#cards :focus")).to_have_count(1)
    screen.write("Most").press("Control+Enter")
    state(screen, "offline")
    screen.page.context.set_offline(False)

    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "saved")
    assert screen.marks("code", "correction")[-1] == ("А.орф", "Most")


def test_a_card_that_stands_in_has_the_fields_its_code_allows(ready):
    screen = ready(TEXT, fragment(5, 11, "ПРОБЛЕМА"))
    cut(screen)

    activate(screen).press("e")

    expect(screen.page.locator("#cards label:visible")).to_have_text(
        ["Code", "Comment", "Explanation"]
    )


def test_a_card_that_stands_in_and_is_closed_stays_closed(ready):
    screen = ready(TEXT, KNOWN)
    cut(screen)
    activate(screen).press("e")
    expect(stand_in(screen)).to_be_visible()

    screen.press("Escape")
    screen.page.context.set_offline(False)
    with screen.page.expect_response("**/fragments/"):
        mark_some(screen.into_text())

    expect(card(screen)).to_have_attribute("data-number", str(newest(screen)))


def test_who_is_logged_out_writes_on_in_a_card_that_stands_in(ready):
    screen = ready(TEXT, KNOWN)
    log_out(screen)

    activate(screen).press("e")
    expect(stand_in(screen)).to_be_visible()
    comment(screen).fill("meanwhile")
    screen.press("Control+Enter")

    state(screen, "login")
    expect(items(screen)).to_have_text(["people · meanwhile"])


def test_a_mistake_of_the_whole_text_has_a_card_in_a_cut_too(ready):
    known = whole_text("С.композ", comment="no middle")
    screen = ready(record=draft_of(TEXT, known, subject="lit"))
    cut(screen)

    screen.page.locator("#whole [data-do=open]").click()

    expect(stand_in(screen)).to_be_visible()
    expect(comment(screen)).to_have_value("no middle")
