from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Subject
from scoring.core.criteria.sheet import MAXIMA, CriteriaSheet
from scoring.core.errors import MissingCriteriaError
from scoring.core.third_expert import Cause, Decision, Reason, third_check
from tests.scoring.core.essays import best, sheets
from tests.scoring.core.golden import cases, name_of

CASES = cases("third_check")
ALL = tuple(MAXIMA[Subject.ENGLISH])
ENGLISH = [Subject.ENGLISH, Subject.ENGLISH_FREE]

BELOW_AND_AT = [
    (Subject.RUSSIAN, {"K2": 0, "K5": 0}, {"K2": 0, "K5": 0, "K9": 1}, Cause.TOTAL_GAP),
    (Subject.RUSSIAN, {"K7": 2}, {"K7": 1}, Cause.CRITERION_GAP),
    (Subject.RUSSIAN, {"K8": 2}, {"K8": 1}, Cause.CRITERION_GAP),
    (Subject.RUSSIAN_FREE, {"K1": 0, "K2": 1}, {"K1": 0, "K2": 0}, Cause.TOTAL_GAP),
    (Subject.LITERATURE, {"K1": 2}, {"K1": 1}, Cause.CRITERION_GAP),
    (Subject.LITERATURE, {"K2": 2}, {"K2": 1}, Cause.CRITERION_GAP),
    (Subject.LITERATURE, {"K3": 1}, {"K3": 0}, Cause.CRITERION_GAP),
    (Subject.LITERATURE, {"K4": 2}, {"K4": 1}, Cause.CRITERION_GAP),
    (Subject.LITERATURE, {"K5": 2}, {"K5": 1}, Cause.CRITERION_GAP),
    (Subject.SOCIAL_SCIENCE, {"K2": 1, "K3": 0}, {"K2": 1, "K3": 0, "K4": 1}, Cause.TOTAL_GAP),
    (Subject.SOCIAL_SCIENCE, {"K2": 1}, {"K2": 0}, Cause.CRITERION_GAP),
    (Subject.SOCIAL_SCIENCE, {"K4": 1}, {"K4": 0}, Cause.CRITERION_GAP),
    (Subject.SOCIAL_SCIENCE, {}, {"K1": 0}, Cause.ONE_ZERO),
    (Subject.HISTORY, {"K1": 1}, {"K1": 0}, Cause.CRITERION_GAP),
    (Subject.HISTORY, {"K2": 1}, {"K2": 0}, Cause.CRITERION_GAP),
    (Subject.HISTORY, {"K3": 1}, {"K3": 0}, Cause.CRITERION_GAP),
    (Subject.HISTORY, {"K6": 2}, {"K6": 1}, Cause.CRITERION_GAP),
    (
        Subject.HISTORY,
        {"K1": 1, "K4": 0, "K5": 0},
        {"K1": 1, "K4": 0, "K5": 0, "K7": 0},
        Cause.CRITERIA_APART,
    ),
    *[(subject, {"K2": 0}, {"K2": 0, "K5": 1}, Cause.TOTAL_GAP) for subject in ENGLISH],
]
"""Points of the second sheet, the first being the best one, on either side of a threshold."""


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_decision_of_a_worked_case(case):
    first, second = CriteriaSheet(case["first"]), CriteriaSheet(case["second"])

    assert third_check(Subject(case["subject"]), first, second).needed is case["rule_decision"]


def test_worked_cases_hold_both_answers():
    needed = Counter(case["subject"] for case in CASES if case["rule_decision"])
    not_needed = Counter(case["subject"] for case in CASES if not case["rule_decision"])

    assert needed == {"rus": 3, "lit": 7, "social": 6, "hist": 10, "eng": 2, "eng-free": 4}
    assert not_needed == {
        "rus": 6,
        "rus-free": 11,
        "lit": 3,
        "social": 6,
        "hist": 3,
        "eng": 7,
        "eng-free": 10,
    }


@pytest.mark.parametrize(("subject", "below", "at", "cause"), BELOW_AND_AT)
def test_the_third_expert_is_called_at_the_threshold_and_not_below(subject, below, at, cause):
    decisions = [third_check(subject, best(subject), best(subject, **each)) for each in (below, at)]

    assert [[reason.cause for reason in each.reasons] for each in decisions] == [[], [cause]]


@pytest.mark.parametrize(
    ("subject", "below", "at", "threshold"),
    [
        (Subject.LITERATURE, {"K2": 0, "K5": 0}, {"K2": 0, "K5": 0, "K3": 1}, 7),
        (Subject.HISTORY, {"K1": 0, "K2": 0}, {"K1": 0, "K2": 0, "K5": 0}, 5),
    ],
)
def test_a_total_that_cannot_differ_alone_has_its_threshold_too(subject, below, at, threshold):
    totals = [
        [
            reason
            for reason in third_check(subject, best(subject), best(subject, **points)).reasons
            if reason.cause is Cause.TOTAL_GAP
        ]
        for points in (below, at)
    ]

    assert totals == [
        [],
        [Reason(Cause.TOTAL_GAP, tuple(MAXIMA[subject]), threshold, threshold)],
    ]


