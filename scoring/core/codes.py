"""Which codes met which: precision and recall by code and by criterion, and what is confused.

Regulation 2.23; a pair of fragments is right where the codes are equal (Appendix 1, M3). Counts of
many pairs of markups are added, and divided once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from annotator.core.classifier import Classifier, classifier_of, every_classifier
from annotator.core.values import Kind, Subject, fold
from compare.core.comparison import Comparison
from compare.core.rows import rows

NONE: Final = ""
"""Stands for the code of a fragment that is not there."""

Meetings = Mapping[tuple[str, str], int]
"""How often a code of the reference (or none) met a code of the assessed markup (or none)."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Of a code or a criterion: fragments of the references, of the solution, pairs of both."""

    name: str
    theirs: int
    ours: int
    right: int

    @property
    def precision(self) -> float | None:
        """How many of the solution's fragments are right, in percent."""
        return 100 * self.right / self.ours if self.ours else None

    @property
    def recall(self) -> float | None:
        """How many of the references' fragments were found with their code, in percent."""
        return 100 * self.right / self.theirs if self.theirs else None


@dataclass(frozen=True, slots=True)
class Codes:
    """All meetings of the essays of a subject, ``None`` where files do not say it.

    ``codes`` and ``criteria`` stand in the order of the classifier, unknown codes last.
    """

    subject: Subject | None
    codes: tuple[Hits, ...]
    criteria: tuple[Hits, ...]
    meetings: Meetings

    @property
    def confusions(self) -> tuple[tuple[str, str, int], ...]:
        """Two different codes in one place, the most frequent first: theirs, ours, how often."""
        mixed = [
            (*codes, count)
            for codes, count in self.meetings.items()
            if NONE not in codes and codes[0] != codes[1]
        ]
        return tuple(sorted(mixed, key=lambda each: (-each[2], each[0], each[1])))


def meetings_of(comparison: Comparison, subject: Subject | None) -> dict[tuple[str, str], int]:
    """What met in one comparison, whose left side is assessed."""
    classifier = _classifier(subject)
    found: Counter[tuple[str, str]] = Counter()
    for row in rows(comparison):
        sides = (comparison.right, row.right), (comparison.left, row.left)
        theirs, ours = (
            NONE if index is None else _name(markup.fragments[index].code, classifier)
            for markup, index in sides
        )
        found[theirs, ours] += 1
    return dict(found)


def codes_of(subject: Subject | None, meetings: Iterable[Meetings]) -> Codes:
    """The sums over many comparisons of one subject."""
    total: Counter[tuple[str, str]] = Counter()
    for each in meetings:
        total.update(each)
    classifier = _classifier(subject)
    order = {category.code: place for place, category in enumerate(classifier.categories)}
    names = {code for pair in total for code in pair if code != NONE}
    ordered = sorted(names, key=lambda name: (order.get(name, len(order)), name))
    codes = tuple(_hits(name, {name}, total) for name in ordered)
    criteria = _criteria(classifier, names) if subject else {}
    return Codes(
        subject,
        codes,
        tuple(_hits(name, of, total) for name, of in sorted(criteria.items(), key=_by_number)),
        {pair: total[pair] for pair in sorted(total)},
    )


def kind_of(code: str, subject: Subject | None) -> Kind:
    """Whether a code is a block or a mistake."""
    return _classifier(subject).kind(code)


def _classifier(subject: Subject | None) -> Classifier:
    return classifier_of(subject) if subject else every_classifier()


def _name(code: str, classifier: Classifier) -> str:
    """A code as the classifier writes it, in whatever letters it was marked."""
    category = classifier.find(code)
    return category.code if category else fold(code)


def _hits(name: str, codes: set[str], meetings: Meetings) -> Hits:
    """A fragment counts for ``name`` by its own code; right is a pair of one and the same code."""
    return Hits(
        name,
        sum(count for (theirs, _ours), count in meetings.items() if theirs in codes),
        sum(count for (_theirs, ours), count in meetings.items() if ours in codes),
        sum(meetings.get((code, code), 0) for code in codes),
    )


def _criteria(classifier: Classifier, names: set[str]) -> dict[str, set[str]]:
    """The codes that enter each criterion, of those that were marked."""
    found: dict[str, set[str]] = defaultdict(set)
    for category in classifier.categories:
        for criterion in category.criteria if category.code in names else ():
            found[criterion].add(category.code)
    return found


def _by_number(criterion: tuple[str, set[str]]) -> int:
    """K10 stands behind K9."""
    return int(criterion[0].removeprefix("K"))
