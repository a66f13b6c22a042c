"""Text that every database and every browser takes."""

from __future__ import annotations

import re
from typing import Final

SURROGATE: Final = re.compile("[\ud800-\udfff]")
UNSOUND: Final = re.compile("[\0\ud800-\udfff]")
"""What no database takes in a text: NUL and halves of surrogate pairs."""


def sound(text: str) -> str:
    """The text with a sign of replacement for each that no database takes."""
    return UNSOUND.sub("\N{REPLACEMENT CHARACTER}", text)
