"""Files of the exchange that can be read, and the way back (Appendix 3, 2; files.md 1.7)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core import codec
from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import (
    Reading,
    file_from_json,
    file_to_json,
    markup_from_json,
    markup_to_json,
    stated_from_json,
    stated_to_json,
    submission_from_json,
)
from annotator.core.problems import Problem
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject
from tests.examples import examples
from tests.strategies import english, json_values, marked_files, texts
from web.core.json_text import read_json

BEGINNING = (
    "Действительно ли, одним из самых тяжёлых испытаний в жизни человека является испытание "
    "страхом? В предложенном для анализа тексте автор поднимает проблему... "
)


def selection(number, code, group, start, end, **more):
    empty = {"tag": "", "comment": "", "subtype": "", "correction": "", "explanation": ""}
    place = {"id": number, "type": code, "group": group}
    return {**empty, **place, "endSelection": end, "startSelection": start, **more}


REGULATION = {
    "meta": {
        "subject": "литература",
        "test": "егэ тренировка",
        "category": None,
        "year": 2017,
        "class": "11",
        "theme": "Проблема преодоления страха в обычной, мирной жизни",
        "taskText": "Выдержка из текста Ф.А.Вигдоровой",
    },
    "selections": [
        selection(424, "Р.прост", "error", 53, 211),
        selection(529, "ИСП", "error", 330, 447, correction="Текст correction"),
        selection(530, "АРГУМЕНТ", "meaning", 523, 627, explanation="Текст explanation"),
    ],
    "text": BEGINNING,
}
"""Appendix 3, 2: the example as printed, its essay cut short."""

WHOLE = {
    "meta": {
        "id": "0000028",
        "uuid": "b0b5d3b2-0000-4000-8000-000000000028",
        "theme": "Sport",
        "class": "1 курс",
        "year": 2020,
        "subject": "eng",
        "taskText": "Comment on the following statement.",
        "category": "письмо",
        "expert": "exp106",
        "test": "егэ",
        "name": "0000028_en_sport_exp106.txt",
        "third": True,
        "markupUuid": "c1",
    },
    "text": "Sport unites people.",
    "selections": [
        selection(9, "ВЫВОД", "meaning", 0, 20, tag="1"),
        selection(9, "А.грамм", "error", 6, 12, subtype="мод", comment="к", correction="и"),
        selection(3, "А.объем", "error", 0, 0, explanation="п"),
    ],
    "criteria": {"K3": 2, "K4": 0},
    "fileName": "0000028_exp106.json",
}
WHOLE_FILE = MarkedFile(
    Meta(
        id="0000028",
        uuid="b0b5d3b2-0000-4000-8000-000000000028",
        theme="Sport",
        class_name="1 курс",
        year=2020,
        subject=Subject.ENGLISH,
        task_text="Comment on the following statement.",
        category="письмо",
        expert="exp106",
        test="егэ",
        name="0000028_en_sport_exp106.txt",
        third=True,
        markup_uuid="c1",
    ),
    Markup(
        "Sport unites people.",
        (
            Fragment(Span(0, 20), "ВЫВОД", tag="1", kind=Kind.BLOCK),
            Fragment(Span(6, 12), "А.грамм", "мод", comment="к", correction="и"),
            Fragment(None, "А.объем", explanation="п"),
        ),
    ),
    {"K3": 2, "K4": 0},
    "0000028_exp106.json",
)


def changed(payload, path, value):
    """A copy of the payload with another value at the path."""
    copy = json.loads(json.dumps(payload))
    *way, last = path
    inner = copy
    for key in way:
        inner = inner[key]
    inner[last] = value
    return copy


def test_the_regulations_example_is_read_whole():
    essay = BEGINNING + "x" * (627 - len(BEGINNING))

    reading = file_from_json({**REGULATION, "text": essay})

    assert reading == Reading(
        MarkedFile(
            Meta(
                subject=Subject.LITERATURE,
                test="егэ тренировка",
                year=2017,
                class_name="11",
                theme="Проблема преодоления страха в обычной, мирной жизни",
                task_text="Выдержка из текста Ф.А.Вигдоровой",
            ),
            Markup(
                essay,
                (
                    Fragment(Span(53, 211), "Р.прост"),
                    Fragment(Span(330, 447), "ИСП", correction="Текст correction"),
                    Fragment(
                        Span(523, 627), "АРГУМЕНТ", explanation="Текст explanation", kind=Kind.BLOCK
                    ),
                ),
            ),
        ),
        (),
    )
    assert [each.id for each in reading.file.markup.fragments] == [424, 529, 530]


def test_the_regulations_example_as_printed_marks_places_its_short_text_does_not_have():
    reading = file_from_json(REGULATION)

    assert reading.refused
    assert [(problem.code, problem.path) for problem in reading.problems] == [
        ("text-has-outer-space", "text"),
        ("bad-range", "selections[0]"),
        ("bad-range", "selections[1]"),
        ("bad-range", "selections[2]"),
    ]


def test_every_field_is_read():
    reading = file_from_json(WHOLE)

    assert reading == Reading(WHOLE_FILE, ())
    assert [each.id for each in reading.file.markup.fragments] == [9, 9, 3]


def test_every_field_is_written_as_it_was_read():
    assert file_to_json(file_from_json(WHOLE).file) == WHOLE


def test_an_unmarked_file_is_written_with_every_field_of_the_table():
    written = file_to_json(MarkedFile(Meta(), Markup("x", (Fragment(Span(0, 1), "А.грамм"),))))

    assert written == {
        "meta": {
            **dict.fromkeys(WHOLE["meta"], ""),
            "year": None,
            "third": False,
        },
        "text": "x",
        "selections": [selection(1, "А.грамм", "error", 0, 1)],
        "criteria": {},
    }


def test_fragments_without_a_number_get_their_place_in_the_list():
    numbered = Fragment(Span(0, 1), "А.грамм", id=44)

    written = markup_to_json(Markup("x", (Fragment(None, "А.уров"), numbered)))

    assert [each["id"] for each in written] == [1, 44]


@pytest.mark.parametrize(
    ("path", "given", "written"),
    [
        (("meta", "id"), 28, "28"),
        (("meta", "class"), 11, "11"),
        (("meta", "year"), "2017", 2017),
        (("meta", "year"), " 2017 ", 2017),
        (("meta", "year"), 2017.0, 2017),
        (("meta", "year"), "", None),
        (("meta", "year"), None, None),
        (("meta", "category"), None, ""),
        (("meta", "subject"), "английский", "eng"),
        (("meta", "subject"), "ENG", "eng"),
        (("meta", "third"), False, False),
        (("selections", 0, "tag"), 1, "1"),
        (("selections", 0, "comment"), None, ""),
        (("selections", 0, "id"), "9", 9),
        (("criteria",), None, {}),
        (("criteria",), [], {}),
        (("criteria",), {}, {}),
        (("criteria",), {"K3": "2", "K4": "0"}, {"K3": 2, "K4": 0}),
        (("criteria",), {"К3": 2, "k10": 1}, {"K3": 2, "K10": 1}),
        (("criteria",), {"K3": None, "K4": "", "K1": 1}, {"K1": 1}),
        (("criteria",), {"K3": "3.5", "K4": 0.5}, {"K3": 3.5, "K4": 0.5}),
        (("criteria",), {"K3": " 2,5 ", "K4": 3.0}, {"K3": 2.5, "K4": 3}),
        (("criteria",), {"K3": [2, "3.5"], "K4": ["1"]}, {"K3": [2, 3.5], "K4": 1}),
        (("criteria",), {"K3": [], "K4": [None, " "]}, {}),
        (("criteria",), [2, "", "1.5", None, [1, 2]], {"K1": 2, "K3": 1.5, "K5": [1, 2]}),
        (("criteria",), [{"K1": "2"}, {"К2": 3.5}], {"K1": 2, "K2": 3.5}),
    ],
)
def test_values_real_files_hold_in_another_form_are_read_without_a_problem(path, given, written):
    reading = file_from_json(changed(WHOLE, path, given))

    assert reading.problems == ()
    assert file_to_json(reading.file) == changed(WHOLE, path, written)


@pytest.mark.parametrize(
    "path",
    [("selections",), ("criteria",), ("fileName",), ("meta",)],
)
def test_parts_an_unmarked_file_does_not_have_may_be_missing(path):
    payload = {key: value for key, value in WHOLE.items() if key not in path}

    assert file_from_json(payload).problems == ()


@pytest.mark.parametrize("key", ["id", "subtype", "comment", "correction", "tag", "group"])
def test_parts_a_selection_does_not_need_may_be_missing(key):
    item = {name: value for name, value in WHOLE["selections"][1].items() if name != key}

    markup, problems = markup_from_json([item], text="Sport unites people.", classifier=english())

    assert (len(markup.fragments), problems) == (1, ())


def test_line_ends_of_a_text_are_normalised():
    reading = file_from_json({"text": "\ufeffone\r\ntwo"}, essay="one\ntwo")

    assert reading == Reading(MarkedFile(Meta(), Markup("one\ntwo")), ())


def test_positions_beside_line_ends_of_two_characters_are_remarked():
    items = [selection(1, "А.орф", "error", 4, 7)]

    reading = file_from_json({"text": "one\r\ntwo", "selections": items})

    assert reading.file.markup.fragments[0].span == Span(4, 7)
    assert reading.problems == (Problem("text-normalised", path="text", blocks=False),)


def test_without_a_subject_the_codes_of_all_subjects_are_known():
    items = [selection(1, "РОЛЬ", "meaning", 0, 1), selection(2, "Г.упр", "error", 0, 1)]

    reading = file_from_json({"text": "x", "selections": items})

    assert [each.kind for each in reading.file.markup.fragments] == [Kind.BLOCK, Kind.MISTAKE]
    assert reading.problems == ()


def test_problems_of_selections_alone_carry_the_path_they_are_given():
    _, problems = markup_from_json(
        [7], text="x", classifier=classifier_of(Subject.ENGLISH), path="markups[2].selections"
    )

    assert problems[0] == Problem(
        "err-schema-validate", path="markups[2].selections[0]", fields={"expected": "object"}
    )


def test_stated_points_can_be_read_alone():
    points, problems = stated_from_json({"K1": "2", "total": 9})

    assert points == {"K1": 2}
    assert problems == (Problem("unknown-key", path="criteria.total", blocks=False),)


@given(marked_files())
@settings(deadline=None, max_examples=examples(120))
def test_what_is_written_is_read_back_whole_and_without_a_problem(file):
    written = json.dumps(file_to_json(file), ensure_ascii=False)

    assert file_from_json(read_json(written)) == Reading(file, ())
    assert file_from_json(read_json(written), essay=file.markup.text) == Reading(file, ())


@given(json_values())
@settings(deadline=None, max_examples=examples(200))
def test_no_json_value_is_too_strange_to_be_read(value):
    reading = file_from_json(value, essay="Sport unites people.")

    assert isinstance(value, dict) or reading.refused
    written = file_to_json(reading.file)
    assert file_from_json(written).file == reading.file


@given(json_values(), texts())
@settings(deadline=None, max_examples=examples(100))
def test_no_selections_and_criteria_are_too_strange_to_be_read(value, text):
    markup, _ = markup_from_json(value, text=text, classifier=english())
    points, _ = stated_from_json(value)

    assert markup_from_json(markup_to_json(markup), text=text, classifier=english()) == (markup, ())
    assert stated_from_json(stated_to_json(points)) == (points, ())


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ({}, []),
        ({"id": "8", "subject": "eng"}, []),
        ({"id": "008", "subject": "английский"}, []),
        ({"id": "80"}, ["meta.id"]),
        ({"subject": "hist"}, ["meta.subject"]),
        ({"id": "9", "subject": "rus"}, ["meta.id", "meta.subject"]),
    ],
)
def test_what_is_sent_may_not_be_of_another_essay(said, at):
    known = Meta(id="8", subject=Subject.ENGLISH)

    found = submission_from_json({"meta": said, "selections": []}, meta=known, text="x").problems

    assert [(each.code, each.path) for each in found] == [("another-essay", path) for path in at]


SAID = st.sampled_from(["", "А.грамм", "а.ГРАММ ", "ПРОБЛЕМА", "x", None, 5, 2**40, True, [], 1.0])
PLACES = st.sampled_from([0, 1, 4, 9, 10, 11, -1, None, "3", 2.0, True, 2**40])
GROUP_WORDS = st.sampled_from(["", "error", "meaning", "Error", None, 1])
ODD_FRAGMENTS = st.fixed_dictionaries(
    {"startSelection": PLACES, "endSelection": PLACES, "type": SAID},
    optional={
        "subtype": SAID,
        "correction": SAID,
        "comment": SAID,
        "tag": SAID,
        "id": PLACES,
        "group": GROUP_WORDS,
        "colour": SAID,
    },
)


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(ODD_FRAGMENTS | st.sampled_from([None, [], "x"]), max_size=4))
def test_fragments_read_quickly_are_those_read_with_care(selections):
    def read():
        return markup_from_json(selections, text="x" * 10, classifier=every_classifier())

    quickly = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codec, "plain_fragment", lambda _item, _length, _classifier: None)
        carefully = read()

    assert quickly == carefully
    assert [each.id for each in quickly[0].fragments] == [
        each.id for each in carefully[0].fragments
    ]
