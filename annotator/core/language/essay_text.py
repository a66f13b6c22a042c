"""The essay's own text, put together from the pieces between the signs."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, zip_longest


class EssayText:
    """Pieces of essay text and where in the marked file each came from."""

    def __init__(self, source: str | None) -> None:
        self.length = 0
        self._pieces: list[str] = []
        self._origins: list[int] = []
        self._source = source
        self._solid_source = "" if source is None else solid(source)
        self._solid_length = 0

    def __str__(self) -> str:
        return "".join(self._pieces)

    def put(self, piece: str, origin: int, floor: int) -> None:
        """Add a piece, without white space right at ``floor``, where a bracket's text begins."""
        if self.length == floor:
            stripped = piece.lstrip()
            origin += len(piece) - len(stripped)
            piece = stripped
        if piece:
            self._pieces.append(piece)
            self._origins.append(origin)
            self.length += len(piece)
            if self._solid_source:
                self._solid_length += len(solid(piece))

    def trim(self, floor: int) -> None:
        """Drop white space at the end, back to ``floor``, which is a border of pieces."""
        while self.length > floor:
            kept = self._pieces[-1].rstrip()
            self.length -= len(self._pieces[-1]) - len(kept)
            if kept:
                self._pieces[-1] = kept
                return
            self._pieces.pop()
            self._origins.pop()

    def goes_on_with(self, words: str) -> bool:
        """Does the unmarked essay, if known, go on with these words?"""
        wanted = solid(words)
        return bool(wanted) and self._solid_source.startswith(wanted, self._solid_length)

    def difference(self) -> int | None:
        """Where the text leaves the unmarked essay, white space collapsed (error 8)."""
        if self._source is None:
            return None
        ours, theirs = " ".join(str(self).split()), " ".join(self._source.split())
        if ours == theirs:
            return None
        pairs = enumerate(zip_longest(ours, theirs))
        parts = next(index for index, (our, their) in pairs if our != their)
        return _place_of_solid(str(self), len(solid(ours[:parts])))

    def origin(self, at: int) -> int:
        """The offset in the marked file of a position in the text."""
        if not self._pieces:
            return 0
        starts = list(accumulate(map(len, self._pieces[:-1]), initial=0))
        index = bisect_right(starts, at) - 1
        return self._origins[index] + at - starts[index]


def solid(text: str) -> str:
    """The text without its white space."""
    return "".join(text.split())


def _place_of_solid(text: str, index: int) -> int:
    """The position in ``text`` of its ``index``-th code point that is not white space."""
    for at, sign in enumerate(text):
        if not sign.isspace():
            if not index:
                return at
            index -= 1
    return len(text)
