"""Many pairs of markups at once, beside one pair at a time and the usual libraries."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from annotator.core.values import Markup
from compare.core.batch import pack
from compare.core.matcher import match
from scoring.core.batch import wording
from scoring.core.counts import count
from scoring.core.metrics import measure
from tests.bench.cores import dense_assignment, graph_matching
from tests.bench.corpora import bulk, drawn_essays, repeated
from tests.bench.processes import spent
from tests.bench.timing import peak

TURNS, MILLION = 50, 320
"""The drawn essays stand so many times in the large corpus, and in one of a million pairs."""
FEW = 200
"""Pairs the slow ones are measured with."""


def figures() -> Iterator[str]:
    """Pairs a second of processor time."""
    essays = drawn_essays()
    markups = [markup for essay in essays for markup in essay]
    sizes = [len(markup.fragments) for markup in markups]
    yield f"{min(sizes)} to {max(sizes)} fragments a markup, {np.median(sizes):.0f} in the middle"
    began = time.process_time()
    columns = pack(markups)
    words = wording(markups, columns)
    packing = (time.process_time() - began) / len(markups)
    yield f"{'packing':<44}{packing * 1e6:>10.0f} µs a markup"
    for turns in (1, 10, TURNS, MILLION):
        seconds, pairs = bulk(*repeated(columns, words, turns))
        _, most = spent([sys.executable, "-m", "tests.bench.corpora", str(turns)])
        speed = line(f"in bulk, with counts and M2 to M6, {pairs}", pairs / seconds)
        yield f"{speed}, the whole process {most:.0f} MiB"
    rng = random.Random(0)
    some = [rng.sample(rng.choice(essays), 2) for _ in range(FEW)]
    ways: dict[str, Callable[[Markup, Markup], object]] = {
        "one pair at a time, with counts and M2 to M6": lambda x, y: measure(count(match(x, y))),
        "scipy's linear_sum_assignment, a pair": dense_assignment,
        "networkx's max_weight_matching, a pair": graph_matching,
    }
    for name, way in ways.items():
        yield line(name, FEW / min(one_by_one(way, some) for _ in range(3)))
    corpus, all_words = repeated(columns, words, TURNS)
    most = peak(lambda: bulk(corpus, all_words))
    yield f"{'memory in bulk at its peak, beside the columns':<48}{most / 2**20:>6.0f} MiB"


def line(name: str, speed: float) -> str:
    return f"{name:<44}{speed:>10,.0f} pairs a second"


def one_by_one(way: Callable[[Markup, Markup], object], pairs: Sequence[list[Markup]]) -> float:
    began = time.process_time()
    for one, other in pairs:
        way(one, other)
    return time.process_time() - began
