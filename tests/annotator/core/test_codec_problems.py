"""What is wrong with a file of the exchange, with its code and its path (files.md 1.8)."""

import json

import pytest

from annotator.core.codec import file_from_json
from annotator.core.problems import Problem
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject
from tests.annotator.core.test_codec import WHOLE, changed

NO_TEXT = [True, 1.5, [], {}, ["x"]]
NO_NUMBER = ["два", "", "1.5", "--5", "5-", "²", True, 1.5, [], {}, float("inf")]
TEXT_PATHS = [
    *[("meta", key) for key in WHOLE["meta"] if key not in ("year", "third")],
    *[("selections", 1, key) for key in ("type", "subtype", "comment", "explanation", "tag")],
    *[("selections", 1, "correction"), ("selections", 1, "group")],
    *[("text",), ("fileName",)],
]
NUMBER_PATHS = [
    *[("selections", 1, key) for key in ("id", "startSelection", "endSelection")],
    ("meta", "year"),
]
BIG = 2**31


def name_of(path):
    name = ""
    for key in path:
        name += f"[{key}]" if isinstance(key, int) else f".{key}"
    return name.removeprefix(".")


def problems_at(path, value):
    return file_from_json(changed(WHOLE, path, value)).problems


def wrong_type(path, expected):
    return Problem("err-schema-validate", path=name_of(path), fields={"expected": expected})


def missing(path, expected):
    fields = {"expected": expected, "missing": True}
    return Problem("err-schema-validate", path=name_of(path), fields=fields)


@pytest.mark.parametrize("path", TEXT_PATHS, ids=name_of)
@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
def test_a_value_that_is_no_string_is_told_by_its_path(path, value):
    assert wrong_type(path, "string") in problems_at(path, value)


@pytest.mark.parametrize("path", NUMBER_PATHS, ids=name_of)
@pytest.mark.parametrize("value", NO_NUMBER, ids=repr)
def test_a_value_that_is_no_whole_number_is_told_by_its_path(path, value):
    if value == "" and path == ("meta", "year"):
        assert problems_at(path, value) == ()
    else:
        assert problems_at(path, value) == (wrong_type(path, "number"),)


@pytest.mark.parametrize("path", NUMBER_PATHS, ids=name_of)
@pytest.mark.parametrize(
    "value", [BIG, -BIG, str(BIG), 1e300, "9" * 5000], ids=lambda v: str(v)[:9]
)
def test_a_number_that_is_too_big_is_told_by_its_path(path, value):
    assert problems_at(path, value) == (Problem("number-too-big", path=name_of(path)),)


@pytest.mark.parametrize(
    "value",
    ["два", "1.5.1", "--5", "5-", "²", "inf", "9" * 5000, True, 1e300, BIG, 1e-9, {}, [1] * 21],
    ids=lambda value: str(value)[:9],
)
def test_a_value_that_is_no_points_is_told_by_its_path(value):
    assert problems_at(("criteria", "K3"), value) == (wrong_type(("criteria", "K3"), "points"),)


def test_a_value_in_a_list_of_points_is_told_by_its_place():
    assert problems_at(("criteria",), [1, "два"]) == (wrong_type(("criteria", 1), "points"),)


@pytest.mark.parametrize("value", [BIG - 1, 1 - BIG, str(BIG - 1)])
def test_the_biggest_numbers_a_database_holds_are_read(value):
    payload = changed(WHOLE, ("selections", 1, "id"), value)

    reading = file_from_json(changed(payload, ("meta", "year"), value))

    assert (reading.file.meta.year, reading.problems) == (int(value), ())
    assert reading.file.markup.fragments[1].id == int(value)


@pytest.mark.parametrize("value", ["да", 1, 0, "true", [], {}], ids=repr)
def test_a_third_that_is_no_truth_value_is_told(value):
    (problem,) = problems_at(("meta", "third"), value)

    assert (problem.code, problem.path) == ("err-schema-validate", "meta.third")


@pytest.mark.parametrize(
    ("path", "values", "expected"),
    [
        (("meta",), ["x", 5, [], True], "object"),
        (("selections", 1), ["x", 5, [], True, None], "object"),
        (("selections",), ["x", 5, {}, True], "list"),
        (("criteria",), ["x", 5, True], "object"),
    ],
    ids=["meta", "selection", "selections", "criteria"],
)
def test_a_part_of_the_wrong_shape_is_told_by_its_path(path, values, expected):
    for value in values:
        assert wrong_type(path, expected) in problems_at(path, value)


