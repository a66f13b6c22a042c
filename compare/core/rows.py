"""A comparison as rows of the two-column page, and how the two markups differ code by code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from annotator.core.values import Fragment, fold
from compare.core.comparison import Comparison, Loss, Pair


class State(StrEnum):
    """What the two sides of a row differ in; the graver difference comes first."""

    SAME = "same"
    CODE = "code"
    BORDERS = "borders"
    SUBCODE = "subcode"
    CORRECTION = "correction"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, or a fragment without one; ``left`` and ``right`` are indices of fragments.

    ``differences``: all that differs, gravest first; empty when the two are the same, just
    ``ONLY_LEFT`` or ``ONLY_RIGHT`` when there is one side only (then ``loss`` is ``None``).
    """

    left: int | None
    right: int | None
    loss: Loss | None
    differences: tuple[State, ...]

    @property
    def state(self) -> State:
        """The gravest difference names the row."""
        return self.differences[0] if self.differences else State.SAME


@dataclass(frozen=True, slots=True)
class Total:
    """How often a code was marked by both, or by one side only.

    ``same``: pairs in which both sides have the code; ``recoded``: pairs in which one side has
    it and the other another one (such a pair counts under both codes).
    """

    code: str
    same: int
    recoded: int
    only_left: int
    only_right: int


def rows(comparison: Comparison) -> tuple[Row, ...]:
    """One row for every pair and every fragment alone, in reading order.

    A pair stands where the first of its two fragments begins; what begins together goes from
    longest to shortest. Whole-text mistakes come last, as in the list of a single markup.
    """
    unsorted = [_pair_row(comparison, pair) for pair in comparison.pairs]
    unsorted += [Row(index, None, None, (State.ONLY_LEFT,)) for index in comparison.only_left]
    unsorted += [Row(None, index, None, (State.ONLY_RIGHT,)) for index in comparison.only_right]
    return tuple(sorted(unsorted, key=lambda row: reading_place(comparison, row)))


def differences(left: Fragment, right: Fragment) -> tuple[State, ...]:
    """What two fragments differ in: codes and subcodes in any letter case, corrections as M6 does.

    White space in corrections is collapsed, letter case matters: it may be what is corrected.
    """
    compared = (
        (State.CODE, fold(left.code) != fold(right.code)),
        (State.BORDERS, left.span != right.span),
        (State.SUBCODE, fold(left.subcode) != fold(right.subcode)),
        (State.CORRECTION, left.correction.split() != right.correction.split()),
    )
    return tuple(state for state, differs in compared if differs)


def totals(comparison: Comparison) -> tuple[Total, ...]:
    """Counts per code, in the order in which the codes appear in the rows."""
    counts: dict[str, Counter[str]] = {}
    names: dict[str, str] = {}
    for row in rows(comparison):
        sides = sides_of(comparison, row)
        codes = dict.fromkeys(fold(fragment.code) for fragment in sides)
        outcome = row.state.value if len(sides) == 1 else "same" if len(codes) == 1 else "recoded"
        for code, fragment in zip(codes, sides, strict=False):
            names.setdefault(code, fragment.code)
            counts.setdefault(code, Counter())[outcome] += 1
    return tuple(
        Total(names[code], of["same"], of["recoded"], of["only_left"], of["only_right"])
        for code, of in counts.items()
    )


def sides_of(comparison: Comparison, row: Row) -> list[Fragment]:
    """The fragments of a row, the left one first."""
    left = [] if row.left is None else [comparison.left.fragments[row.left]]
    right = [] if row.right is None else [comparison.right.fragments[row.right]]
    return left + right


def _pair_row(comparison: Comparison, pair: Pair) -> Row:
    return Row(pair.left, pair.right, pair.loss, differences(*comparison.fragments(pair)))


def reading_place(comparison: Comparison, row: Row) -> tuple[bool, int, int, bool, int, int]:
    """Where a row of a comparison stands among the others: a key to sort by."""
    place = place_in_text(sides_of(comparison, row))
    return *place, row.left is None, row.left or 0, row.right or 0


def place_in_text(fragments: Iterable[Fragment]) -> tuple[bool, int, int]:
    """Where fragments stand that belong together: a key to sort by, whole-text mistakes last."""
    spans = [fragment.span for fragment in fragments if fragment.span]
    start = min((span.start for span in spans), default=0)
    end = max((span.end for span in spans), default=0)
    return not spans, start, -end
