"""The signs of the markup language (Appendix 3, 1.2 and 1.3)."""

from __future__ import annotations

import re
from typing import Final

OPENING: Final = {"(\\": "\\)", "(*": "*)"}
"""Opening bracket -> the closing bracket of its kind."""

CLOSING: Final = frozenset(OPENING.values())

CODE_END: Final = "\\"
"""Ends the codes; met a second time it ends the text and begins the comment."""

ELEMENTS: Final = {"\\": "comment", "::": "explanation", ">>": "correction", "#": "tag"}
"""Starting sign -> the field of a fragment it begins."""

SIGN: Final = re.compile(r"(\(\\|\(\*|\\\)|\*\)|\\|::|>>|#)")
"""Every sign, leftmost first; outside brackets only the brackets themselves are signs."""

LOOKS_LIKE_A_CODE: Final = re.compile(r"[^\W\d_]+\.(?:[^\W\d_]+|[^\W\d_]{2,}\.)")
"""«х.zzz»: letters, a dot, letters (1.3); a stray full stop may follow, «т.е.» is a word."""
