"""Own points on the marking screen: what is refused is said at its field and stays there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotator.core.values import Fragment, Span
from annotator.models import MarkupRecord
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import mark_some

pytestmark = pytest.mark.full

WHY = "K3: Write points from 0 to 3"


@pytest.fixture
def stating(desk, visitors):
    """The screen with the fields of own points open."""
    visitors.watch.expected.add(422)

    def opened(fragments=(), **options):
        screen = desk(TEXT, *fragments, **options)
        screen.own_points()
        return screen

    return opened


def own(screen, name):
    return screen.page.locator(f"#stated [name={name}]")


def state_points(screen, name, points):
    own(screen, name).click()
    screen.press("Control+a").write(points).press("Tab")


def is_refused(screen, name, points):
    expect(own(screen, name)).to_have_attribute("aria-invalid", "true")
    expect(own(screen, name)).to_have_value(points)
    expect(own(screen, name)).to_have_accessible_description(
        screen.page.locator(f"#own-{name}-why").inner_text()
    )
    expect(screen.page.locator("#saved")).to_have_attribute("data-state", "refused")
    expect(screen.page.locator("#saved")).not_to_contain_text("Saved", use_inner_text=True)


def stated_of(screen):
    return MarkupRecord.objects.values_list("stated", flat=True).get(pk=screen.record.pk)


def test_refused_points_are_said_at_their_field_and_never_called_saved(stating):
    screen = stating()

    state_points(screen, "K3", "3,5")

    is_refused(screen, "K3", "3,5")
    expect(screen.page.locator("#own-K3-why")).to_contain_text(WHY)
    expect(screen.page.locator("#own-K3-why")).to_be_in_viewport()
    assert stated_of(screen) == {}


def test_the_line_of_state_leads_to_where_refused_points_are_named(stating):
    screen = stating()
    state_points(screen, "K3", "3,5")
    is_refused(screen, "K3", "3,5")
    screen.into_text().press("Escape")

    screen.page.get_by_role("button", name="Not saved: something is refused").click()

    expect(screen.page.locator("#checklist .blocks button")).to_be_focused()
    screen.press("Enter")
    expect(own(screen, "K3")).to_be_focused()


def test_refused_points_stay_with_their_reason_until_they_are_put_right(stating):
    screen = stating()
    state_points(screen, "K3", "3,5")
    is_refused(screen, "K3", "3,5")

    state_points(screen, "K4", "1")
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "1")
    is_refused(screen, "K3", "3,5")
    mark_some(screen)
    expect(screen.page.locator("#saved")).to_have_attribute("data-version", "2")
    is_refused(screen, "K3", "3,5")
    state_points(screen, "K3", "3")
    screen.saved(3)

    expect(screen.page.locator("#stated [aria-invalid], #stated .help")).to_have_count(0)
    assert stated_of(screen) == {"K3": 3, "K4": 1}


WRITE_AND_SUBMIT = """
(field, points) => {
  field.value = points;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  document.getElementById("hand-in").click();
}
"""


def keeps_back(screen):
    return screen.page.locator("#checklist [data-keeps-back] :is(h3, li)")


def test_refused_points_stand_among_what_keeps_the_check_back_and_lead_to_their_field(stating):
    screen = stating(fragments=[Fragment(Span(28, 33), "ИСП")])
    state_points(screen, "K3", "3,5")
    is_refused(screen, "K3", "3,5")

    screen.page.click("#to-submit")
    expect(keeps_back(screen)).to_have_text(
        ["Keeps the check back, 2", re.compile("^ИСП"), f"{WHY}, such as 2 or 2.5."]
    )
    expect(screen.page.locator("#hand-in")).to_be_disabled()
    state_points(screen, "K4", "9")
    expect(keeps_back(screen)).to_have_count(4)
    screen.page.click("#checklist button:has-text('K3')")
    expect(own(screen, "K3")).to_be_focused()
    screen.press("Control+a").write("3").press("Tab")

    expect(keeps_back(screen).first).to_have_text("Keeps the check back, 2")
    expect(keeps_back(screen)).to_have_count(3)


def test_without_other_problems_refused_points_alone_keep_the_check_back_until_put_right(stating):
    screen = stating()
    state_points(screen, "K3", "7")
    is_refused(screen, "K3", "7")
    screen.page.click("#to-submit")
    expect(screen.page.locator("#checklist .blocks button")).to_be_focused()
    screen.page.keyboard.press("Escape")
    screen.page.click("#to-submit")
    expect(keeps_back(screen)).to_have_text(
        ["Keeps the check back, 1", f"{WHY}, such as 2 or 2.5."]
    )

    state_points(screen, "K3", "3")
    screen.saved(1)

    expect(keeps_back(screen)).to_have_count(0)
    expect(screen.page.locator("#hand-in")).to_be_enabled()


def test_points_refused_while_the_check_is_being_submitted_keep_it_a_draft(stating):
    screen = stating()
    screen.page.click("#to-submit")
    expect(screen.page.locator("#submission")).to_be_visible()

    own(screen, "K3").evaluate(WRITE_AND_SUBMIT, "3,5")

    expect(screen.page.locator("#notice")).to_contain_text(WHY)
    expect(own(screen, "K3")).to_be_focused()
    is_refused(screen, "K3", "3,5")
    assert MarkupRecord.objects.get(pk=screen.record.pk).state == "draft"


def test_points_other_than_whole_ones_and_halves_are_refused_with_the_reason(stating):
    screen = stating()

    state_points(screen, "K3", "1,25")

    is_refused(screen, "K3", "1,25")
    expect(screen.page.locator("#own-K3-why")).to_have_text(
        "K3: Points are whole or end in a half, such as 2 or 2.5."
    )
    assert stated_of(screen) == {}


def test_a_russian_page_shows_and_reads_halves_with_a_comma(stating):
    screen = stating(language="ru")

    state_points(screen, "K5", "1,5")
    screen.saved(1)

    expect(own(screen, "K5")).to_have_value("1,5")
    expect(screen.page.locator("#points .pop > .help.bad")).to_have_text(
        "K5: указано 1,5, по разметке — 2."
    )
    screen.page.reload()
    screen.ready()
    expect(own(screen, "K5")).to_have_value("1,5")
    assert stated_of(screen) == {"K5": 1.5}
