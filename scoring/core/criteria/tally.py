"""How often each code stands in a markup, and how many words the essay has.

Regulation, Appendix 3, 3, remark 2: fragments of one code with one tag are one repeated mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from annotator.core.values import CORRECTION_CODE, Markup, fold
from scoring.core.words import Words, words_of

TOKEN: Final = re.compile(r"[^\W_]\S*")
"""A counted word, from its first letter or digit to the next white space; a dash is none."""


class Tally:
    """The fragments of a markup by code.

    ИСП is left out, since it costs no points (1.2), and a block that has no place in the text.
    """

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self._by_code: dict[str, list[int]] = {}
        for index, fragment in enumerate(markup.fragments):
            if not fragment.is_lost_block:
                self._by_code.setdefault(fold(fragment.code), []).append(index)
        self._by_code.pop(fold(CORRECTION_CODE), None)

    def fragments(self, code: str) -> Sequence[int]:
        """Indices of the fragments of a code, in any letter case."""
        return self._by_code.get(fold(code), ())

    def family(self, prefix: str) -> list[Sequence[int]]:
        """The same for each code that begins with ``prefix``, such as «Г.»."""
        beginning = fold(prefix)
        return [found for code, found in self._by_code.items() if code.startswith(beginning)]

    def distinct(self, indices: Iterable[int]) -> int:
        """n(c) of fragments of one code: each untagged one, and each tag once (remark 2)."""
        fragments = self.markup.fragments
        return len({fold(fragments[index].tag) or index for index in indices})

    @property
    def words(self) -> Words:
        """The essay's words; W is their number."""
        return words_of(self.markup.text, TOKEN)

    def words_under(self, indices: Iterable[int]) -> int:
        """How many words belong to any of the fragments; a whole-text mistake has all of them."""
        spans = [self.markup.fragments[index].span for index in indices]
        placed = [span for span in spans if span]
        return self.words.covered(placed) if len(placed) == len(spans) else len(self.words)
