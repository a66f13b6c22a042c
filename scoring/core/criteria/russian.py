"""Russian language essay: K1 to K12, 24 points (markup.md 2; the contest counts no spelling)."""

from __future__ import annotations

from typing import Final

from annotator.core.values import Subject
from scoring.core.criteria.grader import Criterion, Evidence, Grader, after, long_enough
from scoring.core.criteria.sheet import MAXIMA

LEAST_WORDS: Final = 70
SHORT: Final = 150
"""Below this an essay loses a point in each of K7 to K10."""


def k1(essay: Evidence) -> int:
    """K1: the problem is named, and rightly."""
    return int(essay.n("ПРОБЛЕМА") > 0 and essay.total("П.проблема", "П.факт") == 0)


def k2(essay: Evidence) -> int:
    """K2: examples, their explanations and the links between them."""
    if essay.total("П.опора", "П.пересказ", "П.факткомм", "П.другая", "П.копир"):
        return 0
    examples, explanations, links = (
        essay.n("ПРИМЕР"),
        essay.n("ПОЯСНЕНИЕ"),
        essay.n("СВЯЗЬ"),
    )
    if examples >= 2 and explanations >= 2 and links >= 1:
        return 5
    if examples >= 2 and explanations + links >= 2:
        return 4
    if examples + explanations + links >= 3:
        return 3
    return examples


def k3(essay: Evidence) -> int:
    """K3: the author's position is named, and rightly."""
    return int(essay.n("ПОЗИЦИЯ") > 0 and essay.n("П.позиция") == 0)


def k4(essay: Evidence) -> int:
    """K4: the pupil's own attitude is given, with grounds."""
    return int(essay.n("ОТНОШЕНИЕ") > 0 and essay.total("П.отнош", "П.обоснов") == 0)


def k5(essay: Evidence) -> int:
    """K5: logic."""
    return max(0, 2 - essay.family("Л."))


def k6(essay: Evidence) -> int:
    """K6: exactness and expressiveness; full only when K10 is."""
    poor = essay.total("П.однообр", "П.точность")
    if poor == 0 and k10(essay) >= 2:
        return 2
    return int(poor == 1 or k10(essay) < 2)


def k7(essay: Evidence) -> int:
    """K7: spelling, of which the contest marks nothing."""
    return 3 - _short(essay)


def k8(essay: Evidence) -> int:
    """K8: punctuation, of which the contest marks nothing."""
    return 3 - _short(essay)


def k9(essay: Evidence) -> int:
    """K9: grammar, half a point a mistake."""
    return max(0, (4 - essay.family("Г.") - 2 * _short(essay)) // 2)


def k10(essay: Evidence) -> int:
    """K10: speech, half a point a mistake."""
    return max(0, (5 - essay.family("Р.") - 2 * _short(essay)) // 2)


def k11(essay: Evidence) -> int:
    """K11: ethics."""
    return int(essay.family("Э.") == 0)


def k12(essay: Evidence) -> int:
    """K12: facts."""
    return int(essay.family("Ф.") == 0)


def _short(essay: Evidence) -> bool:
    return essay.words < essay.measure("least-words", SHORT)


LONG_ENOUGH: Final = long_enough(LEAST_WORDS)
NAMES_PROBLEM: Final = after(k1)

RUSSIAN: Final = Grader(
    MAXIMA[Subject.RUSSIAN],
    {
        "K1": Criterion(k1, (LONG_ENOUGH,)),
        "K2": Criterion(k2, (LONG_ENOUGH, NAMES_PROBLEM)),
        "K3": Criterion(k3, (LONG_ENOUGH, NAMES_PROBLEM)),
        "K4": Criterion(k4, (LONG_ENOUGH, NAMES_PROBLEM)),
        "K5": Criterion(k5, (LONG_ENOUGH,)),
        "K6": Criterion(k6, (LONG_ENOUGH,)),
        "K7": Criterion(k7, (LONG_ENOUGH,)),
        "K8": Criterion(k8, (LONG_ENOUGH,)),
        "K9": Criterion(k9, (LONG_ENOUGH,)),
        "K10": Criterion(k10, (LONG_ENOUGH,)),
        "K11": Criterion(k11, (LONG_ENOUGH,)),
        "K12": Criterion(k12, (LONG_ENOUGH,)),
    },
)
