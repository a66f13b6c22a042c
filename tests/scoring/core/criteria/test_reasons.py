from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given

from annotator.core.values import Subject
from scoring.core import criteria
from scoring.core.criteria import GRADERS, explain
from scoring.core.criteria.reasons import GATES, MEASURES, describe, missing_blocks
from tests.scoring.core.criteria.test_grader import BEST, marked_essays
from tests.scoring.core.essays import essay


def told(subject, name, *marks, words=250):
    why = explain(subject, essay(subject, *marks, words=words))[name]
    return describe(subject, why, str)


def measures_of(path):
    """The names given to ``Evidence.measure`` in a module; ``None`` for one that is no constant."""
    return {
        getattr(node.args[0], "value", None)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "measure"
    }


def test_every_gate_of_every_subject_has_its_words_and_no_other_has():
    graders = GRADERS.values()
    gates = [gate for each in graders for row in each.criteria.values() for gate in row.gates]

    assert {gate.code for gate in gates} == GATES.keys()


def test_every_measure_of_every_subject_has_its_words_and_no_other_has():
    modules = Path(criteria.__file__).parent.glob("*.py")

    assert set().union(*map(measures_of, modules)) == MEASURES.keys()


@given(marked_essays())
def test_every_reason_can_be_said(marked):
    subject, markup = marked
    for why in explain(subject, markup).values():
        sentence = describe(subject, why, str)

        assert all(code in sentence for code, n in why.counts.items() if n)
        assert sentence or why.points == why.maximum
        assert not {"{", "}"} & set(sentence)


@pytest.mark.parametrize(
    ("name", "marks", "sentence"),
    [
        ("K1", ["П.проблема"], "missing: ПРОБЛЕМА"),
        ("K1", ["ПРОБЛЕМА"], "ПРОБЛЕМА: 1"),
        ("K3", [], "K1 is 0; missing: ПРОБЛЕМА"),
        ("K5", [], ""),
        ("K9", ["Г.упр", "2 Г.согл"], "words: 250, at least 150 are needed; Г.*: 3"),
    ],
)
def test_codes_are_counted_and_blocks_missed(name, marks, sentence):
    assert told(Subject.RUSSIAN, name, *marks) == sentence


def test_a_short_essay_is_told_how_long_it_must_be():
    sentence = "the essay is too short; words: 149, at least 150 are needed"

    assert told(Subject.LITERATURE, "K1", "С.тема", words=149) == sentence


def test_blocks_that_are_not_there_are_no_reason_of_full_points():
    best = BEST[Subject.SOCIAL_SCIENCE]

    assert told(Subject.SOCIAL_SCIENCE, "K4", *best) == "ПРИМЕР.ОБЩ: 2, ПРИМЕР.ИСТ: 2"
    assert told(Subject.SOCIAL_SCIENCE, "K4", *best[:-1]).endswith(
        "missing: ПРИМЕР.ЛИЧ, ПРИМЕР.ИСТ"
    )


def test_the_words_are_translated_and_the_codes_are_not():
    why = explain(Subject.LITERATURE, essay(Subject.LITERATURE))["K3"]

    assert describe(Subject.LITERATURE, why, "<{}>".format) == "<missing: ПОНЯТИЕ>"


def test_blocks_whose_absence_costs_points_are_named_once_by_their_criteria():
    without = essay(Subject.RUSSIAN, "ПРОБЛЕМА", "ПРИМЕР", words=250)
    best = essay(Subject.RUSSIAN, *BEST[Subject.RUSSIAN], words=250)

    missing = missing_blocks(Subject.RUSSIAN, explain(Subject.RUSSIAN, without))

    assert missing == ["ПОЯСНЕНИЕ", "СВЯЗЬ", "ПОЗИЦИЯ", "ОТНОШЕНИЕ"]
    assert missing_blocks(Subject.RUSSIAN, explain(Subject.RUSSIAN, best)) == []
