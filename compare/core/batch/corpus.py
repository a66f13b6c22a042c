"""Which markups are compared: of every essay each markup with each reference but itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from compare.core.batch.columns import Columns, Flags, Ints

LEAST: Final = 1
"""Even an empty markup costs something."""
NONE: Final = -1


@dataclass(frozen=True, slots=True)
class Corpus:
    """Markups of essays: those of an essay stand together.

    ``essay``: (markups,) its number from 0, never descending. ``is_reference``: (markups,)
    whether the others of the essay are compared with it: an expert's markup, or Y of a pair.
    """

    columns: Columns
    essay: Ints
    is_reference: Flags


@dataclass(frozen=True, slots=True)
class Grid:
    """The pairs of a corpus by number, in the order of the left markups, then of the references.

    A reference's pair with itself has a number too. ``reference``: the references, as markups.
    ``first``: (essays + 1,) where those of an essay begin in ``reference``. ``slot``: of each
    markup which reference of its essay it is; ``NONE`` of others. ``pair``: (markups + 1,) the
    number of each markup's first pair as the left one.
    """

    corpus: Corpus
    reference: Ints
    first: Ints
    slot: Ints
    pair: Ints

    @property
    def references(self) -> Ints:
        """How many references the essay of each markup has."""
        return np.diff(self.first)[self.corpus.essay]

    def pairs(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """The left and the right markups of all pairs of the left markups ``begin`` to ``end``."""
        lefts = np.arange(begin, end)
        counts = self.references[begin:end]
        left, right = expand(self.first[self.corpus.essay[lefts]], counts)
        return lefts[left], self.reference[right]

    def cuts(self, work: int, begin: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
        """Left markups from and to, in parts of about ``work`` fragments times references."""
        sizes = self.corpus.columns.sizes[begin:end]
        done = np.cumsum(np.maximum(sizes, LEAST) * np.maximum(self.references[begin:end], LEAST))
        first = 0
        while first < len(done):
            before = done[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(done, before + work, side="right")))
            yield begin + first, begin + last
            first = last


def grid_of(corpus: Corpus) -> Grid:
    """The pairs of a corpus."""
    essays = int(corpus.essay[-1]) + 1 if len(corpus.essay) else 0
    reference = np.flatnonzero(corpus.is_reference)
    first = np.searchsorted(corpus.essay[reference], np.arange(essays + 1))
    place = np.cumsum(corpus.is_reference) - 1 - first[corpus.essay]
    slot = np.where(corpus.is_reference, place, NONE)
    pair = np.concatenate(([0], np.cumsum(np.diff(first)[corpus.essay])))
    return Grid(corpus, reference, first, slot, pair)


def expand(first: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Ranges that begin at ``first`` and have ``counts`` numbers: of which range, and which."""
    owner = np.repeat(np.arange(len(counts)), counts)
    begun = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (first - begun)[owner]
