"""Many pairs of markups at once, beside one pair at a time and the usual libraries."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject
from compare.core.batch import Columns, Corpus, match_all, pack
from compare.core.matcher import match
from scoring.core.batch import Wording, count_all, measure_all, wording
from scoring.core.counts import count
from scoring.core.metrics import measure
from tests.bench.cores import dense_assignment, graph_matching
from tests.bench.essays import text_of
from tests.bench.timing import peak

EXPERTS, PARTICIPANTS = 3, 50
TURNS, MILLION = 50, 320
"""The drawn essays stand so many times in the large corpus, and in one of a million pairs."""
ESSAYS = 20
FEW = 200
"""Pairs the slow ones are measured with."""


def figures() -> Iterator[str]:
    """Pairs a second of processor time."""
    essays = [drawn_essay(seed) for seed in range(ESSAYS)]
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
        yield line(f"in bulk, with counts and M2 to M6, {pairs}", pairs / seconds)
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


def bulk(corpus: Corpus, words: Wording) -> tuple[float, int]:
    """Seconds of processor time, and pairs."""
    began = time.process_time()
    pairs = 0
    for portion in match_all(corpus):
        measure_all(count_all(portion, corpus.columns, words))
        pairs += len(portion.left)
    return time.process_time() - began, pairs


def one_by_one(way: Callable[[Markup, Markup], object], pairs: Sequence[list[Markup]]) -> float:
    began = time.process_time()
    for one, other in pairs:
        way(one, other)
    return time.process_time() - began


def repeated(columns: Columns, words: Wording, turns: int) -> tuple[Corpus, Wording]:
    """The corpus of the essays as often as asked."""
    markups = len(columns.sizes)
    size = EXPERTS + PARTICIPANTS
    rows = [
        np.tile(each, turns)
        for each in (
            columns.index,
            columns.start,
            columns.end,
            columns.code,
            columns.subcode,
            columns.correction,
            columns.rest,
        )
    ]
    first = np.concatenate(([0], np.cumsum(np.tile(columns.sizes, turns))))
    corpus = Corpus(
        Columns(first, *rows, columns.names),
        np.arange(markups * turns) // size,
        np.arange(markups * turns) % size < EXPERTS,
    )
    of_rows = (words.first_word, words.stop_word, words.comment, words.standard)
    return corpus, Wording(*(np.tile(each, turns) for each in of_rows))


class Ground(NamedTuple):
    """An essay, where its words begin, and the codes it may be marked with."""

    text: str
    words: list[int]
    codes: list[str]


def drawn_essay(seed: int) -> list[Markup]:
    """Markups of one essay: those of experts, then those of participants, who err more."""
    rng = random.Random(seed)
    text = text_of(rng.randrange(230, 340), rng)
    words = [place for place, sign in enumerate(text) if not place or text[place - 1] in " \n"]
    categories = classifier_of(Subject.ENGLISH).categories
    ground = Ground(text, words, [each.code for each in categories if not each.whole_text_only])
    true = [drawn_place(rng, ground) for _ in range(rng.randrange(20, 62))]
    return [
        Markup(text, tuple(marked(rng, ground, true, 0.75 if expert else 0.6)))
        for expert in [True] * EXPERTS + [False] * PARTICIPANTS
    ]


def drawn_place(rng: random.Random, ground: Ground) -> tuple[int, int, str]:
    """The first word, how many words, the code."""
    size = rng.choice([1, 1, 1, 2, 2, 3, 5, 9, 30])
    return rng.randrange(len(ground.words) - 1), size, rng.choice(ground.codes)


def marked(
    rng: random.Random, ground: Ground, true: Sequence[tuple[int, int, str]], kept: float
) -> Iterator[Fragment]:
    """What one of them saw of the true places, moved now and then, and some more."""
    words = ground.words
    seen = [each for each in true if rng.random() < kept]
    seen += [drawn_place(rng, ground) for _ in range(max(10 - len(seen), len(seen) // 7))]
    for first, size, code in seen[:60]:
        begin = min(max(0, first + rng.choice([0, 0, 0, 0, -1, 1])), len(words) - 1)
        stop = min(begin + max(1, size + rng.choice([0, 0, 0, -1, 1])), len(words))
        end = words[stop] - 1 if stop < len(words) else len(ground.text)
        given = code if rng.random() < 0.85 else rng.choice(ground.codes)
        correction = f"word {rng.randrange(3)}" if rng.random() < 0.4 else ""
        yield Fragment(Span(words[begin], end), given, correction=correction)
