"""A problem: what is wrong with a file or a markup, where, and how grave it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``code`` is stable; ``messages.describe`` turns it into a sentence.

    ``number`` is the error's number in the regulation (Appendix 3, 1.6), for the bracket
    language only. A place is a line and a column, counted from 1; or the path of a JSON value
    (``selections[3].type``); or the number of a fragment, counted from 1. ``blocks`` tells
    that a markup with this problem cannot be handed in.
    """

    code: str
    number: int | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    fragment: int | None = None
    blocks: bool = True
    fields: Mapping[str, object] = field(default_factory=dict)


class Lines:
    """Line and column of any offset of a text, found in logarithmic time."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        self._starts += [at + 1 for at, sign in enumerate(text) if sign == "\n"]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the code point at ``offset``, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
