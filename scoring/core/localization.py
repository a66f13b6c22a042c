"""How well two fragments cover the same words (M5).

Regulation, Appendix 1, M5; what a word is, and what becomes of fragments without one, are
readings 22 and 23 of markup.md.
"""

from __future__ import annotations

import re
from typing import Final

from annotator.core.values import Span
from scoring.core.words import Words

WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
"""A maximal run of letters and digits, with a hyphen or an apostrophe inside (markup.md 22)."""


def jaccard(words: Words, left: Span | None, right: Span | None) -> float:
    """Words in common over words in all, 0 to 1; ``None`` is the whole text.

    Two spans without a word are compared by characters (markup.md 23).
    """
    if left == right:
        return 1.0
    if left is None or right is None:
        return 0.0
    first, second = words.under(left), words.under(right)
    if not first and not second:
        first, second = range(left.start, left.end), range(right.start, right.end)
    common = max(0, min(first.stop, second.stop) - max(first.start, second.start))
    return common / (len(first) + len(second) - common)
