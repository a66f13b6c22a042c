"""What letters tell of the language of a text that somebody typed."""

from __future__ import annotations

import re
from typing import Final

CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
LATIN: Final = re.compile("[A-Za-z]")


def language_by_letters(text: str) -> str:
    """``ru`` where most letters are Cyrillic; else empty: many languages are written in Latin."""
    return "ru" if len(CYRILLIC.findall(text)) > len(LATIN.findall(text)) else ""
