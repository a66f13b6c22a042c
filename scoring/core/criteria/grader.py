"""How a subject's table of criteria grades a markup, and why it gave these points.

A rule is a function of ``Evidence``: it asks for what it needs, and what it asked for is the
reason of its points. So grading and explaining are the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.core.values import Fragment, Kind, Markup
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.criteria.tally import Tally

TOO_FEW_WORDS: Final = "too-few-words"
K1_IS_ZERO: Final = "k1-is-zero"


class Evidence:
    """A markup as one rule sees it; remembers what the rule has looked at."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.counts: dict[str, int] = {}
        self.measures: dict[str, int] = {}
        self.seen: set[int] = set()
        self.blamed: set[int] = set()

    def fragment(self, index: int) -> Fragment:
        """A fragment of the markup."""
        return self.tally.markup.fragments[index]

    def n(self, code: str) -> int:
        """How often a code stands in the markup; a repeated mistake counts once (remark 2)."""
        return self.among(code, self.tally.fragments(code))

    def among(self, code: str, indices: Sequence[int]) -> int:
        """The same among these fragments of the code only."""
        self.seen.update(indices)
        self.counts[code] = self.tally.distinct(indices)
        return self.counts[code]

    def total(self, *codes: str) -> int:
        """How often several codes stand there together."""
        return sum(self.n(code) for code in codes)

    def family(self, prefix: str) -> int:
        """How often all codes stand there that begin with ``prefix``, such as «Г.»."""
        families = self.tally.family(prefix)
        self.seen.update(index for found in families for index in found)
        self.counts[prefix] = sum(self.tally.distinct(found) for found in families)
        return self.counts[prefix]

    def blame(self, indices: Iterable[int]) -> None:
        """Blocks that cost points, where a mistake would not be marked."""
        self.blamed.update(indices)

    def measure(self, name: str, value: int) -> int:
        """Remember a number that is not the count of a code; gives it back."""
        self.measures[name] = value
        return value

    @property
    def cost(self) -> tuple[int, ...]:
        """Fragments that may have cost points: the mistakes seen, and what the rule blamed."""
        mistakes = {index for index in self.seen if self.fragment(index).kind is Kind.MISTAKE}
        return tuple(sorted(mistakes | self.blamed))

    @property
    def words(self) -> int:
        """W, the words of the essay."""
        return self.measure("words", len(self.tally.words))


Rule = Callable[[Evidence], int]


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition without which a criterion gives no points; ``code`` names it when shut."""

    code: str
    is_open: Callable[[Evidence], bool]


def long_enough(limit: int) -> Gate:
    """The essay has at least ``limit`` words."""

    def is_open(evidence: Evidence) -> bool:
        return evidence.words >= evidence.measure("least-words", limit)

    return Gate(TOO_FEW_WORDS, is_open)


def after(k1: Rule) -> Gate:
    """K1 has given a point."""
    return Gate(K1_IS_ZERO, lambda evidence: k1(evidence) > 0)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row of a subject's table: points by the rule if every gate is open, else none."""

    rule: Rule
    gates: tuple[Gate, ...] = ()


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a criterion has its points.

    ``counts``: how often each code (or family, «Г.») that entered. ``measures``: other numbers
    that did, such as ``words``. ``fragments``: indices of the mistakes that cost points, and of
    blocks out of order; empty at full points. Blocks that are missing have 0 in ``counts``.
    ``gate``: the code of the condition that was not met, if any.
    """

    points: int
    maximum: int
    counts: Mapping[str, int]
    measures: Mapping[str, int]
    fragments: tuple[int, ...]
    gate: str | None = None


@dataclass(frozen=True, slots=True)
class Grader:
    """The criteria of a subject: call it with a markup to get the sheet."""

    maxima: Mapping[str, int]
    criteria: Mapping[str, Criterion]

    def __call__(self, markup: Markup) -> CriteriaSheet:
        """Grade a markup."""
        return CriteriaSheet({name: why.points for name, why in self.explain(markup).items()})

    def explain(self, markup: Markup) -> dict[str, Reasons]:
        """Grade a markup and say of each criterion why."""
        tally = Tally(markup)
        return {
            name: _reasons(criterion, self.maxima[name], tally)
            for name, criterion in self.criteria.items()
        }


def _reasons(criterion: Criterion, maximum: int, tally: Tally) -> Reasons:
    shut, points, evidence = _points(criterion, tally)
    return Reasons(
        points=points,
        maximum=maximum,
        counts=evidence.counts,
        measures=evidence.measures,
        fragments=evidence.cost if points < maximum else (),
        gate=shut,
    )


def _points(criterion: Criterion, tally: Tally) -> tuple[str | None, int, Evidence]:
    """The code of the shut gate if any, the points, and what decided them."""
    for gate in criterion.gates:
        evidence = Evidence(tally)
        if not gate.is_open(evidence):
            return gate.code, 0, evidence
    evidence = Evidence(tally)
    return None, criterion.rule(evidence), evidence
