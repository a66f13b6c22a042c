"""Free essay in Russian: K1 to K7, 24 points (markup.md 2)."""

from __future__ import annotations

from typing import Final

from annotator.core.values import Subject
from scoring.core.criteria.grader import Criterion, Grader
from scoring.core.criteria.sheet import MAXIMA

MOST: Final = MAXIMA[Subject.RUSSIAN_FREE]


def one_each(name: str, prefix: str) -> Criterion:
    """A criterion that loses a point for each mistake of a family of codes."""
    return Criterion(lambda essay: max(0, MOST[name] - essay.family(prefix)))


def unmarked(name: str) -> Criterion:
    """Spelling or punctuation: the contest marks none of it, so nothing is lost."""
    return Criterion(lambda _: MOST[name])


RUSSIAN_FREE: Final = Grader(
    MOST,
    {
        "K1": one_each("K1", "Г."),
        "K2": one_each("K2", "Р."),
        "K3": one_each("K3", "Л."),
        "K4": one_each("K4", "Ф."),
        "K5": one_each("K5", "Э."),
        "K6": unmarked("K6"),
        "K7": unmarked("K7"),
    },
)
