from __future__ import annotations

from bisect import bisect_right


class Lines:
    """Line and column of any offset of a text, found in logarithmic time."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        self._starts += [at + 1 for at, sign in enumerate(text) if sign == "\n"]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the code point at ``offset``, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
