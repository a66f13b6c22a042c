"""`razbor score use` of a key and predictions: what is printed, where, with which exit status."""

from __future__ import annotations

import io
import json
import sys

import pytest

from razbor.alike import NAMED
from schemes.core.use.exam import ORDER
from schemes.core.use.messages import READINGS, REASONS, SENTENCES
from tests.schemes.core.use.exams import (
    answer,
    as_archive,
    as_document,
    as_lines,
    record,
    right_answers,
    variant,
)

NOT_JSON = "This is not JSON. Look at the quotes, commas and brackets here."
EMPTY_KEY = "The key is empty, so nothing could be right. Write the right answer."
GOLD = ("--answer", "gold.json", "--prediction", "pred.json")


def lossy():
    answers = {each["meta"]["id"]: each for each in right_answers(variant(3))}
    answers[90]["outputs"] = "2,4"
    answers[91]["outputs"] = "филин"
    answers[109]["outputs"] = "2"
    answers[119]["outputs"] = "4,1,3"
    del answers[92]
    return list(answers.values())


def test_the_figures_the_lost_points_and_the_readings(write, run):
    write(gold=as_document(variant(3)), pred=as_document([*lossy(), answer("x", "1")]))

    status, out, err = run("use", *GOLD)

    assert (status, err) == (0, "")
    assert out == (
        "grade_norm 0.765 (people in 2019: 0.701)\n"
        "variant  points  of  not in the key  no prediction\n"
        "      3      26  34  –                           3\n"
        "\n"
        "variant  task   id  points  of  because of\n"
        "      3     1   90       0   1  missing 5; too many 4\n"
        "      3     2   91       0   1  read as “филин”; accepted: сова\n"
        "      3     3   92       0   1  no prediction\n"
        "      3    16  109       1   2  missing 5\n"
        "      3    26  119       0   4  numbers expected: 4, given: 3\n"
        "\n"
        "pred.json, line 1, record 30, id x: The key has no task of this id. "
        "The answer was ignored.\n"
        "reading: task 26 with another number of entries than four gives 0, not a point for each "
        "entry in its place: 1\n"
        "reading: a task without a prediction gives 0: 1\n"
    )


def test_a_perfect_prediction_lost_nothing(write, run):
    write(gold=as_document(variant()), pred=as_document(right_answers(variant())))

    assert run("use", *GOLD) == (
        0,
        (
            "grade_norm 1.000 (people in 2019: 0.701)\n"
            "variant  points  of  not in the key  no prediction\n"
            "      0      34  34  –               –\n"
            "No task lost points.\n"
        ),
        "",
    )


def test_the_train_split_has_no_grade_norm(write, run):
    key = variant()[:2]
    write(gold=as_document(key, "train"), pred=as_document(right_answers(key), "train"))

    status, out, _ = run("use", *GOLD, "--split", "train")

    assert status == 0
    assert "grade_norm 0" not in out
    assert "gold.json: The variants of the train split are not whole" in out


def scored_in_part(write, run):
    """Two tasks of a variant, one of them answered, and an answer to neither."""
    key = [record("16", number=5, variant=2), record("9", number=6, variant=2)]
    write(gold=as_document(key), pred=as_lines([answer(5, "2,4"), answer(7, "1")]))
    status, out, err = run("use", *GOLD, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_has_the_figure_and_the_variants(write, run):
    found = scored_in_part(write, run)

    absent = [name for name in ORDER if name not in ("9", "16")]
    assert (found["grade_norm"], found["variants"]) == (
        1 / 34,
        {"2": {"points": 1, "max": 34, "missing": absent, "unanswered": ["9"]}},
    )


def test_json_has_every_task_with_the_reason_for_its_points(write, run):
    of_both = {"variant": "2", "type": "multiple_choice_independent_options"}

    assert scored_in_part(write, run)["tasks"] == [
        {
            **of_both,
            "id": "6",
            "id_task": "9",
            "points": 0,
            "max": 1,
            "answered": False,
            "reason": {"code": "no-prediction", "message": "no prediction"},
            "readings": ["missing-is-zero"],
        },
        {
            **of_both,
            "id": "5",
            "id_task": "16",
            "points": 1,
            "max": 2,
            "answered": True,
            "reason": {
                "code": "numbers-differ",
                "missing": ["5"],
                "extra": ["4"],
                "missing_count": 1,
                "extra_count": 1,
                "message": "missing 5; too many 4",
            },
            "readings": [],
        },
    ]


def test_of_very_many_warnings_of_a_kind_the_first_are_told_and_the_others_counted(write, run):
    key = [record("16", number=number, variant=number) for number in range(2000)]
    write(gold=as_document(key), pred=as_lines([answer(0, "2,4")]))

    status, out, err = run("use", *GOLD)

    told = [line for line in out.splitlines() if line.startswith("gold.json: ")]
    assert (status, err, len(told)) == (0, "", NAMED + 1)
    assert told[-1] == "gold.json: More problems of this file: 1000."
    assert f"More warnings of this kind: {1000 - NAMED}." in out.splitlines()


def test_json_has_the_warnings_and_the_readings(write, run):
    found = scored_in_part(write, run)

    incomplete, unknown = found["warnings"]
    missing, by_34 = found["readings"]
    assert (incomplete["code"], incomplete["file"]) == ("incomplete-variant", "key")
    assert unknown == {
        "code": "unknown-id",
        "file": "prediction",
        "record": 2,
        "line": 2,
        "id": "7",
        "message": "The key has no task of this id. The answer was ignored.",
    }
    assert missing == {
        "code": "missing-is-zero",
        "count": 1,
        "message": "reading: a task without a prediction gives 0",
    }
    assert (by_34["code"], by_34["count"]) == ("incomplete-by-34", 1)


@pytest.mark.parametrize(
    ("options", "expected"), [((), 32), (("--lenient",), 33), (("--lenient", "--yo"), 34)]
)
def test_the_options_are_off_by_default(write, run, options, expected):
    key = variant()
    key[1]["outputs"] = "ёж"
    answers = right_answers(key)
    answers[0]["outputs"], answers[1]["outputs"] = "2; 5", "еж"
    write(gold=as_document(key), pred=as_document(answers))

    _, out, _ = run("use", *GOLD, *options, "--json")

    assert json.loads(out)["variants"]["0"]["points"] == expected


def test_an_archive_and_standard_input_are_read(write, run, monkeypatch):
    write(gold=as_document(variant()))
    submission = as_archive({"USE.json": as_document(right_answers(variant()))})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(submission)))

    status, out, _ = run("use", "--answer", "gold.json", "--prediction", "-")

    assert (status, out.splitlines()[0]) == (0, "grade_norm 1.000 (people in 2019: 0.701)")


