"""A contest of each other scoring system, pressed from its making to its board."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from contest.models import Application, Contest
from contest.services.teams.letters import link_token
from schemes.adapters import SCHEMES
from tests.contest.test_every_scheme import given
from tests.factories import PersonFactory
from tests.schemes.inputs import do_all

pytestmark = pytest.mark.full

WORDS = {
    "name_ru": "Прогулка",
    "name_en": "A walk",
    "summary_ru": "О чём она",
    "summary_en": "What it is about",
    "task_ru": "Предсказать",
    "task_en": "Predict",
    "contact": "we@example.org",
}
PASSWORD = "a long walk of 17 steps"


def days(count):
    """A moment as a field of the page takes it, in UTC."""
    return (timezone.now() + timedelta(days=count)).strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_a_contest_of_another_scheme_is_walked_from_its_making_to_its_board(visit, scheme):
    slug = f"walk-{scheme}"
    organiser = visit(PersonFactory(role="organiser"), "/contests/new/")
    make(organiser, slug, scheme)
    say_terms(organiser, slug, scheme)
    announce(organiser, slug)
    captain = apply(visit, slug)
    upload(captain, slug, scheme)

    board = visit(None, f"/contests/{slug}/uploads/board/")
    expect(board.locator("tbody th").first).to_have_text("Alfa")


def make(page, slug, scheme):
    page.locator("#id_slug").fill(slug)
    page.locator("#id_scheme").select_option(scheme)
    page.locator("#id_zone").fill("UTC")
    for name, words in WORDS.items():
        page.locator(f"#id_{name}").fill(words)
    page.locator("#id_applications_from").fill(days(-1))
    page.locator("#id_applications_until").fill(days(3))
    page.locator("#id_shows_test_board").check()
    page.locator("#id_live").uncheck()
    page.locator("main form button").last.click()
    page.wait_for_url(f"**/contests/{slug}/manage/")
    dates = page.locator("form[action$='/phase/']").first
    dates.locator("[name=starts_at]").fill(days(1))
    dates.locator("[name=ends_at]").fill(days(9))
    dates.locator("button").click()
    expect(page.locator("dl.dates a[href$='/protocols/qualification/']")).to_be_visible()


def say_terms(page, slug, scheme):
    page.goto(f"/contests/{slug}/uploads/terms/qualification/")
    key = {"name": "key", "mimeType": "text/plain", "buffer": given(scheme)[0]}
    page.locator("#id_key").set_input_files(key)
    if scheme == "coscore":
        page.locator("#id_separator").fill("-")
    page.locator("main form button").last.click()
    expect(page.locator(".errorlist")).to_have_count(0)


def announce(page, slug):
    page.goto(f"/contests/{slug}/manage/")
    page.locator("a[href$='/announce/']").click()
    page.locator("main form button.primary").click()
    page.wait_for_url(f"**/contests/{slug}/**")
    contest = Contest.objects.get(slug=slug)
    assert contest.is_announced
    contest.phases.update(starts_at=timezone.now() - timedelta(hours=1))


def apply(visit, slug):
    page = visit(None, f"/contests/{slug}/")
    page.locator(f"main a[href='/contests/{slug}/apply/']").first.click()
    for name, words in {
        "name": "Alfa",
        "about": "Rules",
        "captain": "Anna",
        "email": f"{slug}@example.org",
    }.items():
        page.locator(f"#id_{name}").fill(words)
    page.locator("#id_agrees").check()
    page.locator("main form button").last.click()
    expect(page.locator("[role=status]")).to_contain_text(f"{slug}@example.org")
    application = Application.objects.get(contest__slug=slug)
    page.goto(f"/contests/applications/{link_token(application)}/")
    page.locator("main form button").last.click()
    for name in ("new_password1", "new_password2"):
        page.locator(f"#id_{name}").fill(PASSWORD)
    page.locator("main form button").last.click()
    page.locator("#id_username").fill(f"{slug}@example.org")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form button").last.click()
    return page


def upload(page, slug, scheme):
    page.goto(f"/contests/{slug}/uploads/")
    sent = {"name": "answers.txt", "mimeType": "text/plain", "buffer": given(scheme)[1]}
    page.locator("#id_file").set_input_files(sent)
    page.locator("main form[enctype] button").click()
    page.wait_for_url(f"**/contests/{slug}/uploads/")
    do_all()
    page.reload()
    expect(page.locator("main tbody")).to_contain_text("scored")
