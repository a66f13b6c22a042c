"""Examples that point at the place of a fault: «¦» stands before it and is not part of the file."""

from __future__ import annotations

from annotator.core.language.faults import NUMBERS
from annotator.core.problems import Problem
from annotator.core.values import Fragment
from tests.strategies import fragment


def pointed(marked: str, *faults: tuple[str, dict[str, object]]) -> tuple[str, list[Problem]]:
    """The file without its pointers, and a problem for each pointer, in their order."""
    pieces = marked.split("¦")
    assert len(pieces) == len(faults) + 1
    problems, before = [], ""
    for piece, (code, fields) in zip(pieces[:-1], faults, strict=True):
        before += piece
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        found = Problem(code, NUMBERS[code], line, column, blocks=False, fields=fields)
        problems.append(found)
    return before + pieces[-1], problems


def over(text: str, words: str, code: str = "А.грамм", **fields: str) -> Fragment:
    """A fragment over the first place where the words stand."""
    start = text.index(words)
    return fragment(start, start + len(words), code, **fields)
