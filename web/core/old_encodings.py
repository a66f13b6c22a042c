"""Texts in one byte a sign, from before UTF-8: which of the Russian encodings it is."""

from __future__ import annotations

from typing import Final

NAMES: Final = {"cp1251": "Windows-1251", "koi8-r": "KOI8-R", "cp866": "CP866"}


def old_encoding(data: bytes) -> str:
    """The name of the old Russian encoding in which most foreign bytes come out as lower-case
    Cyrillic; nothing where that is too few of them. Python knows the encodings by these names.
    """
    foreign = bytes(byte for byte in data if byte > 127)
    scores = {
        codec: sum("а" <= sign <= "я" for sign in foreign.decode(codec, "replace"))
        for codec in NAMES
    }
    best = max(scores, key=lambda codec: scores[codec])
    return NAMES[best] if scores[best] > max(3, len(foreign) // 2) else ""
