"""A problem: what is wrong with a rule, with an answer or with a file of answers, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

SHOWN: Final = 40
"""So many signs of a stranger's word are repeated in a sentence."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``code`` is stable; ``messages.describe`` turns it into a sentence.

    The place: an atom or a combo by its id; a line of a file, counted from 1; a column of that
    line, or of the combo's expression, counted from 1. ``blocks`` tells that nothing can be
    scored because of it; what does not block is a warning.
    """

    code: str
    atom: str | None = None
    combo: str | None = None
    line: int | None = None
    column: int | None = None
    blocks: bool = True
    fields: Mapping[str, object] = field(default_factory=dict)


def shown(word: str, most: int = SHOWN) -> str:
    """A stranger's word, fit to be repeated: short, and without signs a terminal would obey."""
    short = word if len(word) <= most else word[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
