"""What codes are called in English: where it is shown, and where codes stay alone."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.values import Subject
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.strategies import fragment, whole_text

MARKS = (
    fragment(0, 4, "А.грамм", subcode="арт"),
    fragment(2, 9, "ИСП"),
    whole_text("А.логика"),
)
NAMES = {"Grammar: article", "Correction only", "Logic"}


@pytest.mark.parametrize("subject", Subject)
def test_every_code_and_subcode_has_an_english_name_without_a_russian_letter(subject):
    for category in classifier_of(subject).categories:
        for called in (category.english, *(sub.english for sub in category.subcategories)):
            assert re.fullmatch(r"[A-Za-zé’, -]{3,34}", called), category.code


@pytest.mark.parametrize("subject", Subject)
def test_a_code_is_called_the_same_in_every_subject(subject):
    for category in classifier_of(subject).categories:
        assert every_classifier().english(category.code) == category.english


@pytest.mark.parametrize("subject", Subject)
def test_the_codes_of_a_subject_and_the_subcodes_of_a_code_have_names_of_their_own(subject):
    codes = classifier_of(subject).categories
    assert len({category.english for category in codes}) >= len(codes) - 5
    for category in codes:
        pairs = {(sub.comment["en"], sub.english) for sub in category.subcategories}
        assert len({called for _comment, called in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("code", "subcode", "called"),
    [
        ("А.грамм", "", "Grammar"),
        ("а.ГРАММ", "АРТ", "Grammar: article"),
        ("А.грамм", "выбор", "Grammar"),
        ("А.нет", "арт", ""),
    ],
)
def test_a_code_is_called_by_its_name_and_its_subcodes(code, subcode, called):
    assert classifier_of(Subject.ENGLISH).english(code, subcode) == called


@pytest.fixture
def record(db):  # noqa: ARG001 - the rows need the database
    return draft_of("Some people think.", *MARKS)


def names_on(page, places):
    return {name.text for place in places for name in page.find(f"{place} .called") if name.text}


PLACES = ("#marks", "#whole", "#checklist")


def test_an_english_page_has_names_beside_codes_in_lists_cards_and_palette(log_in, record):
    client = log_in(record.author)
    page = page_of(client.get(f"/markups/{record.pk}/"))
    row = record.fragments.order_by("pk").first()
    card = page_of(client.get(f"/markups/{record.pk}/fragments/{row.pk}/"))

    assert names_on(page, PLACES) == NAMES
    codes = {each["data-code"]: each["title"] for each in page.find("#codes .code")}
    assert codes["А.грамм"] == "Grammar"
    assert all(codes.values())
    assert names_on(card, ["h2"]) == {"Grammar: article"}
    chips = {each.text: each["title"] for each in card.find(".subs .code")}
    assert chips["арт"] == "article: Article"
    options = {each["value"]: each.text for each in card.find("#card-subcode option")}
    assert options["арт"] == "арт – article: Article"


def test_a_russian_page_has_codes_alone(log_in, record):
    client = log_in(record.author)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ru"
    row = record.fragments.order_by("pk").first()

    for path in (f"/markups/{record.pk}/", f"/markups/{record.pk}/fragments/{row.pk}/"):
        page = page_of(client.get(path))
        assert {each.text for each in page.find(".called")} <= {""}
        assert not any("title" in each.attributes for each in page.find("#codes .code"))


@pytest.mark.django_db
@pytest.mark.parametrize("words", ["grammar range", "rhetorical question"])
def test_the_classifier_is_searched_by_english_names(log_in, words):
    page = page_of(log_in(PersonFactory()).get("/classifiers/eng/", {"q": words}))

    codes = {"grammar range": ["А.уров"], "rhetorical question": ["А.стиль"]}
    assert [each.text for each in page.find("#classifier-list dt")] == codes[words]


def test_files_carry_codes_and_no_names(log_in, record):
    client = log_in(record.author)

    for ending in ("json", "csv", "m2"):
        words = client.get(f"/markups/{record.pk}/{ending}/").content.decode()
        assert "А.грамм" in words
        assert not any(name in words for name in ("Grammar", "Correction only", "Logic"))
