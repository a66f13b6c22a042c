"""criteria.jsonl: what of each case is decided, and that we grade just so.

* firm: the written rule and both modes of the original package agree.
* a bug of the original: it deviates for reasons that the decisions reject, the rule stands.
* newer code: in English K1 and K2 the code is newer than its comment, so the code stands.
* partly open: the rule leaves some criteria undetermined, the others stand.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotator.core.language import parse
from annotator.core.values import Subject
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import CriteriaSheet
from tests.scoring.core.golden import cases, markup_of, name_of

CASES = cases("criteria")
ENGLISH = [case for case in CASES if "nomination" in case]

BUGS = {"tag", "hist-case", "limit-plain", "gate-plain", "rus-web-k1", "eng-webgate"}
NEWER_CODE = {"eng-180", "eng-aspect", "eng-svyaz"}


def graded(case: dict[str, Any]) -> CriteriaSheet:
    subject = Subject(case["subject"])
    return grade(subject, markup_of(case["selections"], case["text"], subject))


def decided(case: dict[str, Any]) -> tuple[str, dict[str, int]]:
    """Why the points of a case are decided, and those that are."""
    reasons = {*case["reasons_plain"], *case["reasons_web"]}
    rule = {name: points for name, points in case["formula"].items() if points is not None}
    if case["formula"] == case["original_plain"] == case["original_web"]:
        return "firm", rule
    if reasons <= BUGS:
        return "a bug of the original", rule
    if reasons <= NEWER_CODE:
        return "newer code", case["original_plain"]
    return "partly open", rule


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_points_of_a_worked_case(case):
    _, points = decided(case)

    assert {name: graded(case).points[name] for name in points} == points


@pytest.mark.parametrize("case", ENGLISH, ids=name_of)
def test_the_nomination_of_an_english_case(case):
    sheet = graded(case)

    assert {"K3": sheet.points["K3"], "K4": sheet.points["K4"], "K": sheet.nomination} == case[
        "nomination"
    ]


def test_the_regulations_own_example_has_the_points_it_names():
    marked = next(case["marked"] for case in cases("markup_language") if case["id"] == "mk-087")
    sheet = grade(Subject.ENGLISH, parse(marked).file.markup)

    assert sheet == CriteriaSheet({"K1": 3, "K2": 3, "K3": 3, "K4": 1, "K5": 0})
    assert sheet.nomination == 4


def test_every_worked_case_is_compared():
    reasons = Counter(reason for reason, _ in map(decided, CASES))
    criteria = sum(len(points) for _, points in map(decided, CASES))

    assert reasons == {
        "firm": 57,
        "a bug of the original": 15,
        "newer code": 5,
        "partly open": 2,
    }
    assert (criteria, len(ENGLISH)) == (537, 30)
