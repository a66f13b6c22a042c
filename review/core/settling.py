"""What a third check made of an earlier one, fragment by fragment (regulation, 7.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from annotator.core.values import Markup
from compare.core.comparison import Comparison, others
from compare.core.matcher import match
from compare.core.rows import Row, State, differences, reading_place, rows


class Outcome(StrEnum):
    """What became of a fragment; ``ADDED`` ones are the third expert's, with no earlier partner.

    ``UNDECIDED`` ones are not in the third markup either, but nobody has dropped them.
    """

    KEPT = "kept"
    CHANGED = "changed"
    DROPPED = "dropped"
    UNDECIDED = "undecided"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Settled:
    """A fragment of the earlier markup and what stands for it in the third one, by index from 0.

    ``differences``: all that was changed, gravest first; empty unless ``CHANGED``.
    """

    outcome: Outcome
    earlier: int | None
    third: int | None
    differences: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a third expert decided about fragments of the earlier checks, by their ids.

    ``taken``: to the ids of the copies; ``dropped``: neither of their pairs was taken;
    ``decided``: all that stand in a pair that was decided about (see ``pairs``).
    """

    taken: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()


def settled(earlier: Markup, third: Markup, decisions: Decisions) -> tuple[Settled, ...]:
    """The outcome of every fragment, in reading order.

    Every fragment of either markup appears once. What was taken stands for its source, what was
    dropped has nothing that stands for it; for the rest it is the optimal matching of the two.
    """
    return tuple(_settled(earlier, third, decisions))


def pairs(first: Markup, second: Markup) -> list[frozenset[int]]:
    """The pairs of the two earlier checks, and fragments alone, by the ids of their fragments.

    Who decides about one fragment of a pair has decided about the pair.
    """
    return [
        frozenset(
            markup.fragments[index].id
            for markup, index in ((first, row.left), (second, row.right))
            if index is not None
        )
        for row in rows(match(first, second))
    ]


def _settled(earlier: Markup, third: Markup, decisions: Decisions) -> Iterator[Settled]:
    for row in _rows(earlier, third, decisions):
        if row.left is None:
            yield Settled(Outcome.ADDED, None, row.right, ())
        elif row.right is None:
            is_decided = earlier.fragments[row.left].id in decisions.decided
            outcome = Outcome.DROPPED if is_decided else Outcome.UNDECIDED
            yield Settled(outcome, row.left, None, ())
        else:
            outcome = Outcome.CHANGED if row.differences else Outcome.KEPT
            yield Settled(outcome, row.left, row.right, row.differences)


def _rows(earlier: Markup, third: Markup, decisions: Decisions) -> list[Row]:
    """The rows of the two; what was decided in words wins over the matching."""
    copies = {fragment.id: index for index, fragment in enumerate(third.fragments)}
    found = []
    for left, fragment in enumerate(earlier.fragments):
        taken = decisions.taken.get(fragment.id)
        right = None if taken is None else copies.get(taken)
        if right is not None:
            found.append(Row(left, right, None, differences(fragment, third.fragments[right])))
        elif fragment.id in decisions.dropped:
            found.append(Row(left, None, None, (State.ONLY_LEFT,)))
    lefts = others(earlier, {row.left for row in found})
    rights = others(third, {row.right for row in found})
    for row in rows(match(_only(earlier, lefts), _only(third, rights))):
        one = None if row.left is None else lefts[row.left]
        other = None if row.right is None else rights[row.right]
        found.append(replace(row, left=one, right=other))
    whole = Comparison(earlier, third, (), (), ())
    return sorted(found, key=lambda row: reading_place(whole, row))


def _only(markup: Markup, indices: Iterable[int]) -> Markup:
    return Markup(markup.text, tuple(markup.fragments[index] for index in indices))
