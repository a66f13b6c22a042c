from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.final_rule import Basis, FinalRule, Policy, final_rules, rule_of_code
from annotator.core.values import Subject
from annotator.models.rules import FINAL_RULES
from review.core.final_grade import POLICIES, FinalPoints, final_grade
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.errors import MissingCriteriaError
from tests.scoring.core.golden import cases, name_of

RULES = [FinalRule(policy, basis) for policy in Policy for basis in Basis]
NAMES = ("K1", "K2", "K3")
sheets = st.builds(
    lambda points: CriteriaSheet(dict(zip(NAMES, points, strict=True))),
    st.tuples(*[st.integers(0, 5)] * 3),
)
several = st.lists(sheets, min_size=2, max_size=3)
rules = st.sampled_from(RULES)


@pytest.mark.parametrize("case", cases("final_grade"), ids=name_of)
def test_worked_cases(case):
    rule = rule_of_code(case["rule"]) if case["rule"] else None
    given = [CriteriaSheet(points) for points in case["sheets"]]

    found = final_grade(rule, *given, needs_third=case["needs_third"])

    total, counted = case["total"], case["counted"]
    assert found == (None if total is None else FinalPoints(total, case["points"], tuple(counted)))


@given(rules, several)
def test_the_grade_lies_between_the_lowest_and_the_highest(rule, given):
    found = final_grade(rule, *given)

    if rule.basis is Basis.TOTAL:
        totals = [sheet.total for sheet in given]
        assert min(totals) <= found.total <= max(totals)
    else:
        for name in NAMES:
            values = [sheet.points[name] for sheet in given]
            assert min(values) <= found.points[name] <= max(values)


@given(rules, sheets, sheets)
def test_the_order_of_the_first_two_does_not_matter(rule, one, other):
    assert final_grade(rule, one, other) == final_grade(rule, other, one)


@given(st.sampled_from(Basis), several.filter(lambda given: len(given) == 3), st.randoms())
def test_neither_a_median_nor_the_nearest_two_depend_on_who_checked_third(basis, given, random):
    shuffled = random.sample(given, 3)

    for policy in (Policy.MEDIAN, Policy.NEAREST_TWO):
        rule = FinalRule(policy, basis)
        found, again = final_grade(rule, *given), final_grade(rule, *shuffled)
        assert (found.total, found.points) == (again.total, again.points)


@given(rules, sheets, st.integers(2, 3))
def test_checks_that_agree_give_their_points(rule, sheet, count):
    found = final_grade(rule, *[sheet] * count)

    is_by_criteria = rule.basis is Basis.CRITERIA
    assert found.total == sheet.total
    assert found.points == (sheet.points if is_by_criteria else None)


@given(rules, several)
def test_the_sum_of_the_criteria_is_the_total(rule, given):
    found = final_grade(rule, *given)

    assert found.points is None or sum(found.points.values()) == found.total


@given(several)
def test_without_a_rule_there_is_no_grade(given):
    assert final_grade(None, *given) is None


@given(rules, sheets)
def test_a_check_that_is_not_graded_settles_nothing(rule, sheet):
    assert final_grade(rule, sheet, None) is None
    assert final_grade(rule, None, sheet) is None
    assert final_grade(rule, sheet, sheet, needs_third=True) is None


@given(rules)
def test_sheets_of_different_criteria_are_refused(rule):
    with pytest.raises(MissingCriteriaError):
        final_grade(rule, CriteriaSheet({"K1": 1}), CriteriaSheet({"K1": 1, "K2": 0}))


def test_every_policy_has_a_function_and_every_rule_its_words():
    assert set(POLICIES) == set(Policy)
    assert [code for code, _ in FINAL_RULES] == [rule.code for rule in RULES]
    assert [rule_of_code(rule.code) for rule in RULES] == RULES


def test_a_table_of_rules_is_read_by_subject():
    assert final_rules({"eng": "median/total"}) == {
        Subject.ENGLISH: FinalRule(Policy.MEDIAN, Basis.TOTAL)
    }
    assert final_rules(None) == {}


@pytest.mark.parametrize("kept", [["eng"], {"eng": "best/total"}, {"maths": "median/total"}, "a"])
def test_what_is_no_table_of_rules_is_refused(kept):
    with pytest.raises(ValueError, match=r"\beng\b|best|maths|\ba\b"):
        final_rules(kept)