@pytest.mark.parametrize("subject", [Subject.LITERATURE, Subject.SOCIAL_SCIENCE])
def test_a_first_criterion_that_both_experts_set_to_zero_calls_nobody(subject):
    sheet = best(subject, K1=0)

    assert not third_check(subject, sheet, sheet).needed


def test_one_literature_expert_alone_may_not_set_the_first_criterion_to_zero():
    subject = Subject.LITERATURE

    decision = third_check(subject, best(subject, K1=1), best(subject, K1=0))

    assert decision == Decision(
        reasons=(Reason(Cause.ONE_ZERO, ("K1",), 1, 1),),
        criteria=tuple(MAXIMA[subject]),
        totals=(12, 11),
        threshold=7,
    )


def test_every_condition_that_is_met_is_a_reason():
    subject = Subject.HISTORY

    decision = third_check(subject, best(subject), best(subject, K2=0, K4=0, K6=0, K7=0))

    assert decision == Decision(
        reasons=(
            Reason(Cause.TOTAL_GAP, ("K1", "K2", "K3", "K4", "K5", "K6", "K7"), 7, 5),
            Reason(Cause.CRITERION_GAP, ("K2",), 2, 2),
            Reason(Cause.CRITERION_GAP, ("K6",), 3, 2),
            Reason(Cause.CRITERIA_APART, ("K2", "K4", "K6", "K7"), 4, 4),
        ),
        criteria=("K1", "K2", "K3", "K4", "K5", "K6", "K7"),
        totals=(12, 5),
        threshold=5,
    )


def test_a_reason_can_be_stored_under_stable_codes():
    second = best(Subject.HISTORY, K2=0, K4=0, K6=0, K7=0)

    reasons = third_check(Subject.HISTORY, best(Subject.HISTORY), second).reasons
    alone = third_check(
        Subject.SOCIAL_SCIENCE, *[best(Subject.SOCIAL_SCIENCE, K1=k) for k in (0, 1)]
    )

    assert json.loads(json.dumps([asdict(reason) for reason in alone.reasons])) == [
        {"cause": "one-zero", "criteria": ["K1"], "difference": 1, "threshold": 1}
    ]
    assert [str(reason.cause) for reason in reasons] == [
        *["total-gap", "criterion-gap", "criterion-gap", "criteria-apart"]
    ]


@pytest.mark.parametrize("subject", ENGLISH)
@pytest.mark.parametrize(("k4", "needed"), [(1, False), (0, True)])
def test_the_nomination_differs_by_three_or_by_four(subject, k4, needed):
    second = best(subject, K3=2, K4=k4)

    decision = third_check(subject, best(subject), second, third_total="nomination")

    assert (decision.needed, decision.difference) == (needed, 4 if needed else 3)
    assert (decision.criteria, decision.threshold) == (("K3", "K4"), 4)


def test_the_nomination_does_not_look_at_the_other_criteria():
    first, second = best(Subject.ENGLISH), best(Subject.ENGLISH, K1=0, K2=0, K5=0)

    totals = {
        name: third_check(Subject.ENGLISH, first, second, third_total=name).totals
        for name in ("nomination", "all", "auto")
    }

    assert totals == {"nomination": (6, 6), "all": (14, 6), "auto": (14, 6)}


def test_auto_takes_the_nomination_when_a_sheet_has_no_more():
    whole, part = best(Subject.ENGLISH), CriteriaSheet({"K3": 1, "K4": 1})

    decision = third_check(Subject.ENGLISH, whole, part)

    assert decision == Decision(
        reasons=(Reason(Cause.TOTAL_GAP, ("K3", "K4"), 4, 4),),
        criteria=("K3", "K4"),
        totals=(6, 2),
        threshold=4,
    )


@pytest.mark.parametrize(
    ("subject", "points", "third_total", "missing"),
    [
        (Subject.ENGLISH, {"K3": 1, "K4": 1}, "all", ["K1", "K2", "K5"]),
        (Subject.ENGLISH, {"K1": 1, "K3": 1}, "auto", ["K4"]),
        (Subject.ENGLISH, {}, "nomination", ["K3", "K4"]),
        (Subject.SOCIAL_SCIENCE, {"K1": 1, "K2": 2, "K4": 2}, "auto", ["K3"]),
    ],
)
def test_a_sheet_without_the_points_that_decide_is_refused(subject, points, third_total, missing):
    with pytest.raises(MissingCriteriaError) as refused:
        third_check(subject, best(subject), CriteriaSheet(points), third_total=third_total)

    assert (refused.value.code, refused.value.fields) == (
        "criteria-missing",
        {"criteria": missing},
    )


@given(st.data(), st.sampled_from(Subject))
def test_it_does_not_matter_which_expert_came_first(data, subject):
    first, second = data.draw(sheets(subject)), data.draw(sheets(subject))
    forth, back = third_check(subject, first, second), third_check(subject, second, first)

    assert (forth.reasons, forth.totals) == (back.reasons, back.totals[::-1])


@given(st.data(), st.sampled_from(Subject))
def test_equal_sheets_call_nobody(data, subject):
    sheet = data.draw(sheets(subject))

    assert third_check(subject, sheet, sheet).reasons == ()
