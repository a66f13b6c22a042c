"""Texts in one byte a sign, from before UTF-8: which of the Russian encodings it is."""

from __future__ import annotations

import re
from typing import Final

NAMES: Final = {"cp1251": "Windows-1251", "koi8-r": "KOI8-R", "cp866": "CP866"}
WORDS: Final = re.compile("(?:[^\\W\\d_]|[\u2500-\u259f])+")
"""Letters in a row, and the lines of tables that other encodings have in the place of letters."""
RUSSIAN: Final = re.compile("[А-Яа-яЁё]{2,}")
COMMON: Final = frozenset("оеаинтсрвлОЕАИНТСРВЛ")
"""Two of three letters of any Russian text, in its headings too."""


def old_encoding(data: bytes, *, lead: int = 0) -> str:
    """The name of the old Russian encoding in which most foreign bytes come out as Russian words;
    nothing where few do, or where the next best one is within a ``lead`` of so many letters.
    Python knows the encodings by these names.
    """
    foreign = sum(byte > 127 for byte in data)
    scores = {codec: _russian(data.decode(codec, "replace")) for codec in NAMES}
    best, second, *_rest = sorted(NAMES, key=lambda codec: -scores[codec])
    is_told = scores[best] > max(3, foreign // 2) and scores[best] >= scores[second] + lead
    return NAMES[best] if is_told else ""


def _russian(text: str) -> int:
    """How many letters stand in Russian words, the commonest twice.

    The wrong encoding swaps capitals and small letters: in the midst of a word no capital begins.
    """
    words = (word for word in WORDS.findall(text) if RUSSIAN.fullmatch(word))
    cased = [word for word in words if word.islower() or word.istitle() or word.isupper()]
    return sum(1 + (sign in COMMON) for word in cased for sign in word)
