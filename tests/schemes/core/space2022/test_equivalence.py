"""The scorer against the definition written out in definition.py, and laws of the figures."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from schemes.core.space2022.marks import Basis, winner_of
from tests.examples import examples
from tests.schemes.core.space2022 import definition
from tests.schemes.core.space2022.questions import (
    REASONS,
    TIDY_REASONS,
    outcome,
    question,
    reasons,
    record,
    scored,
)


def exact(tally):
    return definition.f1(*tally)


@given(REASONS, REASONS)
@settings(max_examples=examples(300))
def test_the_figures_are_those_of_the_definition(reference, predicted):
    found = outcome(reference or [{"type": "A", "fragments": []}], predicted)
    reference = reference or [{"type": "A", "fragments": []}]

    assert exact(found.element.tally) == definition.best(definition.element, reference, predicted)
    assert exact(found.text.tally) == definition.best(definition.text, reference, predicted)
    assert found.type_is_right == definition.type_at_text(reference, predicted)


@given(REASONS, REASONS)
@settings(max_examples=examples(300))
def test_the_figures_of_the_script_are_those_of_its_double_loop(reference, predicted):
    reference = reference or [{"type": "A", "fragments": []}]

    found = outcome(reference, predicted).strict

    assert found[:3] == definition.script_strict(reference, predicted)
    assert found.type_is_right == definition.script_strict_type(reference, predicted)


@given(TIDY_REASONS, TIDY_REASONS)
def test_the_loose_script_has_the_text_figure(reference, predicted):
    found = outcome(reference, predicted)

    assert found.loose.f1 == pytest.approx(found.text.tally.f1, abs=1e-15)


@given(TIDY_REASONS)
def test_the_reference_itself_reaches_one(reference):
    found = scored([question(*reference, context=None)], [record(*reference)])

    assert (found.element_f1, found.text_f1, found.outcomes[0].is_perfect) == (1.0, 1.0, True)


@given(reasons(), reasons())
def test_one_reason_against_another_is_symmetric_in_element_and_text(one, other):
    here, there = outcome([one], [other]), outcome([other], [one])

    assert here.element.tally.f1 == there.element.tally.f1
    assert here.text.tally.f1 == there.text.tally.f1
    assert here.type_is_right == there.type_is_right


@given(REASONS, REASONS)
def test_every_figure_lies_between_0_and_1_and_no_element_without_its_text(reference, predicted):
    found = outcome(reference or [{"type": "A", "fragments": []}], predicted)

    assert 0 <= found.element.tally.f1 <= 1
    assert 0 <= found.text.tally.f1 <= 1
    assert found.text.tally.hit or not found.element.tally.hit


@given(TIDY_REASONS, TIDY_REASONS)
def test_the_order_of_reference_reasons_changes_no_f1(reference, predicted):
    here, there = outcome(reference, predicted), outcome(reference[::-1], predicted)

    assert here.element.tally.f1 == there.element.tally.f1
    assert here.text.tally.f1 == there.text.tally.f1


@given(REASONS, REASONS)
def test_the_marks_of_the_winner_add_up_to_its_figure(reference, predicted):
    found = outcome(reference or [{"type": "A", "fragments": []}], predicted)
    winner = winner_of(found)

    if winner is None:
        assert not found.text.tally.hit
        return
    hit, missed, extra = (
        sum(len(getattr(each, name)) for each in winner.roles)
        for name in ("hit", "missed", "extra")
    )
    tally = found.element.tally if winner.basis is Basis.ELEMENT else found.text.tally
    assert tally == (hit, hit + extra, hit + missed)
    assert Fraction(2 * hit, 2 * hit + missed + extra) == exact(tally)
