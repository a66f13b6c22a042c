"""Each kind of bad record is named with its place and its remedy; the others are scored."""

import json

import pytest

from schemes.core.collecting import MOST
from schemes.core.use.messages import describe, describe_place
from schemes.core.use.reading import read_key, read_predictions
from tests.schemes.core.use.exams import (
    answer,
    as_csv,
    as_document,
    as_lines,
    as_list,
    record,
    variant,
)


def english(sentence):
    return sentence


def told(read):
    return [f"{describe_place(each.place, english)}: {describe(each, english)}" for each in read]


def without(fields, *path):
    copy = json.loads(json.dumps(fields))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy


def changed(fields, name, value):
    copy = json.loads(json.dumps(fields))
    (copy if name in copy else copy["meta"])[name] = value
    return copy


GOOD = record("9", number=899)
BAD_TASKS = [
    (5, "", "The record must be a JSON object."),
    (without(GOOD, "outputs"), "id 899, outputs", "The field is missing. Add it."),
    (
        changed(GOOD, "outputs", [1, 3]),
        "id 899, outputs",
        "The field must be a string. Put it in quotes.",
    ),
    (
        changed(GOOD, "outputs", None),
        "id 899, outputs",
        "The field must be a string. Put it in quotes.",
    ),
    (
        changed(GOOD, "outputs", ""),
        "id 899, outputs",
        "The key is empty, so nothing could be right. Write the right answer.",
    ),
    (
        changed(GOOD, "outputs", "сова"),
        "id 899, outputs",
        "The key “сова” is no list of numbers. Write them as 1,3.",
    ),
    (
        record("26", number=899, key="1,2"),
        "id 899, outputs",
        "The key must have 4 numbers, and has 2.",
    ),
    (without(GOOD, "meta"), "meta", "The field is missing. Add it."),
    (changed(GOOD, "meta", []), "meta", "The field must be a JSON object."),
    (without(GOOD, "meta", "id"), "meta.id", "The field is missing. Add it."),
    (changed(GOOD, "id", " "), "meta.id", "The field is empty. Fill it in."),
    (
        changed(GOOD, "id", 1.5),
        "meta.id",
        "The field must be a whole number or a string.",
    ),
    (
        changed(GOOD, "id", True),
        "meta.id",
        "The field must be a whole number or a string.",
    ),
    (without(GOOD, "meta", "variant"), "id 899, meta.variant", "The field is missing. Add it."),
    (without(GOOD, "meta", "id_task"), "id 899, meta.id_task", "The field is missing. Add it."),
    (
        changed(GOOD, "id_task", "8"),
        "id 899, meta.id_task",
        "The exam has no task “8”. Use 1 to 7, 8_0 to 8_4, 9 to 26.",
    ),
    (without(GOOD, "meta", "type"), "id 899, meta.type", "The field is missing. Add it."),
    (
        changed(GOOD, "type", "essay"),
        "id 899, meta.type",
        (
            "The type “essay” is unknown. Use text, matching, multiple_choice_based_on_text, "
            "multiple_choice_options_within_text or multiple_choice_independent_options."
        ),
    ),
    (
        changed(record("26", number=899), "type", "text"),
        "id 899, meta.type",
        (
            "The points of task 26 are defined for the type matching, not “text”. "
            "Correct the one or the other."
        ),
    ),
]
BAD_ANSWERS = [
    (without(answer(7, "1"), "outputs"), "id 7, outputs", "The field is missing. Add it."),
    (answer(7, 13), "id 7, outputs", "The field must be a string. Put it in quotes."),
    (answer(None, "1"), "meta.id", "The field must be a whole number or a string."),
    ({"outputs": "1"}, "meta", "The field is missing. Add it."),
    ({"outputs": "1", "meta": {}}, "meta.id", "The field is missing. Add it."),
]


def place(line, record_number, where):
    return ", ".join(filter(None, [f"line {line}", f"record {record_number}", where]))


@pytest.mark.parametrize(("bad", "where", "sentence"), BAD_TASKS)
def test_a_bad_record_of_a_key_is_named_and_the_others_are_read(bad, where, sentence):
    others = [record("1", number=1), record("2", number=2)]

    for make, line in ((as_document, 1), (as_lines, 2)):
        key = read_key(make([others[0], bad, others[1]]))
        assert [each.id for each in key.tasks] == ["1", "2"]
        assert told(key.problems) == [f"{place(line, 2, where)}: {sentence}"]


