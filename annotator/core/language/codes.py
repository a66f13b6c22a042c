"""The codes at the head of a bracket: types, each perhaps with its subcode (Appendix 3, 1.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from annotator.core.classifier import Classifier
from annotator.core.values import Fragment

WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Codes:
    """The known codes a text begins with, and what follows them.

    ``known`` has a bare fragment for each code: without a span and without elements.
    ``unknown`` are the words after the last known code; ``rest`` is the offset in the text at
    which they begin (its length when there are none).
    """

    known: tuple[Fragment, ...]
    unknown: tuple[str, ...]
    rest: int


class CodeReader:
    """Reads codes by a classifier; what was read once is remembered."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self._memory: dict[str, Codes] = {}

    def read(self, text: str) -> Codes:
        """Types and subcodes from the left; the first unknown word ends them."""
        codes = self._memory.get(text)
        if codes is None:
            codes = self._memory[text] = self._read(text)
        return codes

    def _read(self, text: str) -> Codes:
        known: list[tuple[str, str]] = []
        words = list(WORD.finditer(text))
        for index, word in enumerate(words):
            if not self._take(word[0], known):
                unknown = tuple(item[0] for item in words[index:])
                return Codes(self._bare(known), unknown, word.start())
        return Codes(self._bare(known), (), len(text))

    def _take(self, word: str, known: list[tuple[str, str]]) -> bool:
        """Add a word to ``known`` as the subcode of the last type, or as a type."""
        if known and not known[-1][1]:
            category = self._classifier.find(known[-1][0])
            if category and category.subcategory(word):
                known[-1] = (known[-1][0], word)
                return True
        if self._classifier.find(word) is None:
            return False
        known.append((word, ""))
        return True

    def _bare(self, known: list[tuple[str, str]]) -> tuple[Fragment, ...]:
        kind = self._classifier.kind
        return tuple(Fragment(None, code, subcode, kind=kind(code)) for code, subcode in known)