@pytest.mark.parametrize("text", [" x", "x\n", "\u3000x", "x\u00a0"])
def test_outer_blanks_of_a_text_are_reported_and_kept(text):
    reading = file_from_json({"text": text})

    assert reading.file.markup.text == text
    assert reading.problems == (Problem("text-has-outer-space", path="text", blocks=False),)


@pytest.mark.parametrize("value", [None, [], "x", 5, True], ids=repr)
def test_a_file_that_is_no_object_is_refused(value):
    reading = file_from_json(value)

    assert reading.refused
    kind = {list: "list", str: "string"}.get(type(value), "other")
    fields = {"expected": "object", "whole": kind}
    assert reading.problems[0] == Problem("err-schema-validate", path="", fields=fields)


def test_a_number_no_computer_prints_is_read_like_any_other_wrong_value():
    huge = 10**5000

    reading = file_from_json({"text": "x", "fileName": huge, "meta": {"id": huge, "year": huge}})

    assert reading.refused


@pytest.mark.parametrize("key", ["startSelection", "endSelection"])
def test_a_selection_without_bounds_is_told(key):
    payload = json.loads(json.dumps(WHOLE))
    del payload["selections"][1][key]

    problems = file_from_json(payload).problems

    assert problems == (missing(("selections", 1, key), "number"),)


def test_a_fragment_that_cannot_be_read_is_left_out_and_the_others_stay():
    reading = file_from_json(changed(WHOLE, ("selections", 1, "tag"), []))

    assert reading.refused
    assert [each.code for each in reading.file.markup.fragments] == ["ВЫВОД", "А.объем"]


@pytest.mark.parametrize(
    ("way", "path"),
    [
        (("color",), "color"),
        (("meta", "timeMarkup"), "meta.timeMarkup"),
        (("selections", 0, "color"), "selections[0].color"),
        (("selections", 2, "Type"), "selections[2].Type"),
        (("criteria", "total"), "criteria.total"),
        (("criteria", "K"), "criteria.K"),
    ],
)
def test_an_unknown_key_is_told_by_its_path_and_does_not_block(way, path):
    reading = file_from_json(changed(WHOLE, way, 1))

    assert reading.problems == (Problem("unknown-key", path=path, blocks=False),)
    assert reading.file == file_from_json(WHOLE).file


@pytest.mark.parametrize("name", ["химия", "eng ish", "English"])
def test_an_unknown_subject_is_told(name):
    assert problems_at(("meta", "subject"), name) == (
        Problem("unknown-subject", path="meta.subject", fields={"name": name}),
    )


@pytest.mark.parametrize(
    ("start", "end", "code"),
    [
        (-1, 5, "negative-coordinates"),
        (-5, -1, "negative-coordinates"),
        (5, -1, "negative-coordinates"),
        (0, -1, "negative-coordinates"),
        (5, 3, "start-coordinates"),
        (1, 0, "start-coordinates"),
        (50, 3, "start-coordinates"),
        (0, 21, "bad-range"),
        (20, 21, "bad-range"),
        (21, 21, "bad-range"),
        (100, 200, "bad-range"),
        (5, 5, "err-equality-coordinates"),
        (20, 20, "err-equality-coordinates"),
    ],
)
def test_bounds_that_are_no_place_of_the_text_are_told(start, end, code):
    payload = changed(WHOLE, ("selections", 1, "startSelection"), start)

    (problem,) = file_from_json(changed(payload, ("selections", 1, "endSelection"), end)).problems

    assert (problem.code, problem.path, problem.blocks) == (code, "selections[1]", True)
    assert problem.fields["start"] == start


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [(0, 20, Span(0, 20)), (19, 20, Span(19, 20)), (0, 1, Span(0, 1)), (0, 0, None)],
)
def test_bounds_up_to_the_ends_of_the_text_are_read_and_nought_is_the_whole_text(start, end, span):
    payload = changed(WHOLE, ("selections", 1, "startSelection"), start)

    reading = file_from_json(changed(payload, ("selections", 1, "endSelection"), end))

    assert (reading.file.markup.fragments[1].span, reading.problems) == (span, ())


