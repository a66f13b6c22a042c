"""Words in the other language bear its name, so that they are read aloud as what they are."""

from __future__ import annotations

import pytest
from django.test import Client

from contest.core.both import Both
from contest.models import Contest
from contest.services.announcing import announce
from contest.services.annulling import annul_solution
from tests.contest.contests import contest_of, days, parameters, running
from tests.contest.data_world import taking_uploads
from tests.contest.test_uploads import GOOD, sent_by, team_of
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.schemes.inputs import do_all

pytestmark = pytest.mark.django_db


def reader(language):
    return Client(headers={"accept-language": language})


def languages_of(page, path):
    return [each.attributes.get("lang") for each in page.find(path)]


@pytest.mark.parametrize(("language", "told"), [("en", ["ru", "ru"]), ("ru", ["ru", "ru"])])
def test_what_a_contest_says_in_russian_alone_is_russian_for_everybody(language, told):
    Contest.objects.create(
        slug="ru",
        subject="rus",
        name_ru="Сочинения",
        summary_ru="О сочинениях",
        task_ru="Разметьте их.",
        announced_at=days(-1),
    )

    page = page_of(reader(language).get("/contests/ru/"))

    assert languages_of(page, ".page-head p") + languages_of(page, "#task .prose") == told
    named = ["ru"] if language == "en" else []
    assert languages_of(page, "h1 span") == named
    everywhere = page_of(reader(language).get("/contests/"))
    assert languages_of(everywhere, "table.contests th a span") == named


def test_what_it_says_in_both_is_in_the_language_of_the_page():
    contest_of("both", task_ru="Разметьте.", task_en="Mark up.")

    for language in ("ru", "en"):
        page = page_of(reader(language).get("/contests/both/"))
        assert languages_of(page, "#task .prose") == [language]
        assert page.find("h1 span") == []


def test_an_announcement_whose_text_is_in_one_language_says_in_which():
    contest = running()
    made = announce(
        contest=contest,
        kind="news",
        title=Both("Новость", "News"),
        body=Both("Только по-русски", ""),
        actor=None,
    )

    page = page_of(reader("en").get(f"/contests/autumn/announcements/{made.pk}/"))
    front = page_of(reader("en").get("/"))

    assert languages_of(page, ".prose") == ["ru"]
    assert languages_of(front, ".news span span") == ["ru"]


def test_the_reason_of_a_version_says_its_language():
    parameters(running(), 1, reason_ru="Окно было велико")

    page = page_of(reader("en").get("/contests/autumn/"))

    (said,) = page.find(".changes span[lang]")
    assert (said["lang"], said.text) == ("ru", "Окно было велико")


@pytest.mark.parametrize(("reason", "told"), [("Размечено руками", ["ru"]), ("Marked by hand", [])])
def test_a_reason_in_russian_bears_its_language_on_english_pages(log_in, reason, told):
    contest = taking_uploads(shows_test_board=True)
    lynx = team_of(contest, "Lynx")
    sent_by(lynx, GOOD)
    do_all()
    organiser = PersonFactory(role="organiser")
    upload = contest.phases.get().uploads.get()
    annul_solution(
        contest=contest, solution=upload, actor=organiser, reason=reason, protocol="No. 5"
    )

    for person, path in ((lynx.account, "team/"), (organiser, "uploads/board/")):
        page = page_of(log_in(person).get(f"/contests/{contest.slug}/{path}"))
        found = page.find("main span[lang]")
        assert [(each["lang"], each.text) for each in found] == [(each, reason) for each in told]
