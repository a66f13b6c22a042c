"""Where a text that was sent departs from the essay, in words a person can find."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Final

from annotator.core.problems import Problem

SHOWN: Final = 5
"""So many words of each text are shown from the difference on."""
LONGEST: Final = 80
WORD: Final = re.compile(r"\S+")
NOTHING: Final = "…"
"""Stands where one of the texts has ended."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first word that differs: its ``line`` in the essay, from 1, and what stands from there on
    in the essay (``theirs``) and in what was sent (``ours``).
    """

    line: int
    theirs: str
    ours: str


def first_difference(essay: str, sent: str) -> Difference:
    """Where two texts differ first, white space aside; of equal ones the end."""
    words, others = list(WORD.finditer(essay)), list(WORD.finditer(sent))
    pairs = zip_longest(words, others)
    number = next(
        (at for at, (a, b) in enumerate(pairs) if a is None or b is None or a[0] != b[0]),
        len(words),
    )
    start = words[number].start() if number < len(words) else len(essay.rstrip())
    return Difference(essay.count("\n", 0, start) + 1, _from(words, number), _from(others, number))


def other_text(essay: str, sent: str) -> Problem:
    """The text of another essay was sent, or a changed one: what is wrong, and where."""
    fields = _fields_of(essay, sent)
    return Problem("err-text-handler-callback", path="text", fields=fields)


def _fields_of(essay: str, sent: str) -> dict[str, object]:
    """``space``: they differ in white space only."""
    if essay.split() == sent.split():
        pairs = enumerate(zip(essay, sent, strict=False))
        start = next((at for at, (a, b) in pairs if a != b), min(len(essay), len(sent)))
        return {"line": essay.count("\n", 0, start) + 1, "space": True}
    return asdict(first_difference(essay, sent))


def _from(words: list[re.Match[str]], number: int) -> str:
    found = " ".join(word[0] for word in words[number : number + SHOWN])
    shown = found if len(found) <= LONGEST else found[: LONGEST - 1] + NOTHING
    return shown or NOTHING
