"""Counts and metrics of many pairs of markups at once: those of ``counts`` and ``metrics``.

Regulation, Appendix 1. Needs numpy. Every number is the one the functions for a pair give, to the
last bit: whole numbers are counted, sums are rounded once, divisions have the same operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import numpy as np

from annotator.core.classifier import every_classifier
from annotator.core.values import Markup
from compare.core.batch import Columns, Portion
from compare.core.batch.columns import Flags, Ints, as_ints, numbered
from scoring.core.counts import Counts
from scoring.core.localization import WORD
from scoring.core.metrics import Weights
from scoring.core.paraphrase import bare
from scoring.core.words import words_of

Floats = np.ndarray[Any, np.dtype[np.float64]]

NO_STANDARD: Final = -1
HIGH: Final = 2.0**26
"""The higher part of a share of words is a multiple of 1 / HIGH."""
MOST_UNITS: Final = 2**15
MOST_PAIRS: Final = 2**13
"""Up to so many words under two fragments, and pairs of fragments, both parts add up exactly."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What counts need beside places, a value a row of the columns.

    ``first_word`` and ``stop_word``: the words under a fragment, numbered through all texts.
    ``comment``: numbers of comments that say the same, 0 for none. ``standard``: the number of
    the comment that code and subcode stand for, ``NO_STANDARD`` where no fragment has it.
    """

    first_word: Ints
    stop_word: Ints
    comment: Ints
    standard: Ints


@dataclass(frozen=True, slots=True)
class CountColumns:
    """``Counts`` of many pairs, a value a pair; X is the left markup, Y the reference."""

    n: Ints
    m: Ints
    found: Ints
    equal_codes: Ints
    equal_subcodes: Ints
    localization: Floats
    equal_corrections: Ints

    def each(self) -> Iterator[Counts]:
        """The counts pair by pair."""
        columns = (
            self.n,
            self.m,
            self.found,
            self.equal_codes,
            self.equal_subcodes,
            self.localization,
            self.equal_corrections,
        )
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield Counts(*row)


def wording(markups: Sequence[Markup], columns: Columns) -> Wording:
    """Words and comments of the markups ``columns`` were packed from."""
    comments = [each.comment for one in markups for each in one.fragments]
    return wording_of([each.text for each in markups], comments, columns)


def wording_of(texts: Sequence[str], comments: Sequence[str], columns: Columns) -> Wording:
    """The same of the text of each markup and the comment of each fragment, as they were packed."""
    markup = np.repeat(np.arange(len(texts)), columns.sizes)
    first_word, stop_word = _words(texts, columns, markup)
    number, names = numbered(comments, _said, "")
    return Wording(
        first_word,
        stop_word,
        number[columns.first[markup] + columns.index],
        _standards(columns, names),
    )


def count_all(portion: Portion, columns: Columns, words: Wording) -> CountColumns:
    """What ``count`` says of every pair of a portion."""
    pairs = len(portion.left)
    left, right = portion.left_row, portion.right_row

    def tally(flags: Flags) -> Ints:
        return np.bincount(portion.pair[flags], minlength=pairs)

    correction = columns.correction[left]
    return CountColumns(
        n=columns.sizes[portion.left],
        m=columns.sizes[portion.right],
        found=np.bincount(portion.pair, minlength=pairs),
        equal_codes=tally(columns.code[left] == columns.code[right]),
        equal_subcodes=tally(_subcodes_agree(columns, words, left, right)),
        localization=_shares(portion, columns, words),
        equal_corrections=tally((correction > 0) & (correction == columns.correction[right])),
    )


def measure_all(counts: CountColumns) -> Floats:
    """M2 to M6 of every pair in percent, as ``measure`` gives them: (pairs, 5)."""
    both = counts.n + counts.m
    m2 = np.where(both, 200 * counts.found / np.maximum(both, 1), 100.0)
    parts = (
        counts.equal_codes,
        counts.equal_subcodes,
        counts.localization,
        counts.equal_corrections,
    )
    whole = np.maximum(both * counts.n, 1)
    others = [np.where(counts.n, 200 * counts.found * part / whole, m2) for part in parts]
    return np.stack((m2, *others), axis=1)


def accuracies(metrics: Floats, weights: Weights) -> list[float]:
    """M(X, Y) of every pair, as ``pairwise_accuracy`` gives it for weights without w1 and w7."""
    used = [number for number, weight in enumerate(weights.values[1:6]) if weight]
    weighted = metrics[:, used] * np.array(weights.values[1:6])[used]
    total = fsum(weights.values)
    return [fsum(row) / total for row in weighted.tolist()]


def _subcodes_agree(columns: Columns, words: Wording, left: Ints, right: Ints) -> Flags:
    """As ``paraphrase.subcodes_agree`` with ``same_words``."""
    subcode, other = columns.subcode[left], columns.subcode[right]
    agree: Flags = subcode == other
    if not words.comment.any():
        return agree
    comment, answer = words.comment[left], words.comment[right]
    says_standard = (comment > 0) & (comment == words.standard[right])
    says_standard |= (answer > 0) & (answer == words.standard[left])
    by_comment = np.where((comment > 0) & (answer > 0), comment == answer, says_standard)
    unsaid = (subcode == 0) & (other == 0) & ((comment == 0) | (answer == 0))
    agree &= subcode > 0
    agree |= unsaid
    agree |= by_comment
    return agree


def _shares(portion: Portion, columns: Columns, words: Wording) -> Floats:
    """Of each pair the sum of ``jaccard`` of its fragments, rounded once."""
    left, right = portion.left_row, portion.right_row
    first, other_first = words.first_word[left], words.first_word[right]
    stop, other_stop = words.stop_word[left], words.stop_word[right]
    start, other_start = columns.start[left], columns.start[right]
    end, other_end = columns.end[left], columns.end[right]
    bare_spans = np.flatnonzero((first == stop) & (other_first == other_stop))
    for ours, letters in (
        (first, start),
        (stop, end),
        (other_first, other_start),
        (other_stop, other_end),
    ):
        ours[bare_spans] = letters[bare_spans]
    common = np.maximum(np.minimum(stop, other_stop) - np.maximum(first, other_first), 0)
    union = stop - first + other_stop - other_first - common
    share = common / union
    share[(start == other_start) & (end == other_end)] = 1.0
    pairs = len(portion.left)
    if union.max(initial=0) > MOST_UNITS or columns.sizes.max(initial=0) > MOST_PAIRS:
        return _sums_one_by_one(portion.pair, share, pairs)
    high = np.rint(share * HIGH) / HIGH
    sums = np.zeros(pairs)
    for part in (high, share - high):
        sums += np.bincount(portion.pair, part, pairs)
    return sums


def _sums_one_by_one(pair: Ints, share: Floats, pairs: int) -> Floats:
    """The sums by ``fsum``, for markups too big to add parts exactly."""
    order = np.argsort(pair, kind="stable")
    ends = np.cumsum(np.bincount(pair, minlength=pairs))
    return np.array([fsum(each) for each in np.split(share[order], ends)[:pairs]])


def _words(of_markups: Sequence[str], columns: Columns, markup: Ints) -> tuple[Ints, Ints]:
    """The words under each row, from and to, numbered through all texts in their order."""
    texts: dict[str, int] = {}
    text = as_ints(texts.setdefault(each, len(texts)) for each in of_markups)[markup]
    places = [words_of(each, WORD).places for each in texts]
    stretch = 2 + max(map(len, texts), default=0)
    base = np.repeat(np.arange(len(texts)), as_ints(map(len, places))) * stretch
    starts = base + as_ints(start for of_text in places for start, _end in of_text)
    ends = base + as_ints(end for of_text in places for _start, end in of_text)
    first = np.searchsorted(ends, text * stretch + columns.start, side="right")
    stop = np.searchsorted(starts, text * stretch + columns.end, side="left")
    return first, np.maximum(first, stop)


def _said(comment: str) -> str:
    """One name for comments that say the same; that of a blank one is empty."""
    return f"={bare(comment)}" if comment.strip() else ""


def _standards(columns: Columns, comments: Sequence[str]) -> Ints:
    """Of each row the number of the standard comment of its subcode among the comments."""
    numbers = {name: number for number, name in enumerate(comments) if name}
    subcodes = len(columns.names.subcode)
    kinds, kind = np.unique(columns.code * subcodes + columns.subcode, return_inverse=True)
    standards = []
    for each in kinds.tolist():
        code, subcode = divmod(each, subcodes)
        names = columns.names.code[code], columns.names.subcode[subcode]
        standard = every_classifier().standard_comment(*names)
        standards.append(numbers.get(_said(standard), NO_STANDARD) if standard else NO_STANDARD)
    return as_ints(standards)[kind]
