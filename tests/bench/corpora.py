"""Drawn essays with the markups of experts and participants, and all their pairs in bulk.

``python -m tests.bench.corpora 50`` matches and counts the drawn essays' pairs, each fifty times.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject
from compare.core.batch import Columns, Corpus, match_all, pack
from scoring.core.batch import Wording, count_all, measure_all, wording
from tests.bench.essays import text_of

EXPERTS, PARTICIPANTS = 3, 50
ESSAYS = 20


def drawn_essays() -> list[list[Markup]]:
    return [drawn_essay(seed) for seed in range(ESSAYS)]


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


def bulk(corpus: Corpus, words: Wording) -> tuple[float, int]:
    """Seconds of processor time, and pairs."""
    began = time.process_time()
    pairs = 0
    for portion in match_all(corpus):
        measure_all(count_all(portion, corpus.columns, words))
        pairs += len(portion.left)
    return time.process_time() - began, pairs


def main(turns: int) -> None:
    markups = [markup for essay in drawn_essays() for markup in essay]
    columns = pack(markups)
    bulk(*repeated(columns, wording(markups, columns), turns))


if __name__ == "__main__":
    main(int(sys.argv[1]))
