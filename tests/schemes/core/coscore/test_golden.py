"""coscore.jsonl and coscore_bad_rules.json: scores to the last bit, refusals where they belong."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.scorer import Scorer
from tests.scoring.core.golden import FOLDER, cases, name_of

CASES = cases("coscore")
BAD_RULES = json.loads(Path(FOLDER, "coscore_bad_rules.json").read_text("utf-8"))


def answered(case):
    """What the product says, in the words of the case."""
    reading = read_rule(json.dumps(case["rule"], ensure_ascii=False))
    if reading.rule is None:
        return "rule", None, None
    outcome = Scorer(reading.rule).score(case["blanks"])
    return ("row" if outcome.errors else None), outcome.score, dict(outcome.points)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_worked_answer(case):
    error, score, points = answered(case)

    assert error == case["expect_error"]
    if not error and isinstance(case["expect"], dict):
        assert {"combos": points} == case["expect"]
    elif not error:
        assert score == case["expect"]


def test_nearly_all_worked_answers_are_firm_and_none_is_left_out():
    counted = Counter((case["firm"], case["expect_error"]) for case in CASES)

    assert counted == {
        (True, None): 18,
        (True, "rule"): 30,
        (True, "row"): 1,
        (False, None): 11,
        (False, "rule"): 6,
        (False, "row"): 4,
    }


@pytest.mark.parametrize("case", BAD_RULES, ids=name_of)
def test_a_worked_rule_that_is_refused_or_just_not(case):
    reading = read_rule(case["text"])

    assert (reading.rule is not None) == (case["expect"] == "accepted")
    assert reading.rule is not None or any(problem.blocks for problem in reading.problems)


def test_all_worked_rules_are_there():
    assert Counter(case["expect"] for case in BAD_RULES) == {"refused": 5, "accepted": 1}
