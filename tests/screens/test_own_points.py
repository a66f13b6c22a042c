"""Own points on the marking screen: what is refused is said at its field and stays there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from tests.screens.test_changing import TEXT
from tests.screens.test_waiting import mark_some

pytestmark = pytest.mark.full

WHY = "K3: Write points from 0 to 3"


@pytest.fixture
def stating(desk, visitors):
    """The screen with the fields of own points open."""
    visitors.watch.expected.add(422)

    def opened(**options):
        screen = desk(TEXT, **options)
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
    screen.submit()
    expect(screen.page.locator("#notice")).to_contain_text(WHY)
    expect(own(screen, "K3")).to_be_focused()
    is_refused(screen, "K3", "3,5")
    state_points(screen, "K3", "3")
    screen.saved(3)

    expect(screen.page.locator("#stated [aria-invalid], #stated .help")).to_have_count(0)
    assert stated_of(screen) == {"K3": 3, "K4": 1}


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
