"""A contest gone through by pressing, in both languages: organiser, judge, commission, team."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from contest.models import PhaseVerdict
from tests.contest.running_world import announced, over, person
from tests.contest.team_world import a_team

pytestmark = pytest.mark.full

PRESSED = (("judge", "checked"), ("commission", "verified"), ("organiser", "approved"))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_role_presses_its_own_step_of_a_contest(visit, site, language):  # noqa: ARG001
    contest = announced(f"pressed-{language}")
    over(contest, "qualification")
    captain = a_team(contest, "Alfa").memberships.get().person

    steps = [
        *((person(role), "/verdicts/", press_verdict, kind) for role, kind in PRESSED),
        (captain, "/contests/", press_for_team),
        (person("organiser"), "/contests/", propose),
    ]
    for somebody, path, press, *how in steps:
        page = visit(somebody, path, language=language)
        press(page, contest, *how)
        expect(page.locator(f"html[lang={language}]")).to_have_count(1)

    said = PhaseVerdict.objects.filter(protocol__phase__contest=contest).order_by("pk")
    assert list(said.values_list("kind", flat=True)) == [kind for _role, kind in PRESSED]
    assert contest.phases.get(kind="qualification").closed_at is not None


def press_verdict(page, contest, kind):
    """From what waits for somebody to the verdict."""
    page.locator(f"main a[href*='/{contest.slug}/protocols/qualification/']").first.click()
    page.locator(f"button[name=kind][value={kind}]").click()
    page.locator("main form button.primary").click()
    expect(page.locator("main a[href*='/protocols/qualification/']").first).to_be_visible()


def press_for_team(page, contest):
    """From the list of contests to the cabinet of the own team, and its keys."""
    page.locator(f"main a[href='/contests/{contest.slug}/']").first.click()
    page.locator(f"main a[href='/contests/{contest.slug}/team/']").first.click()
    page.locator("main .tools a[href='/account/']").click()
    page.locator("#id_name").fill("program")
    page.locator("main form:has(#id_name) button").click()
    expect(page.locator(".secret")).to_be_visible()


def propose(page, contest):
    """From the list of contests to a proposal of other parameters."""
    page.locator(f"main a[href='/contests/{contest.slug}/']").first.click()
    page.locator(f"a[href='/contests/{contest.slug}/manage/']").first.click()
    page.locator(f"main a[href='/contests/{contest.slug}/parameters/']").first.click()
    page.locator("#id_limit").fill("75")
    for name in ("reason_ru", "reason_en"):
        page.locator(f"#id_{name}").fill("So it was decided")
    page.locator("form[action$='/propose/'] button").click()
    expect(page.locator("form[action$='/withdraw/']")).to_be_visible()
    assert contest.parameter_sets.get(version=2).session["limit"] == 75
