"""Which pairs can be part of an optimal matching at all, and which of them touch each other.

To match a pair changes Q by L - 2 (regulation, Appendix 2, 3), so pairs with L of 2 and above
are left out, also from the graph whose components are solved one by one. In the regulation's
own graph of all overlapping pairs long blocks tie the whole essay together.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from compare.core.assignment import Edge
from compare.core.canonical import Place

Places = Sequence[Place]


def admissible(left: Places, right: Places) -> list[Edge]:
    """The pairs with L < 2: they overlap, and begin together or have the same code.

    Both lists in canonical order; pairs are of ranks. With n places and e such pairs the time
    is O(n log n + e).
    """
    # Of two places that overlap, one begins within the other or both begin together.
    pairs = list(_begun_within(left, right, together=True))
    pairs += [(i, k) for k, i in _begun_within(right, left, together=False)]
    begun: dict[int, list[int]] = {}
    for k, place in enumerate(right):
        begun.setdefault(place.start, []).append(k)
    for i, place in enumerate(left):
        if place.start in begun:
            pairs += [(i, k) for k in begun[place.start] if right[k].code != place.code]
    return pairs


def _begun_within(outer: Places, inner: Places, *, together: bool) -> Iterator[Edge]:
    """Pairs of one code whose inner place begins within the outer one or ``together`` with it."""
    by_code: dict[str, tuple[list[int], list[int]]] = {}
    for rank, place in enumerate(inner):
        if place.code not in by_code:
            by_code[place.code] = [], []
        starts, ranks = by_code[place.code]
        starts.append(place.start)
        ranks.append(rank)
    first = bisect_left if together else bisect_right
    for rank, place in enumerate(outer):
        if place.code in by_code:
            starts, ranks = by_code[place.code]
            begin = first(starts, place.start)
            for other in ranks[begin : bisect_left(starts, place.end, begin)]:
                yield rank, other


def components(pairs: Iterable[Edge]) -> Iterator[list[Edge]]:
    """The connected components of the pairs, each in ascending order."""
    of_left: dict[int, list[int]] = {}
    of_right: dict[int, list[int]] = {}
    for i, k in pairs:
        of_left.setdefault(i, []).append(k)
        of_right.setdefault(k, []).append(i)
    seen: set[int] = set()
    for first in of_left:
        if first in seen:
            continue
        seen.add(first)
        reached = [first]
        for i in reached:  # grows on the way
            for k in of_left[i]:
                if k in of_right:
                    more = [other for other in of_right.pop(k) if other not in seen]
                    seen.update(more)
                    reached += more
        yield [(i, k) for i in sorted(reached) for k in sorted(of_left[i])]
