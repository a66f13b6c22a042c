"""A blank in an id or a number is easily overlooked: every system says that it stands there."""

from __future__ import annotations

import json

import pytest

from tests.schemes.core.coscore.rules import rule_as_json
from tests.schemes.core.space2022.questions import as_lines, question, record
from tests.schemes.core.use.exams import variant

STANDS = "A blank stands in “{}”. Remove it."


@pytest.fixture
def lost(write, run):
    """Why an answer to a task of USE loses points."""

    def because(task, answer, *options):
        key = variant()
        given = [
            {"outputs": answer, "meta": each["meta"]}
            if each["meta"]["id_task"] == task
            else {"outputs": each["outputs"], "meta": each["meta"]}
            for each in key
        ]
        write(key=json.dumps(key), given=json.dumps(given))
        files = ("--answer", "key.json", "--prediction", "given.json")
        found = json.loads(run("use", *files, "--json", *options)[1])
        (told,) = (each for each in found["tasks"] if each["id_task"] == task)
        return told["reason"]["message"]

    return because


@pytest.mark.parametrize(
    ("task", "answer", "told"),
    [
        ("1", "2, 5", "missing 5; a blank stands in “2, 5”"),
        ("1", "2 5", "missing 2, 5; a blank stands in “2 5”"),
        ("16", "2, 5,4", "missing 5; too many 4; a blank stands in “2, 5,4”"),
        ("26", "4, 1, 3, 2", "wrong positions: 2, 3, 4 (of 4); a blank stands in “4, 1, 3, 2”"),
        ("26", "8 1 9 7", "numbers expected: 4, given: 1; a blank stands in “8 1 9 7”"),
    ],
)
def test_use_names_the_answer_the_blank_stands_in(lost, task, answer, told):
    assert lost(task, answer) == told


@pytest.mark.parametrize("answer", ["2,5", " 5,2 "])
def test_use_says_nothing_of_outer_blanks(lost, answer):
    assert lost("1", answer) == "right"


def test_use_says_nothing_where_blanks_separate(lost):
    assert lost("1", "2, 4", "--lenient") == "missing 5; too many 4"


def test_an_id_with_a_blank_is_no_task_of_use(write, run):
    key = variant()
    given = [{"outputs": "2", "meta": {"id": "1, 3"}}, {"outputs": "2", "meta": {"id": "0"}}]
    write(key=json.dumps(key), given=json.dumps(given))

    _status, out, _err = run("use", "--answer", "key.json", "--prediction", "given.json")

    assert f"The answer was ignored. {STANDS.format('1, 3')}\n" in out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('1, 3: "a", 9', STANDS.format("1, 3")),
        ('Q 1: "a", 9', STANDS.format("Q 1")),
        ('Q1: "a", 99 02', f"column 10, id Q1: {STANDS.format('99 02')}"),
    ],
)
def test_qac_names_the_id_the_blank_stands_in(write, run, line, told):
    write(suffix="txt", key='Q1: "a", 9\n', given=f"{line}\n")

    status, out, err = run("qac", "--answer", "key.txt", "given.txt")

    place = ", " if told.startswith("column") else ": "
    assert (status, out, err) == (2, "", f"razbor: given.txt, line 1{place}{told}\n")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (
            rule_as_json({"0": "EM a"}, {"A": "1 000*M(0,T(0))"}),
            f"combo A, column 1: {STANDS.format('1 000')}",
        ),
        (
            rule_as_json({"0": "EM a"}, {"A": 'M("0 ",T(0))'}),
            (
                "combo A, column 1: Atom 0  is not defined. Define it or use another. "
                f"{STANDS.format('0 ')}"
            ),
        ),
        (
            rule_as_json({"1, 3": "EM a"}, {"A": 'M("1, 3",T(0))'}),
            (
                "atom 1, 3: An atom’s id is a number; this one has to be quoted in G and M. "
                f"{STANDS.format('1, 3')}"
            ),
        ),
        (
            rule_as_json({"0": "EM a"}, {"A": ("M(0,T(0))", 1, "value ")}),
            (
                "combo A: “mode” is “value ”. Use one of these: logic, value. "
                f"{STANDS.format('value ')}"
            ),
        ),
    ],
    ids=["number", "atom asked", "atom", "mode"],
)
def test_coscore_names_what_the_blank_stands_in(write, run, rule, told):
    write(rule=json.dumps(rule))

    _status, out, _err = run("coscore", "--check", "rule.json")

    assert told in out.splitlines()


def test_coscore_names_the_label_the_blank_stands_in(write, run):
    write(rule=json.dumps(rule_as_json({"0": "EM a"}, {"A": "M(0,T(0))"})))
    write(suffix="csv", answers='text,score\na,"1, 3"\n')

    _status, out, _err = run("coscore", "--rule", "rule.json", "--answers", "answers.csv")

    assert (
        "line 2: “1, 3” is not a score from 0 to 10; the row is scored without it. "
        f"{STANDS.format('1, 3')}"
    ) in out.splitlines()


def test_space2022_names_the_qid_the_blank_stands_in(write, run):
    write(suffix="jsonl", answer=as_lines(question(qid="q1")))
    write(suffix="jsonl", given=as_lines(record(qid="q1"), record(qid="q 1")))

    _status, out, _err = run("space2022", "--answer", "answer.jsonl", "--prediction", "given.jsonl")

    assert f"The prediction was ignored. {STANDS.format('q 1')}\n" in out
