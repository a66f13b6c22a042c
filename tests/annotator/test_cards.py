from __future__ import annotations

import pytest
from django.test import Client

from annotator.models import FragmentRecord
from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, marking_form, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

TEXT = "Some people think that sport unite people."
STACKED = (
    fragment(0, 42, "ПРОБЛЕМА"),
    fragment(5, 34, "А.лекс"),
    fragment(5, 28, "А.грамм"),
    fragment(12, 17, "А.орф"),
    fragment(12, 17, "ИСП", correction="believe"),
    fragment(35, 41, "А.запас"),
    whole_text("А.уров"),
)


@pytest.fixture
def card(log_in):
    def show(record, code, user=None, **at):
        number = record.fragments.get(code=code).pk
        client = log_in(user or record.author)
        return client.get(f"/markups/{record.pk}/fragments/{number}/", at)

    return show


def stack(response):
    """The code of the card and of the rows below it."""
    page = page_of(response)
    return [each.text for each in [*page.find("#cards h2 b"), *page.find("#cards .row b")]]


@pytest.mark.parametrize(
    ("code", "at", "codes"),
    [
        ("А.орф", 12, ["А.орф", "ИСП", "А.грамм", "А.лекс", "ПРОБЛЕМА"]),
        ("ИСП", 16, ["ИСП", "А.орф", "А.грамм", "А.лекс", "ПРОБЛЕМА"]),
        ("ПРОБЛЕМА", 12, ["ПРОБЛЕМА", "ИСП", "А.орф", "А.грамм", "А.лекс"]),
        ("А.лекс", 17, ["А.лекс", "А.грамм", "ПРОБЛЕМА"]),
        ("А.лекс", 28, ["А.лекс", "ПРОБЛЕМА"]),
        ("ПРОБЛЕМА", 0, ["ПРОБЛЕМА"]),
        ("ПРОБЛЕМА", 41, ["ПРОБЛЕМА"]),
        ("ПРОБЛЕМА", 35, ["ПРОБЛЕМА", "А.запас"]),
        ("А.уров", 12, ["А.уров"]),
    ],
)
def test_the_place_chooses_the_stack_innermost_first(card, code, at, codes):
    response = card(draft_of(TEXT, *STACKED), code, at=at)

    assert stack(response) == codes
    count = len(codes)
    here = f"{count} fragment{'s' if count > 1 else ''} here"
    of_whole = code == "А.уров"
    assert texts_of(response, "#cards header span") == ["Whole text" if of_whole else here]


@pytest.mark.parametrize("at", [{}, {"at": ""}, {"at": "x"}, {"at": "-1"}, {"at": "9" * 10}])
def test_without_a_place_it_is_the_one_the_mark_begins_at(card, at):
    record = draft_of(TEXT, *STACKED)

    assert stack(card(record, "А.лекс", **at)) == ["А.лекс", "А.грамм", "ПРОБЛЕМА"]
    assert stack(card(record, "А.уров", **at)) == ["А.уров"]


def test_rows_of_the_stack_open_their_cards(card):
    record = draft_of(TEXT, *STACKED)

    page = page_of(card(record, "А.грамм", at=12))

    opened = [
        FragmentRecord.objects.get(pk=each["data-value"]) for each in page.find("#cards .row")
    ]
    assert [row.code for row in opened] == ["ИСП", "А.орф", "А.лекс", "ПРОБЛЕМА"]
    assert [each["class"] for each in page.find("#cards .row")] == [
        "row isp",
        "row mistake",
        "row mistake",
        "row block",
    ]
    assert page.find("#cards .other .serif")[0].text == "believe"
    assert page.one("#cards")["data-open"] == str(record.fragments.get(code="А.грамм").pk)


def test_a_card_has_the_fields_its_code_allows(card):
    record = draft_of(TEXT, *STACKED)

    fields = {
        code: [each["name"] for each in page_of(card(record, code)).find("#cards [name]")]
        for code in ("А.грамм", "А.орф", "ИСП", "ПРОБЛЕМА")
    }

    assert fields == {
        "А.грамм": ["code", "subcode", "correction", "comment", "explanation", "tag"],
        "А.орф": ["code", "correction", "comment", "explanation", "tag"],
        "ИСП": ["code", "correction", "comment", "explanation"],
        "ПРОБЛЕМА": ["code", "comment", "explanation"],
    }


def test_what_a_code_does_not_allow_is_shown_when_it_is_there(card):
    record = draft_of(TEXT, fragment(0, 42, "ПРОБЛЕМА", correction="иначе", tag="т1"))

    page = page_of(card(record, "ПРОБЛЕМА"))

    assert page.one("#card-correction")["value"] == "иначе"
    assert page.one("#card-tag")["value"] == "т1"


