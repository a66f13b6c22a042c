from __future__ import annotations

import json

import pytest
from django.test import Client

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Kind, Subject
from annotator.models import EssaySet, FragmentRecord
from tests.annotator.drafts import MISSING, draft_of
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

AWKWARD = [
    "if a < b && c > d then <b>x</b> &lt;script&gt;alert(1)&lt;/script&gt;",
    "\"quotes\" 'single' «ёлочки» “English”",
    "emoji 👩‍🏫🇷🇺 and 𝒜 beyond the first plane",
    "cafe\u0301 and И\u0306 of two signs",
    "no\u00a0break, a\ttab, two  blanks \u2028 and a separator",
    "RTL \u202eevil\u202c שלום \u2066iso\u2069 and \u200f marks",
    "one\n\n\n  two\n three ",
]

LONELY = "The tag “т1” stands alone. Give it to the fragments it links, or remove it."
CROSSING = "The fragment crosses fragment А.грамм (Some people). Nest one in the other."


@pytest.fixture
def show(log_in):
    def page(record, user=None):
        return log_in(user or record.author).get(f"/markups/{record.pk}/")

    return page


@pytest.mark.parametrize("text", AWKWARD)
def test_the_text_is_shown_as_it_was_written(show, text):
    page = page_of(show(draft_of(text)))

    assert page.one("#essay").raw == text


@pytest.mark.parametrize("text", AWKWARD)
def test_marks_do_not_change_the_text(show, text):
    page = page_of(show(draft_of(text, fragment(1, 8), fragment(3, 10, "А.лекс"))))

    assert page.one("#essay").raw == text


def test_what_stands_around_the_text_is_escaped(show):
    record = draft_of(
        "Some people think.",
        fragment(0, 4, "А.лекс", comment="<i>c</i>", explanation="<i>e</i>", correction="<i>k</i>"),
        theme="<script>alert(1)</script>",
        task_text="one <b>\ntwo",
    )

    response = show(record)

    page = page_of(response)
    assert texts_of(response, "#marks li") == ["А.лекс Vocabulary <i>c</i> Some <i>k</i> <i>e</i>"]
    assert page.one(".theme").text == "<script>alert(1)</script>"
    assert page.one(".source").text == "one <b>two"
    assert page.find(".sheet i") == page.find(".sheet script") == []


def test_what_is_known_of_the_essay_is_shown(show):
    record = draft_of("Some people think – so.", class_name="11", test="тренировка", theme="")

    page = page_of(show(record))

    assert page.one("h1").text == f"Essay {record.essay.number}"
    assert page.one(".sheet .theme").text == "–"
    assert page.one(".sheet .meta").text == "class 11, тренировка, 4 words"


def test_marks_are_listed_in_reading_order_with_what_they_mean(show):
    record = draft_of(
        "Some people think that sport unite people.",
        fragment(12, 17, "А.лекс", correction="believe", tag="т1"),
        fragment(0, 11, "А.запас", subcode="син"),
        fragment(0, 17, "ПРОБЛЕМА"),
        whole_text("А.грамм"),
    )

    response = show(record)

    classifier = classifier_of(Subject.ENGLISH)
    meaning = classifier.find("А.запас").subcategory("син").comment["en"]
    assert texts_of(response, "#marks li") == [
        "ПРОБЛЕМА Problem Some people think",
        f"А.запас син Vocabulary range: no synonyms Some people {meaning}",
        "А.лекс Vocabulary т1 think believe",
    ]
    assert texts_of(response, "#whole .chip.set") == ["А.грамм Grammar Grammar mistake."]


def test_a_comment_stands_instead_of_the_subcodes(show):
    record = draft_of("Some people.", fragment(0, 4, "А.запас", subcode="син", comment="три раза"))

    assert texts_of(show(record), "#marks .sub") == ["три раза"]


@pytest.mark.parametrize("subject", list(Subject))
def test_the_palette_offers_the_active_codes_of_the_subject(show, subject):
    page = page_of(show(draft_of("Some people.", subject=subject.value)))

    active = [each for each in classifier_of(subject).categories if each.active]
    buttons = [each["data-code"] for each in page.find(".palette button.code")]
    searched = json.loads(page.one("#code-list").raw)
    assert sorted(buttons) == sorted(each.code for each in active)
    assert [(each["code"], each["whole"]) for each in searched] == [
        (each.code, each.whole_text_only) for each in active
    ]


def test_the_palette_counts_what_is_marked(show):
    record = draft_of("Some people think.", fragment(0, 4), fragment(5, 11), fragment(0, 11, "ИСП"))

    counted = [text for text in texts_of(show(record), ".palette .code") if text[-1].isdecimal()]

    assert sorted(counted) == ["А.грамм2", "ИСП1"]


def test_the_points_stand_beside_what_the_expert_stated(show):
    record = draft_of("Some people think.", *[fragment(at, at + 1) for at in range(3)])
    record.stated = {"K3": 3, "K4": 3}
    record.save()

    page = page_of(show(record))

    assert page.one(".points li.sum .k").text == "Total"
    assert [each.text for each in page.find(".points .help")] == [
        "K4 is stated as 3, but the markup gives 2."
    ]


