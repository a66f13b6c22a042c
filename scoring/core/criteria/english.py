"""English essay, with and without a given theme: K1 to K5, 14 points.

K3 and K4 are the regulation's (Appendix 3, 3) and make up the nomination's total; K1, K2 and K5
are those of the original platform (markup.md 2). K1 = 0 does not touch the others.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Final

from annotator.core.values import Subject
from scoring.core.criteria.grader import Criterion, Evidence, Gate, Grader, long_enough
from scoring.core.criteria.sheet import MAXIMA

Place = tuple[float, int]
"""Where a fragment begins, and its index."""

LEAST_WORDS: Final = 180
MOST_UNPRODUCTIVE: Final = 30
"""Percent of the words that may be copied."""
LEAST_ARGUMENTS: Final = 3
PLAN: Final = ("ПРОБЛЕМА", "ЛМНЕНИЕ", "ПРМНЕНИЕ", "ОБОСНОВАНИЕ", "ВЫВОД")
"""The blocks in the order the task asks for (ошПлан)."""


def k1(essay: Evidence) -> int:
    """K1: the task is solved: all aspects, a neutral style."""
    aspects = essay.measure("missing-aspects", missing_aspects(essay))
    unclear, style = essay.n("А.аспект"), essay.n("А.стиль")
    if aspects == 0 and unclear == 0 and style <= 1:
        return 3
    if aspects == 0 and unclear <= 2 and style <= 3:
        return 2
    return int(2 * aspects + unclear <= 4 and style <= 4)


def k2(essay: Evidence) -> int:
    """K2: the text is organised: plan, logic, links, paragraphs."""
    plan = essay.measure("plan-faults", plan_faults(essay))
    faults = plan + essay.total("А.логика", "А.связь", "А.абзац")
    if faults == 0:
        return 3
    if faults <= 4:
        return 2
    return int(faults <= 8)


def k3(essay: Evidence) -> int:
    """K3: vocabulary (Appendix 3, 3)."""
    words, range_ = essay.n("А.лекс"), essay.n("А.запас")
    if words <= 1 and range_ == 0:
        return 3
    if words + 3 * range_ <= 3:
        return 2
    return int(words <= 4 and range_ <= 1)


def k4(essay: Evidence) -> int:
    """K4: grammar (Appendix 3, 3)."""
    grammar, level = essay.n("А.грамм"), essay.n("А.уров")
    if grammar <= 2 and level == 0:
        return 3
    if grammar <= 4 and level == 0:
        return 2
    return int(grammar <= 7 and level <= 1)


def k5(essay: Evidence) -> int:
    """K5: spelling and punctuation."""
    spelling, punctuation = essay.n("А.орф"), essay.n("А.пункт")
    if spelling <= 1 and punctuation <= 1:
        return 2
    return int(spelling + punctuation <= 4)


def missing_aspects(essay: Evidence) -> int:
    """ошАспекты: blocks that are absent, a problem not put in own words, arguments too few."""
    absent = sum(essay.n(code) == 0 for code in ("ЛМНЕНИЕ", "ПРМНЕНИЕ", "ОБОСНОВАНИЕ"))
    unclear = essay.n("ПРОБЛЕМА") == 0 or essay.total("А.перифр", "А.пробл") > 0
    return absent + unclear + max(0, LEAST_ARGUMENTS - essay.n("АРГУМЕНТ"))


def plan_faults(essay: Evidence) -> int:
    """ошПлан: blocks that are absent or outside the longest run in the right order.

    A block stands where it first begins; of blocks that begin together none is out of order.
    """
    beginnings = [_beginning(essay, code) for code in PLAN if essay.n(code)]
    run = _longest_run(beginnings)
    essay.blame(index for start, index in beginnings if (start, index) not in run)
    return len(PLAN) - len(run)


def unproductive_share(essay: Evidence) -> int:
    """Words under А.непрод in percent of all words, half a percent rounded up."""
    essay.n("А.непрод")
    copied = essay.tally.words_under(essay.tally.fragments("А.непрод"))
    return (200 * copied + essay.words) // (2 * essay.words) if copied else 0


def _beginning(essay: Evidence, code: str) -> Place:
    """Where a block first begins."""
    spans = ((essay.fragment(index).span, index) for index in essay.tally.fragments(code))
    return min((span.start, index) for span, index in spans if span)


def _longest_run(places: list[Place]) -> tuple[Place, ...]:
    """The most places that do not go back in the text, the earlier of the plan preferred."""
    sizes = range(len(places), 0, -1)
    subsets = (subset for size in sizes for subset in combinations(places, size))
    return next((each for each in subsets if _goes_forward(each)), ())


def _goes_forward(places: tuple[Place, ...]) -> bool:
    return all(one[0] <= other[0] for one, other in pairwise(places))


def _is_productive(essay: Evidence) -> bool:
    share = essay.measure("unproductive-percent", unproductive_share(essay))
    return share <= essay.measure("most-percent", MOST_UNPRODUCTIVE)


PRODUCTIVE: Final = Gate("unproductive", _is_productive)

ENGLISH: Final = Grader(
    MAXIMA[Subject.ENGLISH],
    {
        "K1": Criterion(k1, (long_enough(LEAST_WORDS), PRODUCTIVE)),
        "K2": Criterion(k2),
        "K3": Criterion(k3),
        "K4": Criterion(k4),
        "K5": Criterion(k5),
    },
)
