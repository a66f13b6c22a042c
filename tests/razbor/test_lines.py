"""JSON Lines: a misspelt key is refused by its name, and help shows how a line is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from razbor.commands import board, compare, grade, score_coscore, session, star, third

ROOT = Path(__file__).resolve().parents[2]
SHAPES = {
    "compare": compare.SHAPE,
    "grade": grade.SHAPE,
    "third": third.SHAPE,
    "star": star.SHAPE,
    "score coscore": score_coscore.SHAPE,
    "session": session.SHAPE,
    "board": board.SHAPE,
}
GOLDEN = {
    "compare": "metrics_pairs",
    "grade": "criteria",
    "third": "third_check",
    "star": "metrics_star",
    "session": "session",
    "board": "standings",
}
SECTION = re.compile(r"^## razbor (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCS = {
    name: BLOCK.findall(text)
    for name, text in SECTION.findall((ROOT / "docs" / "jsonl.md").read_text("utf-8"))
}
MISSING = "The key “{}” is missing. Add it."
UNKNOWN = "The key “{}” is unknown. Check its spelling."


@pytest.fixture
def answer(folder, run):
    """The one answer to a case, without its id, and the exit status."""

    def answer_one(command, case):
        folder(cases__jsonl=json.dumps(case) + "\n")
        status, out, _err = run(*command.split(), "--jsonl", "cases.jsonl")
        answered = json.loads(out)
        answered.pop("id")
        return status, answered

    return answer_one


def spelt(example, **other):
    """The example, keys spelt otherwise; ``None`` leaves one out."""
    renamed = {other.get(key, key): value for key, value in example.items()}
    renamed.pop(None, None)
    return renamed


@pytest.mark.parametrize("command", SHAPES)
def test_every_missing_and_every_unknown_key_is_named(answer, command):
    shape = SHAPES[command]
    first, *_others = shape.needed

    refused = answer(command, spelt(shape.example, **{first: f"{first}s"}))
    expected = f"{MISSING.format(first)} {UNKNOWN.format(f'{first}s')}"
    assert refused == (2, {"error": expected})

    assert answer(command, {"id": 1}) == (
        2,
        {"error": " ".join(MISSING.format(key) for key in shape.needed)},
    )
    more = {**shape.example, "colour": "red"}
    assert answer(command, more) == (2, {"error": UNKNOWN.format("colour")})


def test_two_markups_in_lower_case_are_no_perfect_pair(answer):
    case = spelt(compare.SHAPE.example, X="x", Y="y")

    told = [MISSING.format("X"), MISSING.format("Y"), UNKNOWN.format("x"), UNKNOWN.format("y")]
    assert answer("compare", case) == (2, {"error": " ".join(told)})


def test_the_keys_of_fragments_essays_and_points_are_looked_at_too(answer):
    fragment = {"startSelection": 0, "endSelection": 3, "typ": "А.грамм"}
    case = {**grade.SHAPE.example, "selections": [fragment]}
    wrong = f"{MISSING.format('type')} {UNKNOWN.format('typ')}"
    assert answer("grade", case) == (2, {"error": f"selections[0]: {wrong}"})

    essay = spelt(star.SHAPE.example["essays"][0], experts="expert")
    wrong = f"{MISSING.format('experts')} {UNKNOWN.format('expert')}"
    assert answer("star", {"essays": [essay]}) == (2, {"error": f"essays[0]: {wrong}"})

    case = {**third.SHAPE.example, "first": {"k3": 3, "K4": 3}}
    assert answer("third", case) == (2, {"error": f"first: {UNKNOWN.format('k3')}"})


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ({"K3": 99, "K4": 2}, "first.K3: 99 points cannot be. Give 0 to 3."),
        ({"K3": 1, "K4": -1}, "first.K4: -1 points cannot be. Give 0 to 3."),
    ],
)
def test_points_nobody_can_get_are_refused_by_name(answer, points, told):
    assert answer("third", {**third.SHAPE.example, "first": points}) == (2, {"error": told})


@pytest.mark.parametrize("command", SHAPES)
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_lines_is_told(folder, run, command, text):
    folder(cases__jsonl=text)

    ended = run(*command.split(), "--jsonl", "cases.jsonl")

    assert ended == (2, "", "razbor: cases.jsonl: no lines.\n")


def test_a_code_that_is_null_is_missing(answer):
    fragment = {"startSelection": 0, "endSelection": 3, "type": None}
    case = {**grade.SHAPE.example, "selections": [fragment]}

    told = "selections[0].type: the code is missing. Write one."
    assert answer("grade", case) == (2, {"error": told})


def test_a_key_that_stands_twice_is_named(folder, run):
    folder(cases__jsonl='{"id": 1, "subject": "eng", "subject": "hist"}\n')

    _status, out, _err = run("grade", "--jsonl", "cases.jsonl")

    told = "The key “subject” stands twice in one object. Keep one of them."
    assert json.loads(out)["error"] == f"line 1, column 29: {told}"


def test_a_blank_line_is_answered_so_that_answers_stay_beside_their_lines(folder, run):
    text = json.dumps(grade.SHAPE.example, ensure_ascii=False)
    folder(cases__jsonl=f"\n{text}\n \n{text}\n\n\n")

    status, out, err = run("grade", "--jsonl", "cases.jsonl")

    answers = [json.loads(line) for line in out.splitlines()]
    assert [each.get("error") for each in answers] == [
        "line 1: it is empty.",
        None,
        "line 3: it is empty.",
        None,
    ]
    assert (status, err) == (2, "razbor: cases.jsonl: line 1: it is empty.\n")


def test_json_lines_that_are_given_as_a_file_are_told_their_option(folder, run):
    text = json.dumps(grade.SHAPE.example, ensure_ascii=False)
    folder(big__jsonl=f"{text}\n{text}\n")

    for command in ("compare", "grade"):
        names = ["big.jsonl", "big.jsonl"][: 2 if command == "compare" else 1]
        told = "razbor: big.jsonl: many cases, a line each, are read by --jsonl FILE.\n"
        assert run(command, *names) == (2, "", told)


def test_what_is_no_json_is_named_by_its_line_in_the_file(folder, run):
    text = json.dumps(grade.SHAPE.example, ensure_ascii=False)
    folder(cases__jsonl=f'{text}\n\n{{"id": 2, }}\n{text}\n{{"id": 4, "id": 4}}\n')

    _status, out, err = run("grade", "--jsonl", "cases.jsonl")

    told = [json.loads(line).get("error", "").partition(":")[0] for line in out.splitlines()]
    assert told == ["", "line 2", "line 3, column 11", "", "line 5, column 11"]
    assert err == "razbor: cases.jsonl: line 2: it is empty.\n"


def test_what_is_no_object_is_named_by_its_line_too(folder, run):
    folder(cases__jsonl="[]\n5\n")

    for command in ("compare", "star", "board"):
        _status, out, _err = run(command, "--jsonl", "cases.jsonl")

        assert [json.loads(line) for line in out.splitlines()] == [
            {"id": None, "error": "line 1: it must be a JSON object."},
            {"id": None, "error": "line 2: it must be a JSON object."},
        ]


@pytest.mark.parametrize("value", [None, {}, "x"])
def test_a_markup_that_is_no_list_is_refused(answer, value):
    case = {**grade.SHAPE.example, "selections": value}

    sentence = "“selections” must be a list of fragments."
    assert answer("grade", case) == (2, {"error": sentence})


def test_a_key_of_a_stranger_is_named_on_one_line(answer):
    case = {**third.SHAPE.example, "a\nb\x1b": 1}

    assert answer("third", case) == (2, {"error": UNKNOWN.format("a\\nb\\x1b")})


@pytest.mark.parametrize("command", GOLDEN)
def test_the_worked_cases_are_answered_with_all_their_notes(run, command):
    path = ROOT / "tests" / "golden" / f"{GOLDEN[command]}.jsonl"

    status, out, err = run(command, "--jsonl", path)

    assert (status, err) == (0, "")
    assert len(out.splitlines()) == len(path.read_text("utf-8").splitlines())


@pytest.mark.parametrize("command", SHAPES)
def test_help_shows_the_line_whose_answer_the_documentation_tells(folder, run, command):
    asked, line, told = DOCS[command]
    folder(**{asked.split()[-1].replace(".", "__"): line})

    assert run(*asked.split()[1:]) == (0, told, "")
    _status, out, _err = run(*command.split(), "--help")
    assert out.endswith(f"\na line of --jsonl FILE:\n  {line}")


def test_the_documentation_knows_every_command_that_reads_lines():
    assert DOCS.keys() == SHAPES.keys()


def test_a_subject_of_another_shape_costs_its_own_line_only(folder, run):
    good = {"id": "2", "text": "ab", "subject": "eng", "selections": []}
    bad = {**good, "id": "1", "subject": ["eng"]}
    folder(cases__jsonl="\n".join(map(json.dumps, (bad, good))))

    _status, out, _err = run("grade", "--jsonl", "cases.jsonl")

    answers = [json.loads(line) for line in out.splitlines()]
    assert [("error" in each, each["id"]) for each in answers] == [(True, "1"), (False, "2")]


@pytest.mark.parametrize("command", ["compare", "grade", "third"])
def test_a_subject_beside_lines_is_refused(folder, run, command):
    folder(cases__jsonl=SHAPES[command].line)

    hint = "--subject is for files: in --jsonl FILE every line says its own. Leave it out."
    assert run(command, "--subject", "eng", "--jsonl", "cases.jsonl") == (
        2,
        "",
        f"razbor: {hint}\n",
    )


@pytest.mark.parametrize("command", ["compare", "grade", "third", "star"])
def test_a_surplus_file_beside_lines_is_refused_by_its_name(folder, run, command):
    folder(cases__jsonl=SHAPES[command].line)

    hint = "a.txt: not read beside --jsonl FILE. Leave it out."
    assert run(command, "a.txt", "--jsonl", "cases.jsonl") == (2, "", f"razbor: {hint}\n")


def test_an_unknown_subject_of_a_pair_is_refused_with_its_key(answer):
    status, answered = answer("compare", {**compare.SHAPE.example, "subject": "english"})

    known = "rus, rus-free, lit, social, hist, eng, eng-free"
    assert (status, answered) == (2, {"error": f"“subject” must be one of {known}."})
