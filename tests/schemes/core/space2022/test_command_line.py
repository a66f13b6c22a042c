"""`razbor score space2022`: what is printed, where, what is written, with which exit status."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from schemes.core.space2022.messages import READINGS, SENTENCES
from tests.schemes.core.space2022.questions import (
    MISPLACED,
    UNLIKELY,
    as_lines,
    fragment,
    question,
    reason,
    record,
)

SCORE = ("space2022", "--answer", "answer.jsonl", "--prediction", "prediction.jsonl")
SCRIPT_KEYS = ["type_accuracy", "micro_f1", "macro_f1", "avg_precision", "avg_recall"]
NOT_JSON = "This is not JSON. Look at the quotes, commas and brackets here."
NO_LINES = SENTENCES["not-json-lines"].format()
HALF = reason("C", fragment("S", 3), fragment("P", 6, 7, 8))
ODD = b'{"qid": "3"}\n'
ODD_SENTENCE = "line 3, record 3, qid 3, reasons: The field is missing. Add it."


@pytest.fixture
def files(write):
    """Four questions: half, perfect, broken, hit in the text only."""
    write(
        suffix="jsonl",
        answer=as_lines(*(question(qid=name) for name in "1234")),
        prediction=as_lines(record(HALF, qid="1"), record(MISPLACED, qid="2"))
        + ODD
        + as_lines(record(reason("B", fragment("S1", 4)), qid="4")),
    )


@pytest.mark.usefixtures("files")
def test_the_figures_the_imperfect_questions_the_problems_and_the_readings(run):
    status, out, err = run(*SCORE)

    assert (status, err) == (0, "")
    assert out == (
        "element F1 0.4000, text F1 0.5250, type accuracy 0.5000; questions: 4\n"
        "\n"
        "published script  type_accuracy  micro_f1  macro_f1  avg_precision  avg_recall\n"
        "strict                   0.0000    0.4375    0.4375         0.4375      0.4375\n"
        "loose                    0.5000    0.5500    0.5250         0.6875      0.4583\n"
        "\n"
        "qid  element F1  text F1  type   winning pair   found  missed  extra\n"
        "  1      0.6000   0.6000  right  C1 – C2            3       3      1\n"
        "  3      0.0000   0.0000  wrong  no prediction      –       –      –\n"
        "  4      0.0000   0.5000  wrong  B1 – A1            1       2      0\n"
        "\n"
        f"prediction.jsonl, {ODD_SENTENCE}\n"
        "reading: the three figures are means of their own, each of its own best pair; the element "
        "F1 ranks: 1\n"
        "reading: a role of the reference that the prediction omits costs recall (the published "
        "script leaves it out): 1\n"
        "reading: a question without a usable prediction gives 0: 1\n"
    )


def test_a_perfect_prediction_has_no_table(write, run):
    write(suffix="jsonl", answer=as_lines(question()), prediction=as_lines(record(UNLIKELY)))

    _, out, _ = run(*SCORE)

    assert out.splitlines()[0] == (
        "element F1 1.0000, text F1 1.0000, type accuracy 1.0000; questions: 1"
    )
    assert "Every question is perfect." in out.splitlines()


@pytest.mark.usefixtures("files")
def test_json_has_the_figures_not_rounded_the_script_s_warnings_and_readings(run):
    status, out, err = run(*SCORE, "--json")

    found = json.loads(out)
    script = found.pop("script")
    assert (status, err) == (0, "")
    assert {level: list(figures) for level, figures in script.items()} == {
        "strict": SCRIPT_KEYS,
        "loose": SCRIPT_KEYS,
    }
    assert [each.pop("code") for each in found["readings"]] == [
        "headline-element",
        "omitted-roles-cost-recall",
        "missing-is-zero",
    ]
    assert [each["count"] for each in found.pop("readings")] == [1, 1, 1]
    assert found == {
        "element_f1": 0.4,
        "text_f1": (0.6 + 1 + 0.5) / 4,
        "type_accuracy": 0.5,
        "questions": 4,
        "warnings": [
            {
                "code": "no-field",
                "file": "prediction",
                "line": 3,
                "record": 3,
                "qid": "3",
                "field": "reasons",
                "message": "The field is missing. Add it.",
            }
        ],
    }


@pytest.mark.usefixtures("files")
def test_a_level_as_json_is_the_script_s_five_figures_and_nothing_else(run):
    _, out, _ = run(*SCORE, "--json")
    script = json.loads(out)["script"]

    for level in ("strict", "loose"):
        status, out, err = run(*SCORE, "--level", level, "--json")
        assert (status, json.loads(out)) == (0, script[level])
        assert err.splitlines()[0] == f"prediction.jsonl, {ODD_SENTENCE}"
        assert err.splitlines()[1].startswith("reading: the published script ")


@pytest.mark.usefixtures("files")
def test_a_level_in_words_has_the_five_figures_not_rounded(run):
    status, out, err = run(*SCORE, "--level", "strict")

    lines = out.splitlines()
    assert (status, err, lines[0]) == (0, "", "published script, level strict")
    assert lines[1:6] == [
        "type_accuracy 0.0",
        "micro_f1 0.4375",
        "macro_f1 0.4375",
        "avg_precision 0.4375",
        "avg_recall 0.4375",
    ]
    assert lines[6] == f"prediction.jsonl, {ODD_SENTENCE}"


@pytest.mark.usefixtures("files")
def test_a_line_for_each_question_is_written_beside_the_figures(run, tmp_path):
    _, alone, _ = run(*SCORE)
    status, out, _ = run(*SCORE, "--per-question", "out.jsonl")

    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert (status, out) == (0, alone)
    assert [json.loads(line)["qid"] for line in lines] == ["1", "2", "3", "4"]
    assert json.loads(lines[0]) == {
        "qid": "1",
        "predicted": True,
        "element_f1": 0.6,
        "element": {"hit": 3, "candidate": 4, "reference": 6},
        "text_f1": 0.6,
        "text": {"hit": 3, "candidate": 4, "reference": 6},
        "type_is_right": True,
        "script": {"strict_f1": 0.75, "loose_f1": 0.6},
        "pair": {
            "by": "element",
            "candidate": {"number": 1, "type": "C"},
            "reference": {"number": 2, "type": "C"},
            "roles": [
                {"role": "S", "hit": [3], "missed": [], "extra": []},
                {"role": "P", "hit": [7, 8], "missed": [9], "extra": [6]},
                {"role": "E", "hit": [], "missed": [4, 5], "extra": []},
            ],
        },
        "readings": ["omitted-roles-cost-recall"],
    }


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("-", "--per-question: name a file. The output has the figures."),
        ("answer.jsonl", "answer.jsonl: this file was read. Name another one for --per-question."),
        (
            "none/out.jsonl",
            (
                "none/out.jsonl: this file cannot be written (No such file or directory). "
                "Name another one."
            ),
        ),
    ],
)
def test_where_the_questions_cannot_be_written_nothing_is(run, tmp_path, name, line):
    before = (tmp_path / "answer.jsonl").read_bytes()

    assert run(*SCORE, "--per-question", name) == (2, "", f"razbor: {line}\n")
    assert (tmp_path / "answer.jsonl").read_bytes() == before


def test_an_empty_prediction_file_scores_0_with_a_warning(write, run):
    write(suffix="jsonl", answer=as_lines(question()), prediction=b"")

    status, out, err = run(*SCORE)

    assert (status, err) == (0, "")
    assert out.startswith("element F1 0.0000, text F1 0.0000, type accuracy 0.0000; questions: 1")
    assert f"prediction.jsonl: {SENTENCES['no-predictions']}" in out.splitlines()


def test_the_prediction_may_come_from_the_input(write, run, monkeypatch):
    write(suffix="jsonl", answer=as_lines(question()))
    stream = io.TextIOWrapper(io.BytesIO(as_lines(record(UNLIKELY))))
    monkeypatch.setattr(sys, "stdin", stream)

    status, out, _ = run("space2022", "--answer", "answer.jsonl", "--prediction", "-")

    assert (status, out.splitlines()[0][:18]) == (0, "element F1 1.0000,")


GOOD = as_lines(question())
UNUSABLE = [
    (b"", GOOD, f"answer.jsonl: {SENTENCES['no-questions']}"),
    (b"{}", GOOD, "answer.jsonl, line 1, record 1, qid: The field is missing. Add it."),
    (b'\n{"qid": \n', GOOD, f"answer.jsonl, line 2, record 1: {NOT_JSON}"),
    (b"[" + GOOD, GOOD, f"answer.jsonl: line 2, column 1: {NOT_JSON}"),
    (b"qid,reasons\n1,C\n", GOOD, f"answer.jsonl: {NO_LINES}"),
    (GOOD, b"qid\treasons\n1\tC\n", f"prediction.jsonl: {NO_LINES}"),
    (b"[]", GOOD, f"answer.jsonl: {SENTENCES['no-questions']}"),
    (GOOD, b"\n[{}]", "prediction.jsonl, record 1, qid: The field is missing. Add it."),
    (GOOD, b"\xff", "prediction.jsonl: Byte 0 is not UTF-8. Save the file in that encoding."),
    (
        GOOD,
        as_lines(record(reason("D"))),
        (
            "prediction.jsonl, line 1, record 1, qid q1, reasons[0].type: "
            "The type “D” is unknown. Use A, B or C."
        ),
    ),
]


@pytest.mark.parametrize(("answer", "prediction", "line"), UNUSABLE)
def test_unusable_files_are_told_in_one_line_and_nothing_is_written(
    write, run, answer, prediction, line
):
    write(suffix="jsonl", answer=answer, prediction=prediction)

    for options in ((), ("--json",), ("--level", "loose"), ("--per-question", "out.jsonl")):
        assert run(*SCORE, *options) == (2, "", f"razbor: {line}\n")
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "Give --answer and --prediction."),
        (("--answer", "x"), "Give --answer and --prediction."),
        (
            ("--answer", "-", "--prediction", "-"),
            "Only one of the two files can be read from the input.",
        ),
        (
            ("--answer", "none.jsonl", "--prediction", "x"),
            "none.jsonl: there is no such file. Check the name.",
        ),
    ],
)
def test_unusable_options_are_told_in_one_line(write, run, arguments, line):
    write(suffix="jsonl")

    assert run("space2022", *arguments) == (2, "", f"razbor: {line}\n")


def test_the_script_s_level_medium_does_not_exist(write, run, capsys):
    write(suffix="jsonl", answer=GOOD, prediction=GOOD)

    with pytest.raises(SystemExit) as caught:
        run(*SCORE, "--level", "medium")
    assert (caught.value.code, capsys.readouterr().out) == (2, "")


@pytest.mark.usefixtures("files", "marked_words")
def test_every_word_goes_through_the_catalogue(run):
    _, out, _ = run(*SCORE)

    assert "<element F1 0.4000, text F1 0.5250, type accuracy 0.5000; questions: 4>" in out
    assert "<published script>" in out
    assert "<element F1>  <text F1>  <type>" in out
    assert "<right>" in out
    assert "<no prediction>" in out
    assert "prediction.jsonl, <line 3>, <record 3>, <qid 3>, reasons: <The field is miss" in out
    assert sum(f"<{message}>" in out for message in READINGS.values()) == 3
