"""Corpora to match in bulk: full of overlaps, twins, ties and names in several spellings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.core.classifier import every_classifier
from annotator.core.values import Fragment, Markup, Span
from compare.core.batch import Columns, Corpus, Portion, pack

PIECES = ["кот", "Sport", " ", ", ", "-", "’", "don’t", "\n", "x", " "]
STANDARDS = [
    (category.code, item.code, item.comment["ru"])
    for category in every_classifier().categories
    for item in category.subcategories
][:6]

RANDOM_PAIRS = 20_000
"""So many random pairs at least are drawn by all seeds together, but in the fast tier."""
SEEDS = 4


@dataclass(frozen=True)
class Essays:
    """Markups, of each its essay and whether it is a reference."""

    markups: Sequence[Markup]
    essay: Sequence[int]
    is_reference: Sequence[bool]

    def pairs(self) -> Iterable[tuple[int, int]]:
        of_essay: dict[int, list[int]] = {}
        for markup, essay in enumerate(self.essay):
            of_essay.setdefault(essay, []).append(markup)
        for markup, essay in enumerate(self.essay):
            for other in of_essay[essay]:
                if other != markup and self.is_reference[other]:
                    yield markup, other

    def corpus(self, columns: Columns | None = None) -> Corpus:
        columns = pack(self.markups) if columns is None else columns
        return Corpus(
            columns, np.array(self.essay, dtype=np.int64), np.array(self.is_reference, dtype=bool)
        )


def drawn_essays(number: int, seed: int) -> Essays:
    """Two to four markups an essay, from none to thirty fragments each."""
    chance = random.Random(seed)
    markups: list[Markup] = []
    essay: list[int] = []
    is_reference: list[bool] = []
    for place in range(number):
        text = "".join(chance.choice(PIECES) for _ in range(chance.choice([1, 3, 10, 40])))
        most = chance.choice([3, 6, 12, 30])
        for turn in range(chance.choice([2, 2, 3, 4])):
            size = chance.randint(0, most)
            markups.append(Markup(text, tuple(drawn_fragment(chance, text) for _ in range(size))))
            essay.append(place)
            is_reference.append(turn == 0 or chance.random() < 0.5)
    return Essays(markups, essay, is_reference)


def drawn_fragment(chance: random.Random, text: str) -> Fragment:
    code, subcode, comment = chance.choice(STANDARDS)
    start = chance.randrange(len(text))
    end = min(len(text), start + chance.randint(1, chance.choice([1, 2, 6, len(text)])))
    return Fragment(
        None if chance.random() < 0.06 else Span(start, end),
        chance.choice([code, code.lower() + " ", "а", "б"]),
        subcode=chance.choice(["", "", subcode, f"{subcode} ", "x", "X"]),
        correction=chance.choice(["", "", "to be", "to  be ", "To be", " "]),
        comment=chance.choice(
            ["", "", "", comment, f"{comment.upper()}!", "why", "Why?", "?", " "]
        ),
    )


def found_pairs(portions: Iterable[Portion], columns: Columns) -> dict[tuple[int, int], list]:
    """Of each two markups the indices of the fragments that belong together, ascending."""
    found: dict[tuple[int, int], list] = {}
    for portion in portions:
        markups = list(zip(portion.left.tolist(), portion.right.tolist(), strict=True))
        found |= {pair: [] for pair in markups}
        rows = (portion.pair, columns.index[portion.left_row], columns.index[portion.right_row])
        for pair, left, right in zip(*(column.tolist() for column in rows), strict=True):
            found[markups[pair]].append((left, right))
    return {markups: sorted(pairs) for markups, pairs in found.items()}
