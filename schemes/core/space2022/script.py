"""The figures of the organisers' published script, eval/task2_examine.py (schemes.md 3.3).

They are not the task's rule: roles of the reference that a prediction omits cost nothing at the
level strict, its type accuracy compares sets of types, "micro_f1" is the harmonic mean of two
means. Users compare with them, so that they are given to the last bit, sums in floating point and
in the order of the answer file as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from schemes.core.space2022.pairs import Compared
from schemes.core.space2022.values import (
    Question,
    Reason,
    ScriptFigures,
    ScriptScore,
    Tally,
)


class _Best(NamedTuple):
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    pair: Compared | None = None


def loose_figures(pairs: Iterable[Compared]) -> ScriptFigures:
    """Characters alone; the type is right if the best pair's types are equal."""
    best = _Best()
    for pair in pairs:
        best = _better(best, pair, pair.text)
    found = best.pair
    is_right = found is not None and found.candidate.type == found.reference.type
    return ScriptFigures(best.precision, best.recall, best.f1, is_right)


def strict_figures(
    question: Question, candidates: Sequence[Reason], pairs: Iterable[Compared]
) -> ScriptFigures:
    """Roles of reasons of one type; the type is right if both sides have the same set of types."""
    best = _Best()
    tally_of = StrictTallies()
    for pair in pairs:
        if pair.element.hit:
            best = _better(best, pair, tally_of(pair))
    types = {each.type for each in candidates} == {each.type for each in question.reasons}
    return ScriptFigures(best.precision, best.recall, best.f1, types)


def score_of(figures: Sequence[ScriptFigures]) -> ScriptScore:
    """The script's five figures of all questions; there must be one at least."""
    count = len(figures)
    precision = sum(each.precision for each in figures) / count
    recall = sum(each.recall for each in figures) / count
    return ScriptScore(
        type_accuracy=sum(each.type_is_right for each in figures) / count,
        micro_f1=_harmonic(precision, recall),
        macro_f1=sum(each.f1 for each in figures) / count,
        avg_precision=precision,
        avg_recall=recall,
    )


def _better(best: _Best, pair: Compared, tally: Tally) -> _Best:
    if not tally.hit:
        return best
    precision, recall = tally.hit / tally.candidate, tally.hit / tally.reference
    f1 = _harmonic(precision, recall)
    return _Best(precision, recall, f1, pair) if f1 > best.f1 else best


def _harmonic(precision: float, recall: float) -> float:
    return 2 * (precision * recall) / (precision + recall) if precision + recall else 0


class StrictTallies:
    """What the script counts of a pair of one type: only roles the candidate has.

    Where roles or indices are repeated every fragment meets every one of its role. Two fragments
    share a character once each, so that products of counts replace the double loop; what is
    counted of a candidate is kept, since it meets many references.
    """

    def __init__(self) -> None:
        self._of_candidates: dict[int, _Counted] = {}

    def __call__(self, pair: Compared) -> Tally:
        candidate, reference = pair.candidate, pair.reference
        if not (candidate.repeats or reference.repeats):
            wanted = (
                len(found) for role, found in reference.roles.items() if role in candidate.roles
            )
            return Tally(pair.element.hit, candidate.size, sum(wanted))
        ours = self._of_candidates.get(candidate.number)
        if ours is None:
            ours = self._of_candidates[candidate.number] = _Counted(candidate)
        return _tally_of_repeated(ours, _Counted(reference))


class _Counted:
    """The fragments of a reason by role: their number, how many have each index, as written."""

    def __init__(self, reason: Reason) -> None:
        self.written: Counter[str] = Counter()
        self.fragments: Counter[str] = Counter()
        self.indices: dict[str, Counter[int]] = {}
        for role, indices, _text in reason.fragments:
            self.written[role] += len(indices)
            self.fragments[role] += 1
            self.indices.setdefault(role, Counter()).update(set(indices))
        self.all_written = self.written.total()
        self.sizes = {role: found.total() for role, found in self.indices.items()}


def _tally_of_repeated(ours: _Counted, theirs: _Counted) -> Tally:
    """Indices of a role that the reference has not count as written, twice if written twice."""
    hit = wanted = 0
    given = ours.all_written
    for role, there in theirs.indices.items():
        if role in ours.indices:
            here = ours.indices[role]
            hit += sum(times * here[index] for index, times in there.items() if index in here)
            given += ours.sizes[role] * theirs.fragments[role] - ours.written[role]
            wanted += theirs.sizes[role] * ours.fragments[role]
    return Tally(hit, given, wanted)
