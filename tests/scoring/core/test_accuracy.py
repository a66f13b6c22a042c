from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compare.core.matcher import match
from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.core.counts import count
from scoring.core.metrics import Weights, measure, pairwise_accuracy
from tests.scoring.core.golden import cases, markup_of, name_of

CASES = cases("metrics_star")
WEIGHTS = {"equal_weights": Weights(), "psr_weights": Weights(0, 2, 1, 1, 1, 0, 0)}
PERCENT = st.floats(0, 100)

TWO_EXPERTS = EssayAccuracy(algorithm=(40.0, 60.0), experts=(50.0, 70.0))
ONE_EXPERT = EssayAccuracy(algorithm=(80.0,), experts=())
NO_EXPERT = EssayAccuracy(algorithm=(), experts=())
AT_ODDS = EssayAccuracy(algorithm=(10.0, 30.0), experts=(0.0, 0.0))


def accuracy_of(essay: dict[str, Any], weights: Weights) -> EssayAccuracy:
    algorithm = markup_of(essay["algorithm"], essay["text"])
    experts = [markup_of(each, essay["text"]) for each in essay["experts"]]

    def accuracy(left, right):
        return pairwise_accuracy(measure(count(match(left, right))), weights)

    return EssayAccuracy(
        tuple(accuracy(algorithm, expert) for expert in experts),
        tuple(
            accuracy(one, other)
            for at, one in enumerate(experts)
            for to, other in enumerate(experts)
            if at != to
        ),
    )


def value(number: dict[str, Any] | None) -> Any:
    return None if number is None else pytest.approx(number["value"], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_accuracies_of_a_worked_set_of_essays(case, weights):
    essays = [accuracy_of(essay, WEIGHTS[weights]) for essay in case["essays"]]
    expected = case["expected"][weights]

    assert [(each.algorithm, each.experts, each.mopt, each.mavg) for each in essays] == [
        (
            tuple(map(value, each["M_AE"])),
            tuple(map(value, each["M_EE_ordered_pairs"])),
            value(each["Mopt"]),
            value(each["Mavg"]),
        )
        for each in expected["per_essay"]
    ]
    assert [star(essays, hardness) for hardness in (0, 0.5, 1)] == [
        value(expected["STAR"][hardness]) for hardness in ("0", "1/2", "1")
    ]
    assert ster(essays) == value(expected["STER"])
    assert otar(essays) == value(expected["OTAR_ratio_of_means"])


def test_worked_sets_hold_undefined_accuracies_too():
    essays = [each for case in CASES for each in case["expected"]["equal_weights"]["per_essay"]]
    undefined = [sum(each[name] is None for each in essays) for name in ("Mopt", "Mavg")]

    assert (len(CASES), len(essays), undefined) == (17, 40, [11, 9])


def test_mopt_is_the_best_of_the_algorithm_over_the_worst_of_the_experts():
    assert (TWO_EXPERTS.mopt, TWO_EXPERTS.mavg) == (120.0, pytest.approx(250 / 3))


@pytest.mark.parametrize("essay", [ONE_EXPERT, NO_EXPERT, AT_ODDS])
def test_relative_accuracy_is_undefined_without_agreement_of_experts_to_compare_with(essay):
    assert (essay.mopt, essay.mavg) == (None, None)


def test_hardness_moves_star_from_the_best_to_the_mean():
    assert [star([TWO_EXPERTS], hardness) for hardness in (0, 0.5, 1)] == [60.0, 55.0, 50.0]


def test_hardness_is_1_unless_the_contest_says_otherwise():
    assert star([TWO_EXPERTS]) == 50.0


def test_essays_weigh_alike_whatever_the_number_of_their_experts():
    assert star([TWO_EXPERTS, ONE_EXPERT]) == 65.0


def test_an_essay_without_experts_is_left_out_of_star():
    assert star([TWO_EXPERTS, NO_EXPERT]) == 50.0


def test_an_essay_of_a_single_expert_is_left_out_of_ster():
    assert ster([TWO_EXPERTS, ONE_EXPERT]) == 60.0


def test_otar_divides_the_mean_of_all_essays_by_the_mean_of_those_with_two_experts():
    assert otar([TWO_EXPERTS, ONE_EXPERT]) == pytest.approx(100 * 65 / 60)


@pytest.mark.parametrize(
    ("essays", "expected"),
    [
        ([], (None, None, None)),
        ([NO_EXPERT], (None, None, None)),
        ([ONE_EXPERT], (80.0, None, None)),
        ([AT_ODDS], (20.0, 0.0, None)),
    ],
)
def test_what_cannot_be_divided_is_undefined(essays, expected):
    assert (star(essays), ster(essays), otar(essays)) == expected


def test_a_share_no_number_can_hold_is_undefined():
    hardly = EssayAccuracy((70.0,), (5e-324,))

    assert (hardly.mopt, hardly.mavg, otar([hardly])) == (None, None, None)


@given(st.lists(PERCENT, min_size=1, max_size=3), st.floats(0, 1))
def test_star_lies_between_the_mean_and_the_best(values, hardness):
    essay = EssayAccuracy(tuple(values), ())

    assert star([essay], 1) - 1e-9 <= star([essay], hardness) <= max(values) + 1e-9
