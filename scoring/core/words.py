"""The words of a text by number, and which of them lie under a span."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from re import Pattern
from typing import Final

from annotator.core.values import Span

END: Final = itemgetter(1)


class Words:
    """What a pattern takes for words, found once; a word belongs to a span that shares a
    character with it.
    """

    def __init__(self, text: str, pattern: Pattern[str]) -> None:
        self.places = [word.span() for word in pattern.finditer(text)]

    def __len__(self) -> int:
        return len(self.places)

    def under(self, span: Span) -> range:
        """Numbers of the words that belong to a span, from 0."""
        first = bisect_right(self.places, span.start, key=END)
        return range(first, bisect_left(self.places, (span.end,), lo=first))

    def covered(self, spans: Iterable[Span]) -> int:
        """How many words belong to any of the spans; a word under several counts once."""
        reached = covered = 0
        for numbers in sorted(map(self.under, spans), key=lambda numbers: numbers.start):
            covered += max(0, numbers.stop - max(numbers.start, reached))
            reached = max(reached, numbers.stop)
        return covered


@lru_cache(maxsize=32)
def words_of(text: str, pattern: Pattern[str]) -> Words:
    """The words of an essay; those of the last essays are kept, for each is read several times."""
    return Words(text, pattern)