def test_bounds_count_code_points():
    payload = {
        "text": "a👩‍🏫b",
        "selections": [{"type": "А.орф", "startSelection": 1, "endSelection": 5}],
    }

    reading = file_from_json(payload)

    assert reading.file.markup.covered(reading.file.markup.fragments[0]) == "👩‍🏫b"


def differing(fields):
    return Problem("err-text-handler-callback", path="text", fields=fields)


def test_another_text_than_the_essays_is_refused():
    reading = file_from_json(WHOLE, essay="Sport unites pupils.")

    fields = {"line": 1, "theirs": "pupils.", "ours": "people."}
    assert reading.problems == (differing(fields),)
    assert reading.file.markup.text == "Sport unites pupils."


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Sport unites people", {"theirs": "people.", "ours": "people"}),
        (
            "sport unites people.",
            {"theirs": "Sport unites people.", "ours": "sport unites people."},
        ),
        ("Sport  unites people.", {"space": True}),
        ("", {"theirs": "Sport unites people.", "ours": "…"}),
    ],
)
def test_the_text_is_compared_letter_by_letter(text, fields):
    reading = file_from_json({"text": text}, essay="Sport unites people.")

    assert reading.problems == (differing({"line": 1, **fields}),)


def test_the_essays_own_text_or_none_at_all_is_no_problem():
    essay = "Sport unites people."

    assert file_from_json(WHOLE, essay=essay).problems == ()
    assert file_from_json({"selections": WHOLE["selections"]}, essay=essay).problems == ()


def test_a_text_is_needed_when_the_essay_is_not_known():
    reading = file_from_json({"meta": {"subject": "eng"}})

    assert reading.problems == (missing(("text",), "string"),)
    assert reading.file == MarkedFile(Meta(subject=Subject.ENGLISH), Markup(""))


@pytest.mark.parametrize(
    ("number", "group", "kind", "code"),
    [(0, "error", Kind.BLOCK, "ВЫВОД"), (1, "meaning", Kind.MISTAKE, "А.грамм")],
)
def test_a_group_that_does_not_fit_the_code_is_told_and_the_classifier_decides(
    number, group, kind, code
):
    reading = file_from_json(changed(WHOLE, ("selections", number, "group"), group))

    path = f"selections[{number}].group"
    assert reading.problems == (
        Problem("group-differs", path=path, blocks=False, fields={"name": code}),
    )
    assert reading.file.markup.fragments[number].kind is kind


@pytest.mark.parametrize(
    ("group", "kind"), [("meaning", Kind.BLOCK), ("error", Kind.MISTAKE), ("", Kind.MISTAKE)]
)
def test_the_group_of_an_unknown_code_is_believed(group, kind):
    item = {"type": "Я.неведомо", "startSelection": 0, "endSelection": 1, "group": group}

    reading = file_from_json({"text": "x", "selections": [item]})

    fragment = Fragment(Span(0, 1), "Я.неведомо", kind=kind)
    assert (reading.file.markup, reading.problems) == (Markup("x", (fragment,)), ())


@pytest.mark.parametrize("group", ["mistake", "ERROR", "block"])
def test_a_group_that_is_none_of_the_two_is_refused(group):
    problems = problems_at(("selections", 1, "group"), group)

    fields = {"expected": "error, meaning", "given": group}
    path = name_of(("selections", 1, "group"))
    assert problems == (Problem("err-schema-validate", path=path, fields=fields),)


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("selections", 1, "startSelection"), "6", "number-otherwise"),
        (("selections", 1, "endSelection"), 12.0, "number-otherwise"),
        (("selections", 1, "correction"), 5, "number-for-text"),
    ],
)
def test_a_value_in_another_form_is_read_and_remarked(path, value, code):
    reading = file_from_json(changed(WHOLE, path, value))

    assert (reading.refused, reading.problems) == (
        False,
        (Problem(code, path=name_of(path), blocks=False),),
    )


@pytest.mark.parametrize("essay", [None, "She have"])
def test_a_text_of_null_is_of_another_type(essay):
    assert file_from_json({"text": None}, essay=essay).problems == (
        wrong_type(("text",), "string"),
    )


@pytest.mark.parametrize("item", [None, 1, "x", []])
def test_a_fragment_that_is_no_object_is_told_once(item):
    problems = file_from_json({"text": "x", "selections": [item]}).problems

    assert problems == (wrong_type(("selections[0]",), "object"),)
