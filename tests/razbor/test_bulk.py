"""Lines answered in bulk are answered as one by one, to the byte."""

from __future__ import annotations

import io
import json
import sys
import tracemalloc
from pathlib import Path

import pytest

from annotator.core.codec import markup_to_json
from razbor import bulk
from razbor.commands import compare, star
from razbor.lines import AT_ONCE
from razbor.main import main
from tests.compare.core.corpora import drawn_essays

COMMANDS = {"compare": compare, "star": star}
GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.fixture
def one_by_one(monkeypatch):
    """From here on as where numpy is missing."""

    def leave_out():
        monkeypatch.setattr(bulk, "find_spec", lambda _name: None)

    return leave_out


def drawn_lines(seed):
    """Pairs and essays of drawn markups; some lines are broken, some blank."""
    essays = drawn_essays(60, seed)
    pairs, stars = [], []
    for number in range(60):
        places = [place for place, essay in enumerate(essays.essay) if essay == number]
        text = essays.markups[places[0]].text
        first, *others = (markup_to_json(essays.markups[place]) for place in places)
        pairs += [{"id": number, "text": text, "X": first, "Y": other} for other in others]
        essay = {"text": text, "algorithm": first, "experts": others}
        stars.append({"id": number, "essays": [essay] * (number % 3)})
    broken = ['{"id": 1, "id": 2}', "", "[]", '{"id": 3, "text": "a:b", "X": [], "Y": 7}']
    return [
        "\n".join([*map(json.dumps, cases[:20]), *broken, *map(json.dumps, cases[20:])]) + "\n"
        for cases in (pairs, stars)
    ]


@pytest.mark.parametrize(("command", "which"), [("compare", 0), ("star", 1)])
def test_drawn_lines_are_answered_in_bulk_as_one_by_one(folder, run, one_by_one, command, which):
    folder(cases__jsonl=drawn_lines(1)[which])

    in_bulk = run(command, "--jsonl", "cases.jsonl")
    one_by_one()

    assert in_bulk == run(command, "--jsonl", "cases.jsonl")
    assert in_bulk[0] == 2
    assert in_bulk[1].count("\n") >= 60


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "--jsonl", GOLDEN / "metrics_pairs.jsonl"),
        ("compare", "--weights", "0,2,1,1.3,0.7,0,0", "--jsonl", GOLDEN / "metrics_pairs.jsonl"),
        ("star", "--hardness", "0.5", "--jsonl", GOLDEN / "metrics_star.jsonl"),
    ],
)
def test_worked_cases_are_answered_in_bulk_as_one_by_one(run, one_by_one, arguments):
    in_bulk = run(*arguments)
    one_by_one()

    assert in_bulk == run(*arguments)
    assert in_bulk[0] == 0


def test_points_count_in_bulk_as_well(folder, run, one_by_one):
    line = json.dumps({**compare.SHAPE.example, "subject": "eng"})
    folder(cases__jsonl=f"{line}\n" * 20)

    in_bulk = run("compare", "--weights", "1,1,1,1,1,1,0", "--jsonl", "cases.jsonl")
    one_by_one()

    assert in_bulk == run("compare", "--weights", "1,1,1,1,1,1,0", "--jsonl", "cases.jsonl")
    assert len(in_bulk[1].splitlines()) == 20


def test_more_lines_than_are_answered_together_keep_their_order(folder, run):
    lines = [json.dumps({**compare.SHAPE.example, "id": number}) for number in range(600)]
    folder(cases__jsonl="\n".join(lines))

    _status, out, _err = run("compare", "--jsonl", "cases.jsonl")

    assert [json.loads(line)["id"] for line in out.splitlines()] == list(range(600))


class Belt:
    """Standard input and output at once: so many lines in, and how far reading is ahead."""

    def __init__(self, lines, example):
        self.lines, self.example = lines, example
        self.answered = self.ahead = 0

    def __enter__(self):
        return self

    def __exit__(self, *_ended):
        return None

    def __iter__(self):
        for number in range(self.lines):
            self.ahead = max(self.ahead, number + 1 - self.answered)
            yield json.dumps({**self.example, "id": number}).encode() + b"\n"


class Answers(io.StringIO):
    """Counts the lines that are written and keeps none."""

    def __init__(self, belt):
        super().__init__()
        self.belt = belt

    def write(self, text):
        self.belt.answered += text.count("\n")
        return len(text)


def kept(command, lines, monkeypatch):
    """How many lines were read before their answers, and the peak of memory, in bytes."""
    belt = Belt(lines, COMMANDS[command].SHAPE.example)
    monkeypatch.setattr(sys, "stdin", type("Input", (), {"buffer": belt}))
    monkeypatch.setattr(sys, "stdout", Answers(belt))
    tracemalloc.start()
    try:
        assert main([command, "--jsonl", "-"]) == 0
        return belt, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("command", ["compare", "star"])
def test_eight_times_the_lines_take_no_more_memory(monkeypatch, command):
    kept(command, AT_ONCE, monkeypatch)  # what is imported and remembered once
    _few, small = kept(command, 3 * AT_ONCE, monkeypatch)

    many, large = kept(command, 24 * AT_ONCE, monkeypatch)

    assert (many.answered, many.ahead) == (24 * AT_ONCE, AT_ONCE)
    assert large <= 1.25 * small


def test_a_report_without_numpy_says_the_same(folder, run, one_by_one):
    text, marked = "Реформа и Царь", "(\\ А.лекс \\ Реформа \\) и Царь"
    folder(
        **{f"{number}__txt": marked for number in range(30)},
        **{
            f"{number}_exp0{expert}__txt": text if number % 3 else marked
            for number in range(30)
            for expert in (1, 2)
        },
    )
    in_bulk = run("report", ".")
    one_by_one()

    assert run("report", ".") == in_bulk
    assert (in_bulk[0], "30" in in_bulk[1]) == (0, True)
