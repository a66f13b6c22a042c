"""Figures of an entry in bulk are those of its pairs one by one; digests stay as they were."""

from __future__ import annotations

from hashlib import sha256
from math import fsum

from hypothesis import given
from hypothesis import strategies as st

from scoring.core.counts import Counts
from scoring.core.entry_figures import Compared, Figures, figures_of
from scoring.core.metrics import measure


@st.composite
def compared(draw):
    """Pairs of an entry over some essays, in any order; M1 and the accuracy may be undefined."""
    pairs = []
    for place in range(draw(st.integers(1, 12))):
        n, m = draw(st.integers(0, 40)), draw(st.integers(0, 40))
        found = draw(st.integers(0, min(n, m)))
        codes, subcodes, corrections = (draw(st.integers(0, found)) for _ in range(3))
        percent = st.none() | st.floats(0, 100)
        counts = (n, m, found, codes, subcodes, draw(st.floats(0, found)), corrections)
        essay = f"{draw(st.integers(1, 4)):04}"
        pairs.append(Compared(essay, place, 99, counts, draw(percent), draw(percent)))
    return draw(st.permutations(pairs))


@given(compared())
def test_metrics_of_an_entry_are_the_means_of_those_of_its_pairs(pairs):
    one_by_one: dict[str, list[tuple[float | None, ...]]] = {}
    for each in pairs:
        values = measure(Counts(*each.counts), m1=each.m1).values[:6]
        one_by_one.setdefault(each.essay, []).append(values)

    expected = []
    for number in range(6):
        of_essays = [
            [row[number] for row in rows if row[number] is not None] for rows in one_by_one.values()
        ]
        means = [fsum(each) / len(each) for each in of_essays if each]
        expected.append(fsum(means) / len(means) if means else None)

    assert figures_of(pairs, {}, 0.5).metrics == tuple(expected)


@given(compared())
def test_digests_of_an_entry_are_those_of_earlier_runs(pairs):
    ordered = sorted(pairs, key=lambda each: (each.essay, each.assessed))
    markups, counts = sha256(), sha256()
    for each in ordered:
        markups.update(repr((each.assessed, each.reference)).encode())
        counts.update(repr((Counts(*each.counts), each.m1)).encode())

    found = figures_of(pairs, {}, 0.5)

    assert (found.markups, found.counts) == (markups.hexdigest(), counts.hexdigest())


def test_an_entry_without_pairs_has_no_figures():
    nothing = sha256().hexdigest()

    assert figures_of((), {}, 0.5) == Figures(0, None, None, (None,) * 6, nothing, nothing)
