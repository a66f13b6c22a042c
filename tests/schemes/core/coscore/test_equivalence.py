"""The compiled scorer gives what the definition gives, and the laws of the language hold."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.coscore.reading import read_rule, rule_from_json
from schemes.core.coscore.scorer import Scorer
from schemes.core.coscore.subsequences import Subsequences
from tests.examples import examples
from tests.schemes.core.coscore.definition import Definition, lcs
from tests.schemes.core.coscore.drawing import BLANKS, SHORT, rules
from tests.schemes.core.coscore.rules import scorer


def prepared(rule):
    reading = read_rule(json.dumps(rule))
    assert reading.rule, reading.problems
    return Scorer(reading.rule)


@settings(max_examples=examples(1000))
@given(rules(), BLANKS)
def test_a_scorer_gives_what_the_definition_gives(rule, blanks):
    outcome = prepared(rule).score(blanks)

    assert (outcome.score, outcome.points) == Definition(rule, blanks).score()


@given(rules(), BLANKS)
def test_an_explanation_has_the_same_outcome_and_ends_with_the_value_of_each_combo(rule, blanks):
    ready = prepared(rule)

    explanation = ready.explain(blanks)

    assert explanation.outcome == ready.score(blanks)
    for asked in explanation.asked:
        hits = [sight for sight in asked.sights if sight.hit]
        ratios = [sight.ratio for sight in hits if sight.ratio is not None]
        expected = max(ratios, default=0) if asked.atom in "23" else asked.value
        assert asked.logic == bool(hits)
        assert asked.value == expected


@given(rules(), BLANKS, st.randoms(use_true_random=False))
def test_the_order_of_atoms_changes_nothing(rule, blanks, random):
    keys = list(rule["atoms"])
    random.shuffle(keys)
    shuffled = {**rule, "atoms": {key: rule["atoms"][key] for key in keys}}

    assert prepared(shuffled).score(blanks) == prepared(rule).score(blanks)


@given(rules(), BLANKS)
def test_a_score_lies_between_0_and_10_and_never_below_the_maximum_of_one_combo(rule, blanks):
    outcome = prepared({**rule, "comboMode": "MAX"}).score(blanks)

    if outcome.errors:
        assert outcome.score is None
    else:
        best = max(outcome.points.values())
        assert outcome.score == min(10, max(0, best))


@given(rules(), BLANKS)
def test_add_and_max_agree_on_a_lone_combo(rule, blanks):
    lone = {**rule, "combos": {"A": rule["combos"]["A"]}}

    scores = [prepared({**lone, "comboMode": mode}).score(blanks).score for mode in ("ADD", "MAX")]

    assert scores[0] == scores[1]


@given(rules(), st.lists(st.text(), max_size=4))
def test_no_answer_raises(rule, blanks):
    ready = prepared(rule)

    outcome = ready.score(blanks)

    assert (outcome.score is None) == bool(outcome.errors)
    assert ready.explain(blanks).outcome == outcome


@given(
    st.none()
    | st.integers()
    | st.text()
    | st.lists(st.integers(), min_size=1)
    | st.just(["a", None])
)
def test_what_is_no_answer_is_an_error_of_the_row(blanks):
    outcome = scorer({}, {"A": "1"}).score(blanks)

    assert [error.code for error in outcome.errors] == ["answer-not-texts"]


@given(st.lists(SHORT, min_size=1, max_size=6), SHORT)
def test_common_subsequences_of_many_strings_are_those_of_each(strings, text):
    assert Subsequences(strings).lengths(text) == [lcs(string, text) for string in strings]


@given(rules())
def test_a_rule_that_was_read_can_run(rule):
    reading = rule_from_json(rule)

    assert reading.rule is not None
    Scorer(reading.rule)
