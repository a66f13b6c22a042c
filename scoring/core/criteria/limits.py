"""How many mistakes of a code a criterion bears: the rule behind points that are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.core.classifier import classifier_of
from annotator.core.values import Kind, Subject
from scoring.core.criteria import GRADERS
from scoring.core.criteria.grader import Criterion, Evidence, Reasons
from scoring.core.criteria.tally import Tally

MOST: Final = 60
"""A code that stands there more often is not asked about."""


class Supposed(Evidence):
    """A markup as it would be with fewer mistakes of one code."""

    def __init__(self, tally: Tally, code: str, most: int) -> None:
        super().__init__(tally)
        self._code, self._most = code, most

    def among(self, code: str, indices: Sequence[int]) -> int:
        return self._supposed(code, super().among(code, indices))

    def family(self, prefix: str) -> int:
        return self._supposed(prefix, super().family(prefix))

    def _supposed(self, code: str, count: int) -> int:
        return min(count, self._most) if code == self._code else count


def limits_of(subject: Subject, tally: Tally, name: str, why: Reasons) -> dict[str, int]:
    """Of each code that cost a criterion points: the most of it that gives a point more.

    ``{code: count}``, counts of different mistakes; all else stays as it is. A code that alone
    makes no difference is left out, and so is everything behind a shut gate.
    """
    if why.gate or why.points == why.maximum:
        return {}
    criterion = GRADERS[subject].criteria[name]
    found = {}
    for code, count in _mistakes(subject, why.counts).items():
        most = _most(criterion, tally, code, count, why.points)
        if most is not None:
            found[code] = most
    return found


def _mistakes(subject: Subject, counts: Mapping[str, int]) -> dict[str, int]:
    kind = classifier_of(subject).kind
    return {code: n for code, n in counts.items() if 0 < n <= MOST and kind(code) is not Kind.BLOCK}


def _most(criterion: Criterion, tally: Tally, code: str, count: int, points: int) -> int | None:
    def gives_more(most: int) -> bool:
        return criterion.rule(Supposed(tally, code, most)) > points

    if not gives_more(0):
        return None
    return next(most for most in range(count - 1, -1, -1) if gives_more(most))
