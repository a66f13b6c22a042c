"""Essays for examples: markups of a few codes, comparisons without a matcher, sheets."""

from __future__ import annotations

from hypothesis import strategies as st

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject, fold
from compare.core.comparison import Comparison, Loss, Pair
from scoring.core.criteria.sheet import MAXIMA, CriteriaSheet

LONG_TEXT = " ".join(["слово"] * 250)
"""Long enough for every subject."""


def essay(subject: Subject, *marks: str, words: int = 250) -> Markup:
    """A markup with one fragment after the other: ``"3 Г.упр"``, ``"2 РОЛЬ#а"``, ``"СЯП"``."""
    fragments: list[Fragment] = []
    for mark in marks:
        number, code = mark.split() if " " in mark else ("1", mark)
        code, _, tag = code.partition("#")
        kind = classifier_of(subject).kind(code)
        for _ in range(int(number)):
            start = len(fragments)
            fragments.append(Fragment(Span(start, start + 1), code, tag=tag, kind=kind))
    return Markup(" ".join(["слово"] * words), tuple(fragments))


def without(markup: Markup, code: str) -> Markup:
    """The markup less the fragments of a code."""
    kept = (each for each in markup.fragments if fold(each.code) != fold(code))
    return Markup(markup.text, tuple(kept))


def paired(*pairs: tuple[Fragment, Fragment], text: str = LONG_TEXT) -> Comparison:
    """A comparison of two markups whose fragments all have a partner."""
    left, right = zip(*pairs, strict=True)
    return Comparison(
        Markup(text, left),
        Markup(text, right),
        tuple(
            Pair(at, at, Loss(0.5, False, False, fold(one.code) != fold(other.code)))
            for at, (one, other) in enumerate(pairs)
        ),
        (),
        (),
    )


def sheets(subject: Subject) -> st.SearchStrategy[CriteriaSheet]:
    """Any sheet of a subject, from no points to the highest."""
    points = {name: st.integers(0, highest) for name, highest in MAXIMA[subject].items()}
    return st.fixed_dictionaries(points).map(CriteriaSheet)


def best(subject: Subject, **points: int) -> CriteriaSheet:
    """The best sheet of a subject but for these points."""
    return CriteriaSheet({**MAXIMA[subject], **points})
