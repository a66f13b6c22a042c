"""What is refused on a long page is seen at once, on a phone too, with scripts and without."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.contest.running_world import announced, now, person

pytestmark = pytest.mark.full

PHONE = {"viewport": {"width": 375, "height": 740}}
FINALS = "form:has([name=kind][value=finals])"


@pytest.fixture(autouse=True)
def refusal(visitors):
    """What the browser says of an answer of 422 is expected."""
    yield
    assert [each for each in visitors.watch.problems if not each.startswith("422")] == []
    visitors.watch.problems.clear()


@pytest.mark.parametrize("scripts", [True, False])
def test_refused_dates_are_seen_where_they_were_written(visit, site, scripts):  # noqa: ARG001
    contest = announced(f"sight-{scripts}".lower())
    address = f"/contests/{contest.slug}/manage/"
    page = visit(person("organiser"), address, java_script_enabled=scripts, **PHONE)
    form = page.locator(FINALS)

    for name, moment in (("starts_at", now() + timedelta(1)), ("ends_at", now())):
        form.locator(f"[name={name}]").fill(moment.strftime("%Y-%m-%dT%H:%M"))
    form.locator("button").click()

    said = page.locator(FINALS).get_by_role("alert")
    expect(said).to_be_in_viewport(ratio=0.99)
