"""Under which licence a contest's data are published, and what an archive cannot write as text."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from annotator.models import MarkupRecord
from contest.core.licences import licence_of
from contest.models import Contest, Publication
from tests.contest.data_world import contest_of, data_set_of
from tests.contest.test_publications import approved, finals, marked, member, names_in, published
from tests.factories import PersonFactory, submitted
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db
Kind = Publication.Kind


@pytest.fixture(autouse=True)
def _exports(settings, tmp_path):
    settings.EXPORTS = tmp_path


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


@pytest.mark.parametrize(
    ("language", "of_contest", "of_finals"),
    [
        (
            "en",
            "Data of the contest are published under CC0 1.0.",
            "Markups of the finals are published under CC BY 4.0 (clause 7.13).",
        ),
        (
            "ru",
            "Данные конкурса публикуются на условиях CC0 1.0.",
            "Разметки финала публикуются на условиях CC BY 4.0 (пункт 7.13).",
        ),
    ],
)
def test_the_foot_of_a_page_names_the_licence_of_its_contest(language, of_contest, of_finals):
    contest = contest_of(licence="CC0 1.0")
    reader = Client(headers={"accept-language": language})

    pages = [f"/contests/{contest.slug}/", f"/contests/{contest.slug}/board/", "/contests/"]
    feet = [page_of(reader.get(each)).one(".site-foot").text for each in pages]

    assert [of_contest in each for each in feet] == [True, True, False]
    assert [of_finals in each for each in feet] == [True] * 3


@pytest.mark.parametrize(("is_of_finals", "licence"), [(True, "CC BY 4.0"), (False, "CC0 1.0")])
def test_markups_of_finals_are_under_one_licence_always(is_of_finals, licence):
    assert licence_of("CC0 1.0", is_of_finals=is_of_finals) == licence


def test_archives_bear_the_licence_of_their_kind(organiser):
    contest, _essay = finals()
    approved(contest)
    marked(data_set_of(contest, "training", essays=1), "petrova")
    Contest.objects.update(licence="CC0 1.0")
    contest.refresh_from_db()

    made = {each: published(contest, each, organiser) for each in (Kind.TRAINING, Kind.FINALS)}

    told = {
        each: (
            json.loads(member(found, "manifest.json"))["licence"],
            member(found, "LICENCE.txt").decode().split("licensed under ")[1].split("\n")[0],
            member(found, "LICENCE.txt").decode().strip().rpartition("\n")[2],
        )
        for each, found in made.items()
    }
    home = "https://creativecommons.org/"
    assert told == {
        Kind.TRAINING: ("CC0 1.0", "CC0 1.0.", f"{home}publicdomain/zero/1.0/"),
        Kind.FINALS: ("CC BY 4.0", "CC BY 4.0.", f"{home}licenses/by/4.0/"),
    }


def test_who_publishes_finals_reads_under_which_licence(log_in, organiser):
    contest, _essay = finals()
    approved(contest)
    Contest.objects.update(licence="CC0 1.0")
    address = f"/contests/{contest.slug}/data/"

    asked = page_of(log_in(organiser).get(f"{address}?kind=finals")).one("main").text

    assert ("CC BY 4.0" in asked, "CC0" in asked) == (True, False)
    assert log_in(PersonFactory(role="participant")).get(address).status_code == 403


def test_a_markup_that_cannot_be_written_in_brackets_stands_as_json_and_is_named(organiser):
    contest = contest_of()
    essay = data_set_of(contest, "training", essays=1).essay_set.essays.get()
    crossing = (fragment(0, 6, "А.грамм"), fragment(3, 9, "А.лекс"))
    submitted(essay, *crossing, source=MarkupRecord.Source.EXPERT)

    made = published(contest, Kind.TRAINING, organiser)

    manifest = json.loads(member(made, "manifest.json"))
    (left,) = manifest["without_text"]
    of_expert = [name for name in names_in(made) if "/experts/" in name]
    assert of_expert == [left["path"].removesuffix(".txt") + ".json"]
    written = json.loads(member(made, of_expert[0]))["selections"]
    spans = sorted((each["startSelection"], each["endSelection"]) for each in written)
    assert spans == [(0, 6), (3, 9)]
    assert left["because"]
