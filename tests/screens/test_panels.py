"""What stands beside the text and follows every mark: points, checklist, cards, map, time."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from annotator.models import MarkupRecord, Phrase
from tests.annotator.drafts import draft_of
from tests.screens.desk import slow
from tests.screens.test_changing import TEXT, activate, place
from tests.strategies import fragment

pytestmark = pytest.mark.full

THREE, FORTY = 3, 40
"""Seconds."""


def at_work(page, seconds):
    """Somebody is at the page, by its own clock."""
    for _ in range(seconds):
        page.keyboard.press("ArrowRight")
        page.clock.run_for(1_000)


def points(screen, name):
    return screen.page.locator("#points li", has_text=name).locator(".v")


def test_points_follow_every_mark_and_name_what_costs_them(desk):
    screen = desk(TEXT).into_text()
    expect(points(screen, "K5")).to_have_text("2/2")

    for version in range(1, 5):
        screen.press("Control+Shift+ArrowRight").letters("jha").press("Enter").saved(version)
    expect(points(screen, "K5")).not_to_have_text("2/2")
    why = screen.page.locator("#points-why")
    why.locator("> summary").click()

    expect(why).to_contain_text("А.орф")


def test_a_line_of_the_checklist_leads_to_its_mark(desk):
    filler = "And so on and so forth. " * 150
    screen = desk(filler + TEXT, fragment(len(filler), len(filler) + 4, "ИСП"))
    screen.page.locator("#to-submit").click()
    line = screen.page.locator("#checklist button")
    expect(line).to_be_focused()

    line.press("Enter")

    expect(screen.page.locator("#cards h2 b")).to_have_text("ИСП")
    expect(screen.page.locator("#essay .on")).to_have_text("Some")
    expect(screen.page.locator("#essay .on")).to_be_in_viewport()


def test_a_correction_without_words_asks_for_them_until_they_are_there(desk):
    screen = desk(TEXT).into_text()

    screen.press("Control+Shift+ArrowRight").letters("bcg").press("Tab")
    field = screen.page.locator("#card-correction")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(screen.page.locator("#checklist .blocks")).to_have_count(1)
    screen.write("Many").press("Control+Enter").saved(2)

    expect(screen.page.locator("#checklist .blocks")).to_have_count(0)
    assert screen.marks("code", "correction") == [("ИСП", "Many")]


def test_the_code_of_a_mark_changes_and_its_number_and_tag_stay(desk):
    screen = activate(desk(TEXT, fragment(5, 11, "А.лекс", tag="т1", comment="c")))
    before = place(screen, "pk", "uid", "tag", "comment")

    screen.press("e")
    field = screen.page.locator("#card-code")
    field.fill("А.орф")
    field.press("Control+Enter")
    screen.saved(1)

    assert place(screen, "pk", "uid", "tag", "comment") == before
    assert screen.marks("code") == [("А.орф",)]


def test_what_is_typed_while_the_card_comes_anew_stays(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))
    screen.press("e")
    expect(screen.page.locator("#card-subcode")).to_be_focused()
    slow(screen.page, 400)

    screen.press("ArrowDown", "Tab").write("persons").press("Tab").write("so it is")
    screen.press("Control+Enter")
    expect(screen.page.locator("#essay")).to_be_focused()

    assert screen.marks("subcode", "correction", "comment") == [("видовр", "persons", "so it is")]


def test_words_sent_behind_an_older_answer_are_not_lost_with_the_next_change(desk):
    screen = activate(desk(TEXT, fragment(5, 11)))
    screen.press("e")
    expect(screen.page.locator("#card-subcode")).to_be_focused()
    slow(screen.page, 400)

    screen.press("ArrowDown", "Tab").write("persons").press("Tab")
    screen.saved(2)  # meanwhile the card came as it was before the correction
    screen.write("so it is").press("Tab")
    screen.saved(3)

    assert screen.marks("subcode", "correction", "comment") == [("видовр", "persons", "so it is")]


def test_the_standard_comment_and_own_phrases_are_offered_and_taken_by_one_key(desk):
    record = draft_of(TEXT, fragment(5, 11, "А.грамм", subcode="множ"))
    Phrase.objects.create(
        user=record.author, code="А.грамм", field="explanation", text="After many: plural."
    )
    screen = activate(desk(record=record))
    screen.press("e")
    offered = screen.page.locator("#cards .phrase")
    expect(offered).to_have_text(["Plural form", "After many: plural."])

    offered.nth(1).press("Enter")
    screen.saved(1)
    offered.nth(0).press("Enter")
    screen.saved(2)

    assert screen.marks("comment", "explanation") == [("Plural form", "After many: plural.")]


def with_phrases(desk, *texts, field="comment"):
    """The open card of a mark whose code has own phrases."""
    record = draft_of(TEXT, fragment(5, 11, "А.грамм", subcode="множ"))
    for text in texts:
        Phrase.objects.create(user=record.author, code="А.грамм", field=field, text=text)
    screen = activate(desk(record=record).furnished()).press("e")
    expect(screen.page.locator("#cards :focus")).to_have_count(1)
    screen.page.locator("#card-comment").focus()
    return screen


def test_tab_goes_from_field_to_field_however_many_phrases_are_offered(desk):
    screen = with_phrases(desk, "verb form", "so not", "wrong word")

    screen.write("does not").press("Tab").write("third person").press("Tab")

    assert screen.focused() == "card-tag"
    screen.saved(2)
    assert screen.marks("comment", "explanation") == [("does not", "third person")]


def test_phrases_are_reached_and_left_by_arrows_and_letters_there_are_no_commands(desk):
    screen = with_phrases(desk, "verb form")
    offered = screen.page.locator("#cards .phrase")
    expect(offered).to_have_text(["Plural form", "verb form"])

    screen.press("ArrowDown", "ArrowDown")
    expect(offered.nth(1)).to_be_focused()
    screen.letters("hbj")
    expect(offered.nth(1)).to_be_focused()
    expect(screen.page.locator("#submission")).to_be_hidden()
    screen.press("ArrowUp", "ArrowUp")
    assert screen.focused() == "card-comment"
    screen.press("ArrowDown", "ArrowDown", "Enter")

    expect(screen.page.locator("#card-comment")).to_have_value("verb form")
    assert screen.focused() == "card-comment"


def test_letters_on_a_button_of_a_card_are_no_commands(desk):
    screen = activate(desk(TEXT, fragment(5, 11), fragment(28, 33))).press("e")
    expect(screen.page.locator("#cards :focus")).to_have_count(1)

    screen.page.locator("#cards .danger").focus()
    screen.letters("hjbk").press("1")

    assert screen.page.locator("#cards").get_attribute("data-open") == str(screen.marks("pk")[0][0])
    expect(screen.page.locator("#submission")).to_be_hidden()


def test_the_map_shows_every_paragraph_and_every_mark_where_it_is(desk):
    text = "\n\n".join([TEXT] * 4)
    half = len(text) // 2
    screen = desk(text, fragment(0, 20, "ПРОБЛЕМА"), fragment(half + 2, half + 8))

    ticks = screen.page.locator("#map i")
    expect(ticks).to_have_count(6)
    tops = ticks.evaluate_all("(all) => all.map((each) => parseFloat(each.style.top))")
    assert tops[:4] == sorted(tops[:4])
    assert tops[4] == 0
    ((_x, top, _width, _height), *_rest) = screen.rects((half + 2, half + 3))[0]
    essay = screen.page.locator("#essay").bounding_box()
    assert tops[5] == pytest.approx(100 * (top - essay["y"]) / essay["height"], abs=2)


def test_a_press_on_the_map_brings_that_part_into_view_and_a_drag_the_next(desk):
    screen = desk("\n".join(f"The line {number} is here." for number in range(120))).furnished()
    box = screen.page.locator("#map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"]

    def shown(share):
        at = round(share * len(screen.record.essay.text))
        ((_x, top, _width, _height), *_rest) = screen.rects((at, at + 1))[0]
        return 0 < top < screen.page.viewport_size["height"]

    assert not shown(0.7)
    screen.page.mouse.move(x, y + 0.7 * box["height"])
    screen.page.mouse.down()
    assert shown(0.7)
    screen.page.mouse.move(x, y + 0.3 * box["height"], steps=3)
    assert (shown(0.3), shown(0.7)) == (True, False)
    screen.page.mouse.up()
    assert screen.focused() == "essay"

    screen.page.mouse.click(x, y + 0.9 * box["height"], button="right")
    assert (shown(0.3), shown(0.9)) == (True, False)


def test_a_press_on_a_tick_of_the_map_brings_its_mark_however_long_the_lines_are(desk):
    short = "A line.\n" * 90
    screen = desk(short + TEXT * 30, fragment(len(short) - 8, len(short) - 6)).furnished()
    assert not screen.page.locator("#essay .f").bounding_box()["y"] < 800
    tick = screen.page.locator("#map .mistake").bounding_box()

    screen.page.mouse.click(tick["x"] + 2, tick["y"])

    expect(screen.page.locator("#essay .f")).to_be_in_viewport()


def test_time_at_work_is_counted_and_the_deadline_stands_there(desk, site):
    record = draft_of(TEXT)
    record.assignment.deadline_at = timezone.now() + timedelta(hours=5, minutes=30)
    record.assignment.save()
    screen = desk(record=record).into_text()
    expect(screen.page.locator(".status")).to_contain_text("until")
    time = screen.page.locator("#time")

    expect(time).to_have_text("0:02", timeout=10_000)
    screen.page.goto("/queue/")  # who leaves reports, without waiting for the answer

    counted = MarkupRecord.objects.filter(pk=record.pk, active_seconds__gt=0)
    seconds = site.until(
        lambda: counted.values_list("active_seconds", flat=True).first(), "a report"
    )
    assert 2 <= seconds <= 12


def test_the_time_at_work_does_not_go_back_when_the_page_is_loaded_anew(desk):
    screen = desk(TEXT).into_text()
    time = screen.page.locator("#time")
    expect(time).to_have_text("0:03", timeout=10_000)

    screen.page.reload()
    screen.ready().furnished()

    assert int(time.get_attribute("data-seconds")) >= THREE


def test_the_time_since_the_last_report_is_counted_before_a_check_is_submitted(desk, site):
    screen = desk(TEXT, fragment(0, 4, "А.лекс")).into_text()
    expect(screen.page.locator("#time")).to_have_text("0:03", timeout=10_000)

    screen.submit()
    submitted = MarkupRecord.objects.filter(pk=screen.record.pk).exclude(submitted_at=None)
    found = site.until(submitted.first, "the submission")

    assert found.active_seconds >= THREE


def test_time_at_work_in_a_cut_is_counted_once_the_network_is_back(visit, visitors):
    record = draft_of(TEXT)
    page = visit(record.author, "about:blank")
    page.clock.install()
    page.goto(f"/markups/{record.pk}/")
    page.wait_for_selector("#desk[data-furnished]")
    reports = []
    page.on("requestfinished", lambda made: "activity" in made.url and reports.append(made))
    page.route("**/activity/", lambda route: route.abort())
    at_work(page, 40)
    page.unroute("**/activity/")
    at_work(page, 30)

    said = [re.search(r'name="seconds"\s+(\d+)', made.post_data)[1] for made in reports]
    assert int(said[0]) > FORTY
    visitors.watch.problems.clear()


def test_idle_time_is_not_counted(visit):
    record = draft_of(TEXT)
    page = visit(record.author, "about:blank")
    page.clock.install()
    page.goto(f"/markups/{record.pk}/")
    page.wait_for_selector("#desk[data-ready]")

    for _ in range(100):  # what counts comes when the page stands already
        page.clock.run_for(1_000)
        if page.get_attribute("#time", "data-seconds") != "0":
            break
        page.wait_for_timeout(50)
    page.clock.run_for(300_000)
    counted = int(page.get_attribute("#time", "data-seconds"))

    assert 60 <= counted <= 100


@pytest.mark.parametrize("words", ["Mistake of the whole text", "Used last", "All keys"])
def test_the_screen_speaks_russian_too(desk, words):
    with override("ru"):
        own = gettext(words)
    page = desk(TEXT, fragment(5, 11), language="ru").page

    assert own != words
    assert own in page.content()
    assert words not in page.content()
