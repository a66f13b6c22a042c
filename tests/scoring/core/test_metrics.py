from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Markup
from compare.core.matcher import match
from scoring.core.counts import Counts, count
from scoring.core.errors import WeightsError
from scoring.core.metrics import Metrics, Weights, m1, m2, measure, pairwise_accuracy
from tests.strategies import markups, texts

PERFECT = Counts(
    n=3, m=3, found=3, equal_codes=3, equal_subcodes=3, localization=3.0, equal_corrections=3
)


@st.composite
def two_markups(draw: st.DrawFn) -> tuple[Markup, Markup]:
    text = draw(texts())
    return draw(markups(text)), draw(markups(text))


def test_each_metric_is_m2_times_its_share_of_the_assessed_fragments():
    counts = Counts(
        n=4, m=6, found=3, equal_codes=2, equal_subcodes=1, localization=2.5, equal_corrections=3
    )

    assert measure(counts, m1=90.0) == Metrics(90.0, 60.0, 30.0, 15.0, 37.5, 45.0, None)


@pytest.mark.parametrize(
    ("counts", "percent"),
    [
        (Counts(n=0, m=0), 100.0),
        (Counts(n=0, m=2), 0.0),
        (Counts(n=2, m=0), 0.0),
        (Counts(n=2, m=2), 0.0),
        (PERFECT, 100.0),
    ],
)
def test_two_empty_markups_agree_and_one_empty_markup_agrees_with_nothing(counts, percent):
    assert measure(counts) == Metrics(None, *[percent] * 5, None)


@pytest.mark.parametrize(
    ("points_x", "points_y", "percent"), [(14, 14, 100.0), (0, 14, 0.0), (10, 3, 50.0), (3, 10, 50)]
)
def test_m1_compares_the_totals(points_x, points_y, percent):
    assert m1(points_x, points_y, 14) == percent


def test_accuracy_weighs_m2_to_m6_alike_by_default():
    metrics = Metrics(None, 100.0, 80.0, 60.0, 40.0, 20.0, None)

    assert pairwise_accuracy(metrics, Weights()) == 60.0
    assert pairwise_accuracy(metrics, Weights(0, 2, 1, 1, 1, 0, 0)) == 76.0


def test_accuracy_takes_m1_and_m7_when_they_are_known():
    metrics = Metrics(10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 90.0)

    assert pairwise_accuracy(metrics, Weights(1, 0, 0, 0, 0, 0, 3)) == 70.0


def test_accuracy_is_undefined_while_a_weighed_m1_is():
    assert pairwise_accuracy(measure(PERFECT), Weights(w1=1)) is None


def test_accuracy_refuses_a_weight_for_an_m7_nobody_entered():
    with pytest.raises(WeightsError) as refused:
        pairwise_accuracy(measure(PERFECT), Weights(w7=1))

    assert (refused.value.code, refused.value.fields) == ("weight-without-metric", {"name": "w7"})


@pytest.mark.parametrize("weight", [-1, -0.001, 1e308, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["w1", "w2", "w7"])
def test_weights_that_cannot_be_averaged_with_are_refused(name, weight):
    with pytest.raises(WeightsError) as refused:
        Weights(**{name: weight})

    assert (refused.value.code, refused.value.fields["name"]) == ("bad-weight", name)


def test_weights_of_nothing_are_refused():
    with pytest.raises(WeightsError) as refused:
        Weights(0, 0, 0, 0, 0, 0, 0)

    assert refused.value.code == "weights-all-zero"


@given(two_markups())
def test_m2_is_symmetric(pair):
    left, right = pair

    assert m2(count(match(left, right))) == m2(count(match(right, left)))


@given(two_markups())
def test_every_metric_and_their_mean_lie_between_0_and_100(pair):
    metrics = measure(count(match(*pair)))

    assert all(0 <= value <= 100 for value in metrics.values[1:6])
    assert 0 <= pairwise_accuracy(metrics, Weights()) <= 100


@given(markups())
def test_a_markup_agrees_with_itself_in_all_but_the_corrections_it_lacks(markup):
    counts = count(match(markup, markup))

    assert measure(counts).values[1:5] == (100.0,) * 4
    assert counts.equal_corrections == sum(
        bool(fragment.correction) for fragment in markup.fragments
    )


@given(st.data())
def test_the_order_of_fragments_does_not_matter(data):
    left, right = data.draw(two_markups())
    shuffled = [
        Markup(markup.text, tuple(data.draw(st.permutations(markup.fragments))))
        for markup in (left, right)
    ]

    assert measure(count(match(*shuffled))) == measure(count(match(left, right)))


@given(st.lists(st.floats(0, 100), min_size=5, max_size=5))
def test_equal_weights_do_not_care_which_metric_is_which(values):
    means = {
        pairwise_accuracy(Metrics(None, *order, None), Weights())
        for order in list(permutations(values))[::17]
    }

    assert len(means) == 1
