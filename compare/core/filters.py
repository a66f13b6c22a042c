"""Which rows of a comparison are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotator.core.values import fold
from compare.core.comparison import Comparison
from compare.core.rows import Row, State, sides_of


@dataclass(frozen=True, slots=True)
class Filter:
    """Kinds of difference and codes, folded; an empty set lets everything through."""

    kinds: frozenset[State] = frozenset()
    codes: frozenset[str] = frozenset()

    def keeps(self, comparison: Comparison, row: Row) -> bool:
        """Is the row of one of the kinds, and has one of its sides one of the codes?"""
        if self.kinds and row.state not in self.kinds:
            return False
        return not self.codes or any(
            fold(fragment.code) in self.codes for fragment in sides_of(comparison, row)
        )

    def with_kind(self, kind: State) -> Filter:
        """The same with this kind put in, or taken out if it is there."""
        return Filter(self.kinds ^ {kind}, self.codes)

    def with_code(self, code: str) -> Filter:
        """The same with this code put in, or taken out if it is there."""
        return Filter(self.kinds, self.codes ^ {fold(code)})


def filter_of(kinds: Iterable[str], codes: Iterable[str]) -> Filter:
    """A filter from the words of an address; words that name no kind are passed over."""
    known = {kind.value for kind in State}
    return Filter(
        frozenset(State(word) for word in kinds if word in known),
        frozenset(fold(code) for code in codes if code.strip()),
    )


def kinds_of(rows: Iterable[Row]) -> Mapping[State, int]:
    """How many rows there are of every kind, 0 too, in the order of the kinds."""
    counts = Counter(row.state for row in rows)
    return {kind: counts[kind] for kind in State}
