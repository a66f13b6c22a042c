"""The optimal matching of two lists of places (regulation, Appendix 2, 3).

To match a pair changes Q by L - 2, so what is wanted is the heaviest matching with weights
2 - L = IoU - 1 + [B = B'] + [C = C'].

Several matchings may have the same Q, and M2..M6 depend on who is matched. So a pair is weighed
by one whole number of six fields, the most significant first: the gain, one more pair, one more
equal code, subcode, correction, and the product of the two ranks in the canonical order. The
heaviest matching is then also the first in this order of preferences. What even that does not
tell apart is decided by the algorithm, which sees nothing but the two lists of places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import lcm
from typing import Final

from compare.core.assignment import Edge, heaviest_matching
from compare.core.candidates import Places, admissible, components
from compare.core.canonical import Place

Measure = tuple[int, int, bool]
"""Intersection and union in code points, and whether both begin and code are equal."""

LONG: Final = 128
"""Gains whose common denominator has more binary digits are first looked at roughly."""

ROUGH: Final = 64
"""Binary places of the rough gains."""


def optimal_pairs(left: Places, right: Places) -> list[Edge]:
    """The ranks of the places that belong together, in no particular order.

    Both lists in canonical order. With n places and e admissible pairs the time is
    O(n log n + e) while components are small, at worst O(n ** 3).
    """
    chosen: list[Edge] = []
    for component in components(admissible(left, right)):
        if len(component) == 1:
            chosen += component
            continue
        measures = [measure(left[i], right[k]) for i, k in component]
        if denominator(measures, LONG):
            chosen += best(component, measures, left, right)
            continue
        for part in components(thinned(component, measures)):
            measures = [measure(left[i], right[k]) for i, k in part]
            chosen += best(part, measures, left, right)
    return chosen


def measure(x: Place, y: Place) -> Measure:
    """What the gain of two overlapping places follows from."""
    shared = min(x.end, y.end) - max(x.start, y.start)
    union = x.end - x.start + y.end - y.start - shared
    return shared, union, x.start == y.start and x.code == y.code


def denominator(measures: Iterable[Measure], digits: int) -> int:
    """The least common multiple of the unions, or 0 if it has more binary digits."""
    common = 1
    for union in {union for _, union, _ in measures}:
        common = lcm(common, union)
        if common.bit_length() > digits:
            return 0
    return common


def best(
    pairs: Sequence[Edge], measures: Sequence[Measure], left: Places, right: Places
) -> Sequence[Edge]:
    """The first matching of a component in the order of preferences."""
    weights = exact_weights(pairs, measures, left, right)
    if len({i for i, _ in pairs}) == 1 or len({k for _, k in pairs}) == 1:
        return [max(zip(weights, pairs, strict=True))[1]]
    return heaviest_matching(pairs, weights).edges


def exact_weights(
    pairs: Sequence[Edge], measures: Sequence[Measure], left: Places, right: Places
) -> list[int]:
    """Gain and preferences of the pairs of one component, in one whole number each.

    The unit of the gain is 1 / lcm of the component's unions, so it is whole. The fields below
    it are as wide as their sums over a matching can get, so that none runs into the next.
    """
    common = lcm(*{union for _, union, _ in measures})
    most = min(len({i for i, _ in pairs}), len({k for _, k in pairs}))
    width = most.bit_length()
    rank_width = (most * max([(i + 1) * (k + 1) for i, k in pairs])).bit_length()
    shift = 4 * width + rank_width
    units = {union: (common // union) << shift for _, union, _ in measures}
    weights = []
    for (i, k), (shared, union, both) in zip(pairs, measures, strict=True):
        x, y = left[i], right[k]
        alike = 1
        alike = alike << width | (x.code == y.code)
        alike = alike << width | (x.subcode == y.subcode)
        alike = alike << width | (x.correction == y.correction != "")
        gain = units[union] * (shared + union if both else shared)
        weights.append(gain + (alike << rank_width) + (i + 1) * (k + 1))
    return weights


def thinned(pairs: Sequence[Edge], measures: Sequence[Measure]) -> list[Edge]:
    """Those pairs of a component that may be part of an optimal matching.

    Hundreds of overlapping fragments have unions with a common denominator of thousands of
    digits; most pairs can be ruled out by their gains rounded down to 64 binary places. By the
    rounding a matching of n pairs loses less than n units. So an optimal matching falls short of
    the roughly optimal one by less than n, and no pair of it has n or more to spare by the
    prices that prove that one.
    """
    weights = [(shared << ROUGH) // union + (both << ROUGH) for shared, union, both in measures]
    matching = heaviest_matching(pairs, weights)
    left_price, right_price = matching.left_price, matching.right_price
    most = min(len(left_price), len(right_price))
    return [
        (i, k)
        for (i, k), weight in zip(pairs, weights, strict=True)
        if left_price[i] + right_price[k] - weight < most
    ]
