"""`razbor score coscore`: what is printed, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.schemes.core.coscore.rules import rule_as_json

GIVE = "Give --rule and --answers, or --check RULE, or --jsonl FILE."
SCORE = ("coscore", "--rule", "rule.json", "--answers", "answers.csv")
ATOMS = {"0": "SM воды,лёд|льда", "1": "EM 0"}
COMBOS = {"A": ("M(0,T(0))", 2, "value"), "B": ("G(1,T(1))", 5, "logic")}
TABLE = "text,score\nиз воды и льда-0,9\nлёд-1,2\nпар,0\nлёд-0,\n"


def as_text(rule):
    return json.dumps(rule, ensure_ascii=False)


RULE = as_text(rule_as_json(ATOMS, COMBOS))
REFUSED = as_text(rule_as_json(ATOMS, {"A": ("G(7,T(0))", 1, "logic"), "B": "T(0"}))
NOT_DEFINED = "combo A, column 1: Atom 7 is not defined. Define it or use another."
BROKEN = "combo B, column 2: The expression breaks off or goes wrong here. Check the brackets."
NO_BLANK = "There is no blank 1: this answer has 1, counted from 0."
NOT_JSON = "This is not JSON. Look at the quotes, commas and brackets here."
PACKED = "This is a ZIP archive, and a text is expected here. Unpack it and give the file in it."
NO_TEXT = "line 1: The first line has no column “text”. Name the columns there."


@pytest.fixture
def files(write):
    write(rule=RULE)
    write(suffix="csv", answers=TABLE)


@pytest.mark.usefixtures("files")
def test_answers_figures_errors_of_rows_and_readings(run):
    status, out, err = run(*SCORE)

    assert (status, err) == (0, "")
    assert out == (
        "file line  score  A  B  label  answer\n"
        "        2      9  4  5      9  из воды и льда-0\n"
        "        3      2  2  0      2  лёд-1\n"
        "        4      –  0  –      0  пар\n"
        "        5      7  2  5      –  лёд-0\n"
        f"line 4, combo B, column 5: {NO_BLANK}\n"
        "answers by score: 0: 0, 1: 0, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 1, 8: 0, 9: 1, 10: 0\n"
        "label \\ score  2  9\n"
        "            2  1  0\n"
        "            9  0  1\n"
        "answers with a label  exact agreement  quadratic weighted kappa\n"
        "                   2             1.00                      1.00\n"
        "reading: Every “-” in a text begins the next blank.\n"
        "reading: For histogram and agreement a score is rounded to a whole one, halves up; "
        "kappa weighs by the squared difference of these.\n"
    )


def row(line, text, score, *points):
    combos = dict(zip(COMBOS, points, strict=True))
    return {"line": line, "text": text, "score": score, "combos": combos}


@pytest.mark.usefixtures("files")
def test_json_has_rows_figures_readings_and_problems(run):
    status, out, err = run(*SCORE, "--json")

    assert (status, err) == (0, "")
    found = json.loads(out)
    matrix = found["agreement"].pop("matrix")
    readings = found.pop("readings")
    assert (len(matrix), matrix[2][2], matrix[9][9], sum(map(sum, matrix))) == (11, 1, 1, 2)
    assert [each["code"] for each in readings] == ["split-at-separator", "ratings-rounded"]
    failed = {"code": "no-such-blank", "message": NO_BLANK, "blocks": True}
    assert found == {
        "rows": [
            {**row(2, "из воды и льда-0", 9, 4, 5), "label": 9},
            {**row(3, "лёд-1", 2, 2, 0), "label": 2},
            {
                **row(4, "пар", None, 0, None),
                "label": 0,
                "problems": [{**failed, "line": 4, "combo": "B", "column": 5}],
            },
            row(5, "лёд-0", 7, 2, 5),
        ],
        "histogram": [0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0],
        "agreement": {"count": 2, "exact": 1, "kappa": 1},
        "problems": [],
    }


@pytest.mark.usefixtures("files")
def test_csv_has_a_column_for_each_combo_and_one_for_errors(run):
    status, out, err = run(*SCORE, "--csv")

    assert (status, err, "\r" in out) == (0, "", False)
    assert list(csv.reader(io.StringIO(out, newline=""))) == [
        ["text", "score", "A", "B", "error"],
        ["из воды и льда-0", "9", "4", "5", ""],
        ["лёд-1", "2", "2", "0", ""],
        ["пар", "", "0", "", f"combo B, column 5: {NO_BLANK}"],
        ["лёд-0", "7", "2", "5", ""],
    ]


def test_another_separator_of_blanks_is_used_and_told(write, run):
    write(rule=RULE)
    write(suffix="csv", answers="text\nлёд-вода;0\n")

    status, out, _ = run(*SCORE, "--delimiter", ";", "--json")

    found = json.loads(out)
    assert (status, found["rows"][0]["combos"]) == (0, {"A": 2, "B": 5})
    assert "reading: Every “;” in a text begins the next blank." in [
        each["message"] for each in found["readings"]
    ]


def test_the_check_of_a_rule_tells_its_warnings_and_readings(write, run):
    write(rule=as_text(rule_as_json({"0": "OP 0:лёд"}, {"A": ("G(0,T(0))", 5, "logic")})))

    status, out, err = run("coscore", "--check", "rule.json")

    assert (status, err) == (0, "")
    assert out == (
        "atom 0: With the threshold 0 this atom is true for every answer.\n"
        "reading: A threshold of 0 is allowed: the atom is true even with the value 0.\n"
        "rule.json: the rule can be used.\n"
    )


def test_the_check_of_a_refused_rule_tells_every_problem_and_ends_with_2(write, run):
    write(rule=REFUSED)

    status, out, err = run("coscore", "--check", "rule.json")

    assert (status, out.splitlines()) == (2, [NOT_DEFINED, BROKEN])
    assert err == f"razbor: rule.json: {NOT_DEFINED} (and more: 1)\n"


def test_the_check_as_json_has_codes_and_places(write, run):
    write(rule=REFUSED)

    status, out, _ = run("coscore", "--check", "rule.json", "--json")

    found = json.loads(out)
    assert (status, found["accepted"], found["readings"]) == (2, False, [])
    assert [(each["code"], each["combo"], each["column"]) for each in found["problems"]] == [
        ("atom-not-defined", "A", 1),
        ("not-an-expression", "B", 2),
    ]


@pytest.mark.parametrize(
    ("rule", "table", "line"),
    [
        (REFUSED, TABLE, f"rule.json: {NOT_DEFINED} (and more: 1)"),
        (
            '{"atoms": }',
            TABLE,
            f"rule.json: line 1, column 11: {NOT_JSON}",
        ),
        (RULE, "", f"answers.csv: {NO_TEXT}"),
        (RULE, "txt\n1\n", f"answers.csv: {NO_TEXT}"),
        (
            RULE,
            'text\n"лёд\nвода\n',
            "answers.csv: line 2: A quote opened here is never closed. Close it or double it.",
        ),
        (
            RULE,
            b"text\n\xff\n",
            "answers.csv: byte 5 is not UTF-8. Save the file in that encoding.",
        ),
        (
            RULE,
            b"PK\x03\x04\x14\xff",
            f"answers.csv: {PACKED}",
        ),
    ],
    ids=["rule", "json", "empty", "column", "quote", "utf-8", "zip"],
)
def test_unusable_files_are_told_in_one_line_and_nothing_is_written(write, run, rule, table, line):
    write(rule=rule)
    write(suffix="csv", answers=table)

    for form in ((), ("--json",), ("--csv",)):
        assert run(*SCORE, *form) == (2, "", f"razbor: {line}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--rule", "x"),
        ("--answers", "x"),
        ("--check", "x", "--answers", "y"),
        ("--check", "x", "--jsonl", "y"),
        ("--jsonl", "x", "--rule", "y", "--answers", "z"),
    ],
)
def test_what_to_give_is_told_when_too_little_or_too_much_was_given(run, arguments):
    assert run("coscore", *arguments) == (2, "", f"razbor: {GIVE}\n")


def test_only_one_form_of_output_is_given(run):
    assert run(*SCORE, "--json", "--csv") == (
        2,
        "",
        "razbor: Give --json or --csv, not both.\n",
    )


def lines(*cases):
    return "".join(f"{as_text(case)}\n" for case in cases)


def test_lines_are_answered_in_their_order(write, run):
    rule = json.loads(RULE)
    write(
        suffix="jsonl",
        cases=lines(
            {"id": 1, "rule": rule, "blanks": ["лёд", "0"]},
            {"id": 2, "rule": RULE, "blanks": ["пар", "1"]},
        ),
    )

    status, out, err = run("coscore", "--jsonl", "cases.jsonl")

    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"id": 1, "score": 7, "combos": {"A": 2, "B": 5}},
        {"id": 2, "score": 0, "combos": {"A": 0, "B": 0}},
    ]


def test_lines_that_cannot_be_answered_say_why_and_the_others_are_answered(write, run):
    rule = json.loads(RULE)
    write(
        suffix="jsonl",
        cases=lines(
            {"id": 1, "rule": rule, "blanks": ["лёд"]},
            {"id": 2, "rule": json.loads(REFUSED), "blanks": ["лёд"]},
            {"id": 3, "blanks": ["лёд"]},
            {"id": 4, "rule": rule, "blanks": "лёд"},
            {"id": 5, "rule": rule, "blanks": ["лёд", "0"]},
        ),
    )

    status, out, err = run("coscore", "--jsonl", "cases.jsonl")

    assert [json.loads(line) for line in out.splitlines()] == [
        {"id": 1, "error": f"combo B, column 5: {NO_BLANK}"},
        {"id": 2, "error": f"{NOT_DEFINED} (and more: 1)"},
        {"id": 3, "error": "The key “rule” is missing. Add it."},
        {"id": 4, "error": "An answer must be a list of texts, one for each blank."},
        {"id": 5, "score": 7, "combos": {"A": 2, "B": 5}},
    ]
    assert (status, err) == (
        2,
        f"razbor: cases.jsonl, line 1: combo B, column 5: {NO_BLANK}\n",
    )
