"""Fragments of a draft brought onto another version of the essay, where their words still stand.

A place is the same where the words around it are: before the first change, after the last one, or
in a run of at least ``SURE`` words between. Elsewhere words are found again only where they stand
once in either text. A border that cut no word does not begin to cut one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final

from annotator.core.values import Fragment, Span

SURE: Final = 4
"""So many words in a row are no coincidence."""
MOST: Final = 3000
"""More words between the first and the last change are not compared: the text is another one."""
PIECE: Final = re.compile(r"\w+\s*|\s+|[^\w\s]\s*")


@dataclass(frozen=True, slots=True)
class Carried:
    """``kept`` stand over the new text, by their place in the draft; ``left`` have none there."""

    kept: tuple[tuple[int, Fragment], ...]
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Code points from ``start`` to ``end`` that stand ``shift`` further on in the new text."""

    start: int
    end: int
    shift: int


def carry(fragments: Sequence[Fragment], before: str, after: str) -> Carried:
    """Fragments over ``before`` as they stand over ``after``; those of the whole text stay so."""
    runs = tuple(_runs(before, after))
    kept, left = [], []
    for index, fragment in enumerate(fragments):
        if fragment.span is None:
            kept.append((index, fragment))
            continue
        span = _place(fragment.span, runs, before, after)
        if span is None:
            left.append(index)
        else:
            kept.append((index, replace(fragment, span=span)))
    return Carried(tuple(kept), tuple(left))


def _place(span: Span, runs: Sequence[_Run], before: str, after: str) -> Span | None:
    """Where the words of a place stand now; ``None`` where that is not certain."""
    for run in runs:
        if run.start <= span.start and span.end <= run.end:
            moved = Span(span.start + run.shift, span.end + run.shift)
            if _cuts(span, before) == _cuts(moved, after):
                return moved
    words = before[span.start : span.end]
    at = _only_place(words, after)
    if at is None or _only_place(words, before) is None:
        return None
    found = Span(at, at + len(words))
    return found if _cuts(span, before) == _cuts(found, after) else None


def _only_place(words: str, text: str) -> int | None:
    at = text.find(words)
    return at if at >= 0 and text.find(words, at + 1) < 0 else None


def _cuts(span: Span, text: str) -> tuple[bool, bool]:
    """Do the two borders of a place lie within a word?"""
    return _is_within(span.start, text), _is_within(span.end, text)


def _is_within(at: int, text: str) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _runs(before: str, after: str) -> Iterator[_Run]:
    """The runs both texts share, the surest ones first."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    further = len(after) - len(before)
    yield _Run(0, head, 0)
    yield _Run(len(before) - tail, len(before), further)
    tail = min(tail, most - head)
    yield from _between(before[head : len(before) - tail], after[head : len(after) - tail], head)


def _between(before: str, after: str, offset: int) -> Iterator[_Run]:
    ours, theirs = _pieces(before), _pieces(after)
    if max(len(ours), len(theirs)) > MOST:
        return
    matcher = SequenceMatcher(
        None, [word for _at, word in ours], [word for _at, word in theirs], autojunk=False
    )
    for one, other, size in matcher.get_matching_blocks():
        words = sum(word[0].isalnum() for _at, word in ours[one : one + size])
        if words >= SURE:
            start, (end, last) = ours[one][0], ours[one + size - 1]
            shift = theirs[other][0] - start
            yield _Run(offset + start, offset + end + len(last), shift)


def _pieces(text: str) -> list[tuple[int, str]]:
    """Words and signs with the space after them, by their places: together the whole text."""
    return [(found.start(), found.group()) for found in PIECE.finditer(text)]
