"""Literature essay: K1 to K5, 14 points (markup.md 2)."""

from __future__ import annotations

from typing import Final

from annotator.core.values import Subject
from scoring.core.criteria.grader import Criterion, Evidence, Grader, long_enough
from scoring.core.criteria.sheet import MAXIMA

LEAST_WORDS: Final = 150


def k1(essay: Evidence) -> int:
    """K1: the theme is treated, on all sides and in depth."""
    if essay.n("С.тема"):
        return 0
    if essay.n("С.поверхн"):
        return 1
    return 2 if essay.n("С.одностор") else 3


def k2(essay: Evidence) -> int:
    """K2: the text of the work is used. One С.факт, which the rule forgot, gives 2."""
    facts = essay.n("С.факт")
    if essay.n("АРГУМЕНТ") == 0 or essay.total("С.опора", "С.позиция") or facts >= 4:
        return 0
    if essay.total("С.упрощен", "С.пересказ") or facts >= 3:
        return 1
    return 2 if facts else 3


def k3(essay: Evidence) -> int:
    """K3: literary terms are used, and rightly."""
    wrong = essay.n("С.понятие")
    if essay.n("ПОНЯТИЕ") == 0 or wrong >= 2:
        return 0
    return 1 if essay.n("С.неиспол") or wrong else 2


def k4(essay: Evidence) -> int:
    """K4: composition and coherence."""
    if essay.n("С.композ"):
        return 0
    if essay.total("С.неразв", "С.связь"):
        return 1
    return 2 if essay.n("С.послед") else 3


def k5(essay: Evidence) -> int:
    """K5: speech, half a point a mistake."""
    return max(0, (7 - essay.family("Р.")) // 2)


LONG_ENOUGH: Final = long_enough(LEAST_WORDS)

LITERATURE: Final = Grader(
    MAXIMA[Subject.LITERATURE],
    {
        "K1": Criterion(k1, (LONG_ENOUGH,)),
        "K2": Criterion(k2, (LONG_ENOUGH,)),
        "K3": Criterion(k3, (LONG_ENOUGH,)),
        "K4": Criterion(k4, (LONG_ENOUGH,)),
        "K5": Criterion(k5, (LONG_ENOUGH,)),
    },
)
