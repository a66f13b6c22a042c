"""A file or typed text taken into one's own draft: seen before, one step, ids kept, undone."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.core.codec import file_to_json
from annotator.core.steps import Step
from annotator.core.values import Markup
from annotator.models import MarkupRecord
from annotator.models.changes import MarkupChange
from annotator.pages.steps import in_words
from annotator.services.markup import close
from annotator.services.stepping import step
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TEXT = "Some people think that sport unite people."
KEPT = fragment(0, 4, "А.лекс", comment="old")
GONE = fragment(5, 11, "А.грамм")
SOURCE = (
    "(\\ А.лекс \\ Some \\ new \\) people "
    "(\\ А.грамм \\ think >> believe \\) that sport unite people."
)


@pytest.fixture
def record():
    return draft_of(TEXT, KEPT, GONE, number="0007")


@pytest.fixture
def browser(record, log_in):
    return log_in(record.author)


def address(record):
    return f"/markups/{record.pk}/source/"


def show(browser, record, words, written="txt", **headers):
    sent = {"words": words, "written": written}
    return browser.post(address(record), sent, headers=headers)


def upload(browser, record, name, text, words=""):
    file = SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())
    return browser.post(address(record), {"words": words, "written": "txt", "file": file})


def fields_of(response):
    """What the form would send with the button that takes what is shown."""
    page = page_of(response)
    named = {name: page.one(f"[name={name}]")["value"] for name in ("written", "version", "uid")}
    return named | {"words": page.one("textarea").raw, "seen": page.one("[name=seen]")["value"]}


def take(browser, record, response, **changed):
    return browser.post(address(record), fields_of(response) | changed)


def marks(record):
    return {
        (row.uid, row.start, row.end, row.code, row.comment, row.correction)
        for row in MarkupRecord.objects.get(pk=record.pk).fragments.all()
    }


def lines(response, kind):
    return texts_of(response, f".lines.{kind} li")


def test_the_page_shows_the_check_in_the_markup_language(browser, record):
    words = page_of(browser.get(address(record))).one("textarea").raw

    assert "(\\ А.лекс \\ Some" in words
    assert "Nothing" not in texts_of(show(browser, record, words), ".found .notice")[0]
    assert texts_of(show(browser, record, words), ".found .notice") == [
        "It says what the check has already: nothing changes."
    ]


def test_what_changes_is_shown_before_anything_does(browser, record):
    before = marks(record)

    response = show(browser, record, SOURCE)

    assert lines(response, "added") == ["А.грамм “think”"]
    assert lines(response, "removed") == ["А.грамм “people”"]
    assert lines(response, "changed") == ["А.лекс “Some” comment: old new"]
    assert (marks(record), MarkupChange.objects.count()) == (before, 0)


def test_what_was_shown_is_taken_as_one_step_that_keeps_ids_and_is_undone(browser, record):
    before = marks(record)
    kept = record.fragments.get(code="А.лекс")

    response = take(browser, record, show(browser, record, SOURCE))

    assert (response.status_code, response.url) == (302, f"/markups/{record.pk}/")
    rows = record.fragments.order_by("start")
    told = [(row.code, row.start, row.comment, row.correction) for row in rows]
    assert told == [("А.лекс", 0, "new", ""), ("А.грамм", 12, "", "believe")]
    assert (rows[0].pk, rows[0].uid) == (kept.pk, kept.uid)
    assert [made.step for made in record.changes.all()] == [Step.MADE]
    step(record=MarkupRecord.objects.get(pk=record.pk), way=Step.UNDONE)
    assert marks(record) == before


def test_the_step_of_what_was_loaded_is_told_in_numbers(browser, record):
    take(browser, record, show(browser, record, SOURCE))

    made = record.changes.get().to_core()

    assert in_words(made, TEXT) == "markup loaded: 1 added, 1 removed, 1 changed"
    response = browser.post(f"/markups/{record.pk}/undo/", {"version": 1, "uid": str(uuid4())})
    assert texts_of(response, "#toast p") == [
        "Undone: markup loaded: 1 added, 1 removed, 1 changed"
    ]


def test_a_step_that_is_sent_twice_is_made_once(browser, record):
    sent = fields_of(show(browser, record, SOURCE))

    answers = [browser.post(address(record), sent).status_code for _ in range(2)]

    assert (answers, record.changes.count()) == ([302, 302], 1)


def test_words_nobody_has_seen_compared_are_compared_and_not_taken(browser, record):
    response = take(browser, record, show(browser, record, SOURCE), words=TEXT)

    assert response.status_code == 200
    assert len(lines(response, "removed")) == 2
    assert record.changes.count() == 0


def test_a_check_that_changed_meanwhile_is_compared_anew(browser, record):
    shown = show(browser, record, SOURCE)
    take(browser, record, show(browser, record, TEXT))

    response = take(browser, record, shown)

    assert texts_of(response, ".found .notice.warn") == [
        "The check was changed meanwhile. See once more what changes."
    ]
    assert page_of(response).one("textarea").raw.strip() == SOURCE
    assert len(lines(response, "added")) == 2


@pytest.mark.parametrize("name", ["7.txt", "mine.json"])
def test_a_file_is_shown_and_taken_in_the_same_way(browser, record, name):
    file = record.to_file()
    changed = Markup(TEXT, (KEPT, fragment(0, 11, "А.орф"), fragment(5, 16, "А.грамм")))
    if name.endswith(".json"):
        body = file_to_json(file) | {"criteria": {"K1": 2}}
        body["selections"] = file_to_json(type(file)(file.meta, changed))["selections"]
        text = json.dumps(body)
    else:
        text = f"K1: 2\n\n{SOURCE}"

    response = upload(browser, record, name, text)
    take(browser, record, response)

    assert texts_of(response, ".found p")[-1] == "K1"
    assert MarkupRecord.objects.get(pk=record.pk).stated == {"K1": 2}
    spans = list(record.fragments.order_by("start", "end").values_list("start", "end"))
    crossing = [(0, 4), (0, 11), (5, 16)]  # JSON holds what brackets cannot
    assert spans == (crossing if name.endswith(".json") else [(0, 4), (12, 17)])


def test_problems_are_told_with_line_and_column_while_one_types(browser, record):
    words = f"{TEXT[:11]} (\\ А.лекс \\ {TEXT[12:]}"

    response = show(browser, record, words, hx_request="true")

    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    place = page_of(response).one("[data-line]")
    assert (place["data-line"], place.text) == ("1", f"line 1, column {place['data-column']}")


def test_a_text_that_ends_too_early_is_said_to_end(browser, record):
    response = show(browser, record, TEXT[:11])

    assert "The text ends here, though the essay goes on." in response.content.decode()
    assert "beginning with" not in response.content.decode()


def test_a_mark_without_a_code_is_named_by_its_words(browser, record):
    response = show(browser, record, f"(\\ А.нет \\ {TEXT[:11]} \\){TEXT[11:]}")

    assert f"fragment 1 (“{TEXT[:11]}”)" in response.content.decode()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("0008.txt", "Another essay.", "This is not the text of essay 0007."),
        (
            "8.json",
            '{"text": "Other.", "selections": []}',
            "The text differs from the essay: in line 1",
        ),
        ("8.json", '{"meta": {"id": "8"}, "selections": []}', "This says “8”, but the essay"),
        ("8.json", '{"selections": [', "line 1, column"),
        ("8.txt", f"Предмет: история\n\n{TEXT}", "This says “hist”, but the essay"),
    ],
)
def test_what_is_not_of_this_essay_is_refused_by_name_and_changes_nothing(
    browser, record, name, text, told
):
    before = marks(record)

    response = upload(browser, record, name, text)

    assert response.status_code == 422
    assert told in " ".join(texts_of(response, ".faults li"))
    assert page_of(response).find("[name=seen]") == []
    assert marks(record) == before


def test_a_code_of_no_subject_is_refused_with_its_fragment(browser, record):
    wrong = {"startSelection": 0, "endSelection": 4, "group": "error", "id": 1, "type": "Б.нет"}

    response = upload(browser, record, "7.json", json.dumps({"selections": [wrong]}))

    assert (response.status_code, record.fragments.count()) == (422, 2)
    assert "“Б.нет” is not in the classifier" in " ".join(texts_of(response, ".faults li"))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("7.docx", TEXT, "Only .txt and .json files can be loaded into a check."),
        ("7", TEXT, "Only .txt and .json files can be loaded into a check."),
        ("7.txt", b"PK\x03\x04word", "Word"),
        ("7.txt", b"", "The submitted file is empty."),
    ],
)
def test_a_file_of_another_kind_is_refused_beside_its_field_and_what_was_typed_stays(
    browser, record, name, data, why
):
    response = upload(browser, record, name, data, words=SOURCE)

    page = page_of(response)
    assert response.status_code == 422
    assert why in page.one("#refused[role=alert]").text
    assert page.one("[name=file]")["aria-describedby"] == "refused"
    assert page.one("textarea").raw.strip() == SOURCE
    assert record.changes.count() == 0


def test_a_check_with_crossing_marks_says_why_it_has_no_text(log_in):
    record = draft_of(TEXT, fragment(0, 11, "А.лекс"), fragment(5, 16, "А.грамм"))

    page = page_of(log_in(record.author).get(address(record)))

    crossing = "А.лекс “Some people” (0–11) crosses А.грамм “people think” (5–16)"
    assert crossing.replace("think", TEXT[12:16].strip()) in page.one(".notice.warn").text
    assert page.one("textarea").raw.strip() == ""


@pytest.mark.parametrize("role", ["expert", "coordinator", "participant"])
def test_nobody_else_sees_or_takes_anything(record, log_in, role):
    stranger = log_in(PersonFactory(role=role))
    before = marks(record)

    answers = [stranger.get(address(record)), show(stranger, record, TEXT)]

    expected = 404 if role == "expert" else 403
    assert [answer.status_code for answer in answers] == [expected, expected]
    assert marks(record) == before


def test_a_check_that_was_submitted_takes_nothing(browser, record):
    shown = show(browser, record, SOURCE)
    close(record)

    assert browser.get(address(record)).status_code == 409
    assert take(browser, record, shown).status_code == 409
    assert record.changes.count() == 0