@pytest.mark.parametrize(("bad", "where", "sentence"), BAD_ANSWERS)
def test_a_bad_record_of_predictions_is_named_and_the_others_are_read(bad, where, sentence):
    found = read_predictions(as_lines([bad, answer(8, "1")]))

    assert [each.id for each in found.answers] == ["8"]
    assert told(found.problems) == [f"{place(1, 1, where)}: {sentence}"]


NOT_JSON = "This is not JSON. Look at the quotes, commas and brackets here."


@pytest.mark.parametrize(
    ("written", "where", "sentence"),
    [
        ('{"outputs": 1 2}', "line 2, record 2", NOT_JSON),
        ('{\n"outputs": "1",\n}', "line 4, record 2", NOT_JSON),
        ('{"a": [}', "line 2, record 2", NOT_JSON),
        ("nul", "line 2, record 2", NOT_JSON),
        (
            '{"a": NaN}',
            "line 2, record 2",
            "The number NaN cannot be used. Write a finite one.",
        ),
        (
            '{"outputs": "\\ud800"}',
            "line 2, record 2, outputs",
            "A string holds half of a surrogate pair. Write the whole character.",
        ),
        (
            '{"meta": {"id": "\\u0000"}}',
            "line 2, record 2, meta.id",
            "A string holds a NUL character. Remove it.",
        ),
        (
            '{"a": ' + "[" * 70 + "]" * 70 + "}",
            "line 2, record 2",
            "The JSON is nested deeper than 64 levels.",
        ),
        (
            '{"outputs": "' + "1," * 500_000 + '"}',
            "line 2, record 2",
            "The record has more than 1000000 characters and was left out.",
        ),
    ],
)
def test_a_record_that_is_no_sound_json_does_not_spoil_the_others(written, where, sentence):
    good = json.dumps(answer(8, "1"))

    if "[}" not in written:
        in_list = read_predictions(f"[{good},\n{written},\n{good}]")
        assert len(in_list.answers) == 2
        assert told(in_list.problems) == [f"{where}: {sentence}"]
    if "\n" not in written:
        in_lines = read_predictions(f"{good}\n{written}\n{good}")
        assert len(in_lines.answers) == 2
        assert told(in_lines.problems) == [f"{where}: {sentence}"]


@pytest.mark.parametrize("first", ["{", "{}", '{"outputs": ', "{'outputs': 1}"])
def test_the_first_line_of_many_may_be_broken(first):
    found = read_predictions(first + "\n" + as_lines([answer(8, "1"), answer(9, "1")]))

    assert [each.id for each in found.answers] == ["8", "9"]
    assert [each.place.line for each in found.problems] == [1]


def test_bad_rows_of_a_table_are_named_and_the_others_are_read():
    rows = ["id,outputs", '1,"1,3"', "2,1,3", "3", ",1", '"4"x,1', "5,1\0", "6,"]

    found = read_predictions("\n".join(rows))

    assert [each.id for each in found.answers] == ["1", "6"]
    length = "The row has {} cells instead of 2. Put an answer that has the separator in quotes."
    assert told(found.problems) == [
        f"line 3, record 2: {length.format(3)}",
        f"line 4, record 3: {length.format(1)}",
        "line 5, record 4, id: The field is empty. Fill it in.",
        "line 6, record 5: The row cannot be read. Look at its quotes.",
        ("line 7, record 6: The row holds a NUL character or half of a surrogate pair. Remove it."),
    ]


def test_rows_of_a_key_name_the_column():
    text = as_csv([record("9", number=899)]).replace("multiple_choice_independent_options", "x")

    (problem,) = read_key(text).problems

    assert (problem.code, describe_place(problem.place, english)) == (
        "unknown-type",
        "line 2, record 1, id 899, type",
    )


def test_problems_without_end_are_counted():
    found = read_predictions("[" + "0," * (MOST + 6) + "0]")

    assert len(found.problems) == MOST + 1
    assert told(found.problems)[-1] == ": More problems of this file: 7."


def test_strange_strings_are_shown_short_and_on_one_line():
    key = read_key(as_list([changed(GOOD, "type", "\x1b[31m\n" + "x" * 100)]))

    (sentence,) = told(key.problems)

    assert "“�[31m�" + "x" * 54 + "…”" in sentence


def test_the_bad_record_of_a_variant_makes_it_incomplete():
    records = variant()
    records[4]["meta"]["type"] = "essay"

    assert len(read_key(as_document(records)).tasks) == 29
