"""One answer while it is being scored: its blanks, and what the atoms have said about its texts.

Source: 2.2.1.1; readings: schemes.md 2.3, 1 and 3 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final

from schemes.core.coscore.errors import AnswerError
from schemes.core.coscore.limits import MAX_ANSWER, MAX_BLANKS, MAX_WORK
from schemes.core.coscore.matching import Matcher, Verdict
from schemes.core.coscore.problems import Problem

EMPTY: Final = frozenset(["", "null"])
"""What counts as an empty blank; a blank of white space does not (5)."""


class Answer:
    """The blanks of an answer; asks every atom at most once about a text."""

    __slots__ = ("_matchers", "_work", "blanks", "joined", "verdicts")

    def __init__(
        self, blanks: tuple[str, ...], matchers: Mapping[str, tuple[Matcher, int]]
    ) -> None:
        self.blanks = blanks
        self.joined = "".join(blanks)
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self._matchers = matchers
        self._work = 0

    def verdict(self, atom: str, text: str) -> Verdict:
        """What an atom says about a text. Raises ``AnswerError`` when that is too much work."""
        known = self.verdicts.get((atom, text))
        if known is not None:
            return known
        matcher, weight = self._matchers[atom]
        self._work += (len(text) + 1) * weight
        if self._work > MAX_WORK:
            raise AnswerError("too-much-work", atom=atom, limit=MAX_WORK)
        said = self.verdicts[atom, text] = matcher.verdict(text)
        return said


def refuse(blanks: object) -> Problem | None:
    """Why an answer cannot be scored at all; ``None`` when it can be tried."""
    if not isinstance(blanks, list | tuple) or not all(isinstance(each, str) for each in blanks):
        return Problem("answer-not-texts")
    if len(blanks) > MAX_BLANKS:
        return Problem("too-many-blanks", fields={"count": len(blanks), "limit": MAX_BLANKS})
    size = sum(map(len, blanks))
    if size > MAX_ANSWER:
        return Problem("answer-too-long", fields={"count": size, "limit": MAX_ANSWER})
    return None


def is_empty(blank: str) -> bool:
    """Q(n): is the blank empty?"""
    return blank in EMPTY


def filled(blanks: tuple[str, ...]) -> int:
    """Q('*'): how many blanks are not empty."""
    return sum(not is_empty(blank) for blank in blanks)


def number_of(text: str) -> float:
    """F: the number a text is; 0 for what is none, and for what is not finite (4)."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if isfinite(number) else 0.0