def test_the_proposed_tag_is_offered_until_there_is_one(card):
    tagged, free = fragment(0, 4, subcode="множ", tag="МНОЖ1"), fragment(5, 11, "А.лекс")
    record = draft_of(TEXT, tagged, free)

    offers = [
        page_of(card(record, code)).find("[data-into=card-tag]") for code in ("А.лекс", "А.грамм")
    ]

    assert [[each.text for each in found] for found in offers] == [["лекс1"], []]


@pytest.fixture
def training():
    """A submitted markup of an open set."""
    marked = fragment(
        0,
        11,
        subcode="множ",
        correction="<b>Many</b>",
        comment="к & о",
        explanation="раз\nдва",
        tag="т1",
    )
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"), text=TEXT)
    return submitted(essay, marked, fragment(5, 11, "А.орф"))


def test_a_participant_reads_a_card_of_an_open_set_and_gets_no_form(card, training):
    response = card(training, "А.грамм", user=PersonFactory(role="participant"), at=5)

    page = page_of(response)
    assert response.status_code == 200
    assert stack(response) == ["А.грамм", "А.орф"]
    assert texts_of(response, "#cards dd") == ["множ", "<b>Many</b>", "к & о", "раздва", "т1"]
    assert page.find("form") == page.find("#cards [name]") == []
    assert {each["data-do"] for each in page.find("[data-do]")} == {"close", "key", "open"}


def test_a_reader_sees_the_standard_comment_where_there_is_no_other(card):
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"), text=TEXT)
    record = submitted(essay, fragment(0, 4, "А.запас", subcode="син"))

    page = page_of(card(record, "А.запас", user=PersonFactory(role="judge")))

    assert [each.text for each in page.find("#cards dt")] == ["Subcode", "Comment"]
    assert page.find("#cards dd")[1].text != ""


def test_the_author_reads_the_card_of_a_submitted_markup(card):
    record = submitted(EssayFactory(text=TEXT), fragment(0, 4))

    response = card(record, "А.грамм")

    assert (response.status_code, page_of(response).find("form")) == (200, [])


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("А.грамм", "instead of the subcode"),
        ("А.лекс", "instead of the subcode"),
        ("А.орф", ""),
        ("ПРОБЛЕМА", ""),
    ],
)
def test_only_a_code_with_subcodes_offers_a_comment_instead_of_one(card, code, hint):
    page = page_of(card(draft_of(TEXT, *STACKED), code))

    assert page.one("#card-comment")["placeholder"] == hint


@pytest.mark.parametrize("role", ["participant", "expert", "judge", "coordinator"])
def test_a_card_of_a_draft_is_its_authors_alone(card, role):
    record = draft_of(TEXT, fragment(0, 4))

    assert card(record, "А.грамм", user=PersonFactory(role=role)).status_code == 404


@pytest.mark.parametrize("role", ["participant", "expert"])
def test_a_card_of_a_closed_set_is_not_there_for_strangers(card, role):
    record = submitted(EssayFactory(text=TEXT), fragment(0, 4))

    assert card(record, "А.грамм", user=PersonFactory(role=role)).status_code == 404


def test_a_card_of_another_markup_is_not_there(log_in):
    record, other = draft_of(TEXT, fragment(0, 4)), draft_of(TEXT, fragment(0, 4))
    client = log_in(record.author)

    for number in (other.fragments.get().pk, 0, 2**63, "9" * 30):
        assert client.get(f"/markups/{record.pk}/fragments/{number}/").status_code == 404


def test_a_stranger_is_asked_to_log_in(training):
    number = training.fragments.first().pk

    response = Client().get(f"/markups/{training.pk}/fragments/{number}/")

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login/")


def test_every_window_at_the_place_has_comment_explanation_and_tag(log_in):
    inner = fragment(12, 17, "А.орф", comment="so", explanation="for this", tag="т1")
    record = draft_of(TEXT, fragment(5, 34, "А.лекс", subcode="сочет", tag="т1"), inner)
    outer = record.fragments.get(code="А.лекс").pk

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/fragments/{outer}/?at=13"))

    (other,) = page.find("#cards .other")
    assert [each.text for each in other.find("dd")] == ["so", "for this", "т1"]


def test_a_mark_that_crosses_another_one_says_so_when_it_is_made(log_in):
    record = draft_of(TEXT, fragment(5, 17, "А.лекс"))
    form = marking_form(record, start=12, end=28, code="А.грамм")

    answer = log_in(record.author).post(f"/markups/{record.pk}/fragments/", form)

    page = page_of(answer)
    assert texts_of(answer, "#cards .crossing") == [
        "Crosses А.лекс “people think”: neither lies in the other."
    ]
    assert page.one("#said").text == "Marked: А.грамм. It crosses А.лекс."
