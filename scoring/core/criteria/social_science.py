"""Social science essay: K1 to K4, 6 points (markup.md 2)."""

from __future__ import annotations

from typing import Final

from annotator.core.values import Subject
from scoring.core.criteria.grader import Criterion, Evidence, Grader, after
from scoring.core.criteria.sheet import MAXIMA

EXAMPLES: Final = ("ПРИМЕР.ОБЩ", "ПРИМЕР.ЛИЧ", "ПРИМЕР.ИСТ")


def k1(essay: Evidence) -> int:
    """K1: the meaning of the statement is explained."""
    return int(essay.n("ИДЕЯ") > 0 and essay.total("о.смысл", "о.подмена", "о.пересказ") == 0)


def k2(essay: Evidence) -> int:
    """K2: concepts and theory."""
    if essay.n("о.упрощ"):
        return 0
    given = (essay.n("ПОНЯТИЕ") > 0) + (essay.n("ТЕОРИЯ") > 0)
    inexact = essay.total("о.понятие", "о.теория") > 0
    return max(0, given - inexact - essay.total("о.теорсвязь", "о.нехватает"))


def k3(essay: Evidence) -> int:
    """K3: reasoning and conclusion."""
    return max(0, (essay.n("ЛОГИКА") > 0) - essay.total("о.рассужд", "о.вывод"))


def k4(essay: Evidence) -> int:
    """K4: examples from at least two sources; a kind counts when it is marked more than once."""
    kinds = sum(essay.n(kind) > 1 for kind in EXAMPLES)
    wrong = essay.total("о.примсвязь", "о.подтв", "о.дубл", "о.факт", "о.подробн")
    return max(0, min(2, kinds) - wrong)


UNDERSTOOD: Final = after(k1)

SOCIAL_SCIENCE: Final = Grader(
    MAXIMA[Subject.SOCIAL_SCIENCE],
    {
        "K1": Criterion(k1),
        "K2": Criterion(k2, (UNDERSTOOD,)),
        "K3": Criterion(k3, (UNDERSTOOD,)),
        "K4": Criterion(k4, (UNDERSTOOD,)),
    },
)