WHOLE = as_document(variant())
UNUSABLE = [
    (
        '{"data": {"dev": [], "train": []}}',
        "[]",
        "gold.json: There is no split “test”; present are: dev, train. Choose one (--split).",
    ),
    (
        WHOLE,
        as_document([], "dev"),
        "pred.json: There is no split “test”; present are: dev. Choose one (--split).",
    ),
    (
        '{"data":\n{"test": [}',
        "[]",
        f"gold.json: line 2, column 11: {NOT_JSON}",
    ),
    (
        as_document([record("9", number=899, key="")]),
        "[]",
        f"gold.json, line 1, record 1, id 899, outputs: {EMPTY_KEY}",
    ),
    ("[]", "[]", "gold.json: No task can be scored. Check the file and the split."),
    (WHOLE, "", "pred.json: The file is empty. Choose another one."),
    (
        WHOLE,
        "[1, {}]",
        "pred.json, line 1, record 1: The record must be a JSON object.",
    ),
    (
        WHOLE,
        as_archive({"BPS.json": ""}),
        "pred.json: The archive has no USE.json; it has: BPS.json. Pack USE.json.",
    ),
]


@pytest.mark.parametrize(("gold", "pred", "line"), UNUSABLE)
def test_unusable_files_are_told_in_one_line_and_nothing_is_written(write, run, gold, pred, line):
    write(gold=gold, pred=pred)

    for options in ((), ("--json",)):
        assert run("use", *GOLD, *options) == (2, "", f"razbor: {line}\n")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--answer", "none.json"), "none.json: there is no such file. Check the name."),
        (("--check", "gold.json"), "Give --answer and --prediction, or --check, or --prompts."),
        (("--instructions", "x"), "--instructions belongs to --prompts."),
    ],
)
def test_unusable_options_are_told_in_one_line_and_nothing_is_written(write, run, options, line):
    write(gold=WHOLE, pred="[]")

    assert run("use", *GOLD, *options) == (2, "", f"razbor: {line}\n")


@pytest.mark.parametrize("arguments", [(), ("--answer", "x"), ("--json",), ("--prediction", "x")])
def test_without_files_it_says_what_to_give(run, arguments):
    assert run("use", *arguments) == (
        2,
        "",
        "razbor: Give --answer and --prediction, or --check, or --prompts.\n",
    )


@pytest.mark.usefixtures("marked_words")
def test_every_word_goes_through_the_catalogue(write, run):
    write(gold=as_document(variant(3)), pred=as_document([*lossy(), answer("x", "1")]))

    _, out, _ = run("use", *GOLD)

    messages = [*SENTENCES.values(), *REASONS.values(), *READINGS.values()]
    assert "<grade_norm 0.765 (people in 2019: 0.701)>" in out
    assert "<variant>  <points>  <of>  <not in the key>  <no prediction>" in out
    assert "<missing 5>; <too many 4>" in out
    assert "pred.json, <line 1>, <record 30>, <id x>: <The key has no task of this id." in out
    assert sum(f"<{message}>" in out for message in messages) == 4


def test_a_split_that_no_file_has_is_refused_by_its_name(write, run):
    write(gold=as_lines(variant(3)), pred=as_lines(lossy()))

    told = "A list, lines or a table has no splits, so “dev” cannot be chosen."
    assert run("use", *GOLD, "--split", "dev") == (
        2,
        "",
        f"razbor: gold.json, pred.json: {told} Leave it out (--split).\n",
    )
    _status, _out, err = run("use", "--check", "gold.json", "--split", "dev")
    assert err == f"razbor: gold.json: {told} Leave it out (--split).\n"


def test_a_split_of_the_predictions_alone_may_be_chosen(write, run):
    write(gold=as_lines(variant(3)), pred=as_document(lossy()))

    status, _out, err = run("use", *GOLD, "--split", "test")

    assert (status, err) == (0, "")
