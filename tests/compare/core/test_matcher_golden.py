"""Worked cases (tests/golden/README.md): two markups, their exact Q and number of pairs."""

import json
from pathlib import Path

import pytest

from annotator.core.classifier import every_classifier
from annotator.core.codec import markup_from_json
from compare.core.matcher import match

GOLDEN = Path(__file__).parents[2] / "golden" / "metrics_pairs.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]


def read(case, side):
    markup, problems = markup_from_json(
        case[side], text=case["text"], classifier=every_classifier()
    )
    assert not any(problem.blocks for problem in problems)
    return markup


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_match_finds_the_q_and_the_number_of_pairs_of_the_worked_case(case):
    comparison = match(read(case, "X"), read(case, "Y"))

    matched = case["expected"]["matched"]
    assert comparison.loss == pytest.approx(case["expected"]["Q"]["value"], abs=1e-9)
    assert matched["range"][0] <= len(comparison.pairs) <= matched["range"][1]


def test_match_finds_the_most_pairs_where_q_leaves_their_number_open():
    open_cases = [case for case in CASES if not case["expected"]["matched"]["unique"]]

    found = [len(match(read(case, "X"), read(case, "Y")).pairs) for case in open_cases]

    assert found == [case["expected"]["matched"]["range"][1] for case in open_cases]
    assert len(found) == 6
