"""The order of names as people read them: “Expert 2” before “Expert 10”."""

from __future__ import annotations

import re
from typing import Final

DIGITS: Final = re.compile(r"([0-9]+)")
NaturalKey = tuple[tuple[str, int, str], ...]


def natural(words: str) -> NaturalKey:
    """What to sort words by: case does not matter, and a row of digits counts as its number."""
    parts = DIGITS.split(words.casefold())
    texts, numbers = parts[::2], [*parts[1::2], ""]
    return tuple(
        (text, int(number or -1), number) for text, number in zip(texts, numbers, strict=True)
    )
