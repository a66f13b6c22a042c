from __future__ import annotations

import json

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings

from annotator.core.codec import file_from_json
from annotator.core.language import parse
from annotator.core.values import Meta, Subject, in_reading_order
from tests.examples import examples
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment, markups, nested_markups, whole_text

pytestmark = pytest.mark.django_db
ONE_DATABASE = settings(
    max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def reader(log_in):
    return log_in(PersonFactory(role="judge"))


def record_of(markup, *, number="0001", **fields):
    essay = EssayFactory(text=markup.text, number=number, **fields)
    return submitted(essay, *markup.fragments, assignment=AssignmentFactory(essay=essay))


@ONE_DATABASE
@given(markup=markups())
def test_the_json_file_is_read_back_as_the_same_file(reader, markup):
    record = record_of(markup, theme="Sport", year=2020, class_name="11")
    record.stated = {"K3": 2, "K4": 2.5, "K1": [1, 2]}
    record.save()

    reading = file_from_json(json.loads(reader.get(f"/markups/{record.pk}/json/").content))

    assert reading.problems == ()
    assert reading.file == record.to_file()
    assert reading.file.markup == markup


@ONE_DATABASE
@given(markup=nested_markups())
def test_the_text_file_is_read_back_as_the_same_markup(reader, markup):
    record = record_of(markup)

    parsed = parse(reader.get(f"/markups/{record.pk}/text/").content.decode())

    assert parsed.problems == ()
    assert parsed.file.markup.text == markup.text
    assert in_reading_order(parsed.file.markup.fragments) == in_reading_order(markup.fragments)
    assert (parsed.file.meta.expert, parsed.file.meta.theme) == (
        record.author.username,
        "Sport unites people",
    )


def test_files_are_named_after_the_essay_and_the_expert(reader):
    essay = EssayFactory(number="0050051")
    expert = PersonFactory(username="exp106")
    record = submitted(essay, author=expert)

    answers = [reader.get(f"/markups/{record.pk}/{kind}/") for kind in ("json", "text")]

    assert [
        (answer.headers["Content-Type"], answer.headers["Content-Disposition"])
        for answer in answers
    ] == [
        ("application/json", 'attachment; filename="0050051_exp106.json"'),
        ("text/plain; charset=utf-8", 'attachment; filename="0050051_exp106.txt"'),
    ]


def test_an_algorithms_file_bears_the_essays_number_alone(reader):
    record = submitted(EssayFactory(number="0050051"), source="algorithm")

    name = reader.get(f"/markups/{record.pk}/json/").headers["Content-Disposition"]

    assert name == 'attachment; filename="0050051.json"'


def test_a_name_in_cyrillic_is_a_name_in_cyrillic(reader):
    record = submitted(EssayFactory(number="эссе 1"), source="algorithm")

    name = reader.get(f"/markups/{record.pk}/json/").headers["Content-Disposition"]

    assert name == "attachment; filename*=utf-8''%D1%8D%D1%81%D1%81%D0%B5%201.json"


def test_crossing_fragments_cannot_be_written_as_text_and_the_page_says_so(reader):
    record = submitted(EssayFactory(), fragment(0, 11), fragment(5, 17, "А.лекс"))

    response = reader.get(f"/markups/{record.pk}/text/")

    assert (response.status_code, texts_of(response, "h1"), texts_of(response, "#notice")) == (
        422,
        ["Not done"],
        [
            (
                "А.грамм (0–11) crosses А.лекс (5–17); "
                "the bracket language can only nest. Use the JSON format."
            )
        ],
    )
    assert "Content-Disposition" not in response.headers
    ways = [link["href"] for link in page_of(response).find(".row-tools a")]
    assert ways[0] == f"/markups/{record.pk}/"


@pytest.mark.parametrize("start", [5, 11])
def test_the_menu_of_files_says_before_that_text_cannot_hold_marks_that_cross(reader, start):
    record = submitted(EssayFactory(), fragment(0, 11), fragment(start, 17, "А.лекс"))

    page = reader.get(f"/markups/{record.pk}/")

    said = ["TXT cannot hold marks that cross. JSON can."]
    assert texts_of(page, ".files .help") == (said if start == 5 else [])


def test_a_theme_that_ends_with_line_breaks_and_wide_blanks_does_not_keep_the_text_file_back(
    reader,
):
    essay = EssayFactory(theme="Sport\u3000\n\n", class_name="11\u00a0", task_text="one\ntwo\n")
    record = submitted(essay, author=PersonFactory(username="exp1"))

    response = reader.get(f"/markups/{record.pk}/text/")

    assert response.status_code == 200
    assert parse(response.content.decode()).file.meta == Meta(
        theme="Sport",
        subject=Subject.ENGLISH,
        class_name="11",
        task_text="one\ntwo",
        expert="exp1",
    )


def test_blanks_at_the_edges_are_left_out_of_the_text_file_and_the_page_says_so(reader):
    record = submitted(
        EssayFactory(), fragment(0, 5), fragment(5, 11, "А.лекс", correction=" folk ")
    )

    parsed = parse(reader.get(f"/markups/{record.pk}/text/").content.decode())
    page = reader.get(f"/markups/{record.pk}/")

    assert parsed.file.markup.fragments == (
        fragment(0, 4),
        fragment(5, 11, "А.лекс", correction="folk"),
    )
    assert texts_of(page, "#text-file li") == [
        "А.грамм Grammar Some The fragment is written without its outer white space, at 0–4.",
        "А.лекс Vocabulary people The correction is written without its outer white space.",
    ]


def test_halves_and_points_left_open_stand_in_the_text_file(reader):
    record = submitted(EssayFactory())
    record.stated = {"K3": 2.5, "K4": [1, 2]}
    record.save()

    parsed = parse(reader.get(f"/markups/{record.pk}/text/").content.decode())

    assert (parsed.file.stated, parsed.problems) == ({"K3": 2.5, "K4": (1, 2)}, ())


def test_the_page_says_nothing_where_the_text_file_holds_all(reader):
    record = submitted(EssayFactory(), fragment(0, 4))

    assert texts_of(reader.get(f"/markups/{record.pk}/"), "#text-file") == []


def test_a_mistake_of_the_whole_text_has_the_bounds_0_and_0(reader):
    record = submitted(EssayFactory(), whole_text("А.грамм"))

    (selection,) = reader.get(f"/markups/{record.pk}/json/").json()["selections"]

    assert (selection["startSelection"], selection["endSelection"]) == (0, 0)


@pytest.mark.parametrize("kind", ["json", "text"])
def test_a_stranger_gets_no_file(log_in, kind):
    record = submitted(EssayFactory(), fragment(0, 4))
    address = f"/markups/{record.pk}/{kind}/"

    assert [
        log_in(PersonFactory(role=role)).get(address).status_code
        for role in ("expert", "participant")
    ] == [404, 404]
    assert Client().get(address).headers["Location"] == f"/login/?next={address}"
