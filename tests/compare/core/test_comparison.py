"""What a comparison costs."""

import pytest

from annotator.core.values import Fragment, Markup, Span
from compare.core.comparison import Comparison, Loss, Pair

LEFT = Markup("x" * 9, (Fragment(Span(0, 4), "а"), Fragment(Span(5, 6), "б")))
RIGHT = Markup("x" * 9, (Fragment(Span(0, 8), "б"),))


def test_loss_adds_up_its_parts():
    assert Loss(0.25, apart=False, begin=True, code=True).total == 2.25
    assert Loss(1.0, apart=True, begin=False, code=False).total == 2


def test_q_is_the_losses_of_the_pairs_and_one_for_each_fragment_alone():
    pair = Pair(0, 0, Loss(0.5, apart=False, begin=False, code=True))

    assert Comparison(LEFT, RIGHT, (pair,), (1,), ()).loss == pytest.approx(2.5)
    assert Comparison(LEFT, RIGHT, (), (0, 1), (0,)).loss == 3


def test_fragments_of_a_pair_come_left_first():
    pair = Pair(1, 0, Loss(1.0, apart=True, begin=True, code=False))
    comparison = Comparison(LEFT, RIGHT, (pair,), (0,), ())

    assert comparison.fragments(pair) == (LEFT.fragments[1], RIGHT.fragments[0])
