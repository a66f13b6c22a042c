"""A markup as a table: a row a fragment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from annotator.core.values import Markup, in_reading_order

COLUMNS: Final = (
    *("start", "end", "text", "code", "subcode"),
    *("correction", "comment", "explanation", "tag"),
)


def fragment_table(markup: Markup) -> Iterator[Sequence[object]]:
    """The head and a row a fragment in reading order, each by ``COLUMNS``.

    ``start`` and ``end`` count code points from 0, ``end`` is the first one after; both are empty,
    as the text is, for a mistake of the whole text.
    """
    yield COLUMNS
    for fragment in in_reading_order(markup.fragments):
        span = fragment.span
        place = (span.start, span.end) if span else ("", "")
        words = (getattr(fragment, name) for name in COLUMNS[3:])
        yield (*place, markup.covered(fragment), *words)