def test_problems_are_listed_before_the_submission(show):
    record = draft_of(
        "Some people think.",
        Fragment(None, "ИСП", kind=Kind.MISTAKE),
        fragment(0, 11, tag="т1"),
        fragment(5, 17),
    )

    response = show(record)

    assert texts_of(response, "#checklist h3") == [
        "Keeps the check back, 2",
        "Worth a second look, 2",
    ]
    assert texts_of(response, "#checklist .remarks li") == [
        "ИСП Correction only ИСП needs a correction. Write what should stand here.",
        f"А.грамм Grammar people think {CROSSING}",
        f"А.грамм Grammar Some people {LONELY}",
        MISSING,
    ]
    whole, lonely, crossing = (str(row.pk) for row in FragmentRecord.objects.order_by("pk"))
    links = page_of(response).find(".remarks button")
    assert [each["data-value"] for each in links] == [whole, crossing, lonely]
    assert [each.attributes.get("class") for each in page_of(response).find(".remarks li")] == [
        "blocks",
        "blocks",
        None,
        None,
    ]


def test_every_crossing_of_a_mark_keeps_the_check_back_and_leads_to_it(show):
    record = draft_of(
        "Some people think so.",
        *(fragment(0, end, code) for end, code in ((11, "А.грамм"), (12, "А.стиль"))),
        fragment(5, 17, "А.лекс"),
    )

    response = show(record)

    told = "А.лекс Vocabulary people think The fragment crosses fragment {}. Nest one in the other."
    assert texts_of(response, "#checklist .blocks") == [
        told.format("А.грамм (Some people)"),
        told.format("А.стиль (Some people)"),
    ]
    crossing = str(record.fragments.get(code="А.лекс").pk)
    links = page_of(response).find(".remarks button[data-crosses]")
    assert [each["data-value"] for each in links] == [crossing] * 2
    assert page_of(response).find(".remarks [data-do]") == []


def test_words_of_the_essay_with_braces_are_named_as_they_are(show):
    record = draft_of("Some {people} think.", fragment(0, 13), fragment(5, 19))

    remark, missing = texts_of(show(record), ".remarks li")

    assert "crosses fragment А.грамм (Some {people})." in remark
    assert missing == MISSING


def test_a_markup_without_problems_has_no_list_of_them(show):
    blocks = ["ПРОБЛЕМА", "ЛМНЕНИЕ", "ПРМНЕНИЕ", "ОБОСНОВАНИЕ", "ВЫВОД"]
    marks = [fragment(at, at + 1, code) for at, code in enumerate(blocks)]

    page = page_of(show(draft_of("Some people think.", *marks)))

    assert page.one("#checklist").text == ""


def test_an_essay_without_marks_says_what_to_do(show):
    (empty,) = page_of(show(draft_of())).find("#marks li")

    assert empty.one("b").text == "No marks yet"
    assert empty.text.endswith("Select words in the text, then choose a code.")


def test_guidelines_of_the_set_are_shown_escaped(show):
    record = draft_of()
    EssaySet.objects.update(guidelines="Read <b>all</b> & mark.\n\nThen <script>submit()</script>")

    page = page_of(show(record))

    assert [each.text for each in page.find("#guide .words p")] == [
        "Read <b>all</b> & mark.",
        "Then <script>submit()</script>",
    ]
    assert page.find("#guide .words b") == page.find("#guide script") == []


def test_a_set_without_guidelines_shows_the_classifier_only(show):
    page = page_of(show(draft_of()))

    assert page.find("#guide .words") == []
    assert page.one("#classifier")["hx-get"] == "/classifiers/eng/"
    assert page.one("#classifier a")["href"] == "/classifiers/eng/"


def test_a_submitted_markup_is_shown_for_reading_only(show):
    done = AssignmentFactory(state="submitted")
    record = submitted(EssayFactory(), fragment(0, 4), assignment=done)

    page = page_of(show(record))

    assert page.find("form[action]") == page.find("form[action=/language/]")
    assert page.find(".palette") == page.find("#checklist") == page.find("#saved") == []
    assert len(page.find("#waiting")) == 1  # what its author meant for it is told here
    assert not page.one("#desk").attributes.keys() & {
        "data-editable",
        "data-links",
        "data-activity",
    }
    assert {each["data-do"] for each in page.find("#sheet [data-do]")} == {"open"}
    links = [each["href"] for each in page.find(".files a")]
    assert f"/markups/{record.pk}/json/" in links
    assert f"/markups/{record.pk}/text/" in links


@pytest.mark.parametrize("role", ["coordinator", "judge", "participant", "expert"])
def test_a_draft_is_its_authors_alone(show, role):
    assert show(draft_of(), PersonFactory(role=role)).status_code == 404


def test_a_participant_reads_an_experts_markup_of_an_open_set(show):
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"))
    record = submitted(essay, fragment(0, 4))

    page = page_of(show(record, PersonFactory(role="participant")))

    assert page.one("#essay").raw == essay.text
    assert page.find(".palette") == page.find("#checklist") == page.find("#waiting") == []


def test_a_stranger_is_asked_to_log_in():
    response = Client().get(f"/markups/{draft_of().pk}/")

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login/")


def test_a_block_stored_without_a_place_is_told_and_not_counted(show):
    record = draft_of("Some people think.", whole_text("ПРОБЛЕМА"), whole_text("А.логика"))

    page = show(record)

    reason = "is a semantic block and needs a place: it is not counted. Mark its words instead."
    assert texts_of(page, "#checklist .blocks") == [f"ПРОБЛЕМА Problem ПРОБЛЕМА {reason}"]
    assert texts_of(page, "#whole .bad") == ["not counted: a block needs a place"]
    submitted_page = show(submitted(record.essay, whole_text("ПРОБЛЕМА")))
    assert texts_of(submitted_page, "#whole .bad") == ["not counted: a block needs a place"]


def test_for_paper_the_page_names_the_essay(show):
    record = draft_of()

    named = page_of(show(record)).find(".sheet-head .for-paper")

    assert [each.text for each in named] == ["Essay", record.essay.number]
