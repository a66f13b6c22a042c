"""The definition of the optimal matching, written down as slowly as it reads, and big markups.

Nothing here uses compare.core but its plain values.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import NamedTuple

from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.comparison import Comparison

TEXT = "0123456789"


class Preference(NamedTuple):
    """What is to be as great as possible, in this order; the first is n + m - Q."""

    gain: Fraction
    pairs: int
    codes: int
    subcodes: int
    corrections: int
    ranks: int

    def __add__(self, other: Preference) -> Preference:  # type: ignore[override]
        return Preference(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = Preference(Fraction(0), 0, 0, 0, 0, 0)


def exact_loss(x: Fragment, y: Fragment) -> Fraction:
    """L with J over sets of positions; whole-text mistakes are like each other alone."""
    if x.span and y.span:
        mine, theirs = (set(range(each.span.start, each.span.end)) for each in (x, y))
        jaccard = 1 - Fraction(len(mine & theirs), len(mine | theirs))
        begin = x.span.start != y.span.start
    else:
        jaccard = Fraction(x.span != y.span)
        begin = x.span != y.span
    return jaccard + (jaccard == 1) + begin + (alike(x.code) != alike(y.code))


def alike(name: str) -> str:
    return name.strip().casefold()


def words(correction: str) -> str:
    return " ".join(correction.split())


def preference(x: Fragment, y: Fragment, ranks: tuple[int, int]) -> Preference:
    """What one pair adds."""
    return Preference(
        2 - exact_loss(x, y),
        1,
        alike(x.code) == alike(y.code),
        alike(x.subcode) == alike(y.subcode),
        words(x.correction) == words(y.correction) != "",
        (ranks[0] + 1) * (ranks[1] + 1),
    )


def ranks(markup: Markup) -> list[int]:
    """Rank of every fragment in the canonical order, by its index."""

    def key(index: int) -> tuple[object, ...]:
        each = markup.fragments[index]
        span = (each.span.start, each.span.end) if each.span else (-1, -1)
        names = alike(each.code), alike(each.subcode), words(each.correction)
        rest = each.code, each.subcode, each.correction, each.comment, each.explanation
        return (*span, *names, *rest, each.tag, each.kind)

    order = sorted(range(len(markup.fragments)), key=key)
    return [order.index(index) for index in range(len(order))]


def preferences(left: Markup, right: Markup) -> dict[tuple[int, int], Preference]:
    """What every pair of indices would add."""
    of_left, of_right = ranks(left), ranks(right)
    return {
        (i, k): preference(x, y, (of_left[i], of_right[k]))
        for (i, x), (k, y) in product(enumerate(left.fragments), enumerate(right.fragments))
    }


def total(comparison: Comparison) -> Preference:
    """What the pairs of a comparison add up to."""
    each = preferences(comparison.left, comparison.right)
    return sum((each[pair.left, pair.right] for pair in comparison.pairs), NOTHING)


def exhaustive(left: Markup, right: Markup) -> Preference:
    """The best of all matchings, pairs that do not overlap included."""
    each = preferences(left, right)

    @cache
    def best(first: int, free: frozenset[int]) -> Preference:
        if first == len(left.fragments):
            return NOTHING
        alone = best(first + 1, free)
        return max([alone, *(each[first, k] + best(first + 1, free - {k}) for k in free)])

    return best(0, frozenset(range(len(right.fragments))))


def blossom(left: Markup, right: Markup) -> Preference:
    """The best matching as networkx finds it (Edmonds' blossoms, whole numbers)."""
    each = {pair: value for pair, value in preferences(left, right).items() if value.gain > 0}
    scale = lcm(*(value.gain.denominator for value in each.values()))
    field = 10**9
    import networkx as nx  # noqa: PLC0415 - long to read, and few tests ask

    graph = nx.Graph()
    for (i, k), value in each.items():
        weight = int(value.gain * scale)
        for part in value[1:]:
            weight = weight * field + part
        graph.add_edge(("left", i), ("right", k), weight=weight)
    chosen = (sorted(edge) for edge in nx.max_weight_matching(graph))
    return sum((each[i, k] for (_, i), (_, k) in chosen), NOTHING)


def crowded(max_size: int = 5) -> st.SearchStrategy[Markup]:
    """Markups of ten characters, full of overlaps, twins and ties."""
    starts = st.integers(0, len(TEXT) - 1)
    spans = st.builds(
        lambda start, size: Span(start, min(start + size, 10)), starts, st.integers(1, 6)
    )
    fragments = st.builds(
        Fragment,
        span=st.one_of(spans, spans, spans, spans, st.none()),
        code=st.sampled_from(["а", "А ", "б"]),
        subcode=st.sampled_from(["", "", "x", "X"]),
        correction=st.sampled_from(["", "", "to be", "to  be ", "To be", "be"]),
        comment=st.sampled_from(["", "", "why"]),
        id=st.integers(0, 3),
    )
    lists = st.lists(fragments, max_size=max_size)
    return lists.map(lambda found: Markup(TEXT, tuple(found)))


BIG_TEXT = "x" * 2000
FAMILIES = {
    "one code": lambda rng, _: (rng.randrange(480), rng.randrange(500, 1000), "а", ""),
    "two codes": lambda rng, _: (
        rng.randrange(480),
        rng.randrange(500, 1000),
        rng.choice("аб"),
        "",
    ),
    "staircase": lambda _, number: (number, number + 300, "а", ""),
    "nested": lambda _, number: (number, 2000 - number, "а", ""),
    "one place": lambda rng, number: (10, 20, "а", f"to be {number * rng.randrange(3)}"),
    "one beginning": lambda rng, _: (0, rng.randrange(1, 1000), rng.choice("абвг"), ""),
    "one sentence": lambda rng, _: (rng.randrange(9), rng.randrange(10, 19), rng.choice("аб"), ""),
    "anywhere": lambda rng, _: (rng.randrange(900), rng.randrange(900, 1800), rng.choice("аб"), ""),
    "words": lambda rng, _: (start := 7 * rng.randrange(200), start + 5, rng.choice("абв"), ""),
}
"""Big markups that are hard to match: (rng, number) -> start, end, code, correction."""


def crowd(family: str, size: int, seed: int) -> Markup:
    """A markup of one family."""
    rng = random.Random(seed)
    made = (FAMILIES[family](rng, number) for number in range(size))
    return Markup(
        BIG_TEXT,
        tuple(Fragment(Span(a, b), code, correction=words) for a, b, code, words in made),
    )
