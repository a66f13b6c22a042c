"""The longest common subsequences of one text with many strings, all in one pass.

A bit for every sign of every string, one guard bit between two strings: adding carries along a
string and stops at its guard (the bit-parallel recurrence of Crochemore et al. 2001 and Hyyrö
2004). As quick as a compiled library string by string, without one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


class Subsequences:
    """Strings prepared to be held against many texts."""

    def __init__(self, strings: Sequence[str]) -> None:
        bits: dict[str, int] = defaultdict(int)
        self._segments: list[tuple[int, int]] = []
        self._open = at = 0
        for string in strings:
            for offset, sign in enumerate(string, at):
                bits[sign] |= 1 << offset
            segment = (1 << len(string)) - 1
            self._segments.append((at, segment))
            self._open |= segment << at
            at += len(string) + 1
        self._bit_of = dict(bits).get

    def lengths(self, text: str) -> list[int]:
        """The length of the longest common subsequence of ``text`` with each string, in signs."""
        every = still_open = self._open
        for bit in map(self._bit_of, text):
            if bit:
                found = still_open & bit
                still_open = ((still_open + found) | (still_open - found)) & every
        taken = still_open ^ every
        return [(taken >> at & segment).bit_count() for at, segment in self._segments]
