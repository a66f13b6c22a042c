"""A scorer refuses what was never checked, and explains every step."""

from __future__ import annotations

import pytest

from schemes.core.coscore.errors import RuleError
from schemes.core.coscore.matching import Sight
from schemes.core.coscore.outcomes import AskedAtom, Step
from schemes.core.coscore.scorer import Scorer
from schemes.core.coscore.values import Atom, AtomType, Combo, ComboMode, Mode, Rule
from tests.schemes.core.coscore.rules import scorer

ICE = {"0": "SM вода|!нет,~не|лёд", "1": "OP 0.5:абвг"}


@pytest.mark.parametrize(
    ("atoms", "expression", "code"),
    [
        ({}, "G(7,T(0))", "atom-not-defined"),
        ({}, "open('x')", "unknown-word"),
        ({"0": Atom(AtomType.OP, "лёд")}, "1", "threshold-missing"),
        ({str(number): Atom(AtomType.EM, "a") for number in range(201)}, "1", "too-many-atoms"),
    ],
)
def test_a_rule_that_nobody_has_read_is_checked_before_it_runs(atoms, expression, code):
    rule = Rule(atoms, {"A": Combo(expression, 1, Mode.VALUE)}, ComboMode.ADD)

    with pytest.raises(RuleError) as caught:
        Scorer(rule)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_every_part_that_was_computed_is_a_step_inner_ones_first():
    rule = scorer(ICE, {"A": ("G(0,T(0)) and L(1)>2", 5, "logic"), "B": "M(1,T(1)) if 0 else 2"})

    assert rule.explain(["нет, не лёд", "ааб"]).steps == {
        "A": (
            Step(4, 8, "T(0)", "нет, не лёд"),
            Step(0, 9, "G(0,T(0))", True),
            Step(14, 18, "L(1)", 3),
            Step(14, 20, "L(1)>2", True),
            Step(0, 20, "G(0,T(0)) and L(1)>2", True),
        ),
        "B": (Step(0, 21, "M(1,T(1)) if 0 else 2", 2),),
    }


def test_every_atom_tells_once_what_became_of_its_strings():
    rule = scorer(ICE, {"A": "M(0,T(0))+M(0,T(0))+M(1,T(1))"})

    assert rule.explain(["нет, не лёд", "ааб"]).asked == (
        AskedAtom(
            *("0", "нет, не лёд", True, 1),
            (
                Sight("вода|!нет", hit=False, skipped_by="нет"),
                Sight("~не|лёд", hit=True, option="лёд", removed=("не",)),
            ),
        ),
        AskedAtom("1", "ааб", True, 0.5, (Sight("абвг", hit=True, common=2, out_of=4),)),
    )


def test_an_answer_that_cannot_be_tried_has_an_explanation_without_steps():
    found = scorer(ICE, {"A": "M(0,T(0))"}).explain(["a"] * 201)

    assert [error.code for error in found.outcome.errors] == ["too-many-blanks"]
    assert (found.steps, found.asked) == ({"A": ()}, ())
