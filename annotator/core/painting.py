"""Overlapping fragments -> flat runs that spell the essay exactly once (Appendix 3, 1.8).

The colour of a run follows from what lies over it; depth is the number of fragments over it.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from annotator.core.values import Fragment, Kind, Markup, Span, fold

DEEPEST: Final = 5
"""Colours have five steps; what lies deeper shares the last one."""

LANES: Final = 4
"""Underlines that fit under a line of text."""


class Paint(StrEnum):
    """The background of a run (rules 1-3 and 5 of 1.8, as decided in screens.md 0)."""

    PLAIN = "plain"
    BLOCK = "block"
    MISTAKE = "mistake"
    BOTH = "both"
    CORRECTION = "correction"


class Run(NamedTuple):
    """A piece of text over which the same fragments lie.

    ``over``, ``begins`` and ``ends`` are indices into the markup's fragments, outer before
    inner; ``tags`` are the footnote marks of fragments that end here (rule 6 of 1.8).
    """

    span: Span
    text: str
    over: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    paint: Paint
    blocks: int
    mistakes: int
    corrections: int
    tags: tuple[str, ...]

    @property
    def step(self) -> int:
        """Intensity of the background: 0 for plain text, else 1 to 5."""
        return min(len(self.over), DEEPEST)

    @property
    def block_step(self) -> int:
        """Intensity of the blocks alone, which may show above and below a mistake's colour."""
        return min(self.blocks, DEEPEST)


@dataclass(frozen=True, slots=True)
class Ink:
    """How a fragment is drawn where markups are compared: by what differs, not by what it is.

    ``name``: the kind of the difference. ``number``: of the row that lists it. A fragment that
    is not shown is behind a filter: its line stays, its colour goes.
    """

    name: str
    number: int
    is_shown: bool = True


def paint(markup: Markup) -> tuple[Run, ...]:
    """The runs of a markup, in order, in time n log n plus the total depth of the runs."""
    return tuple(_runs(markup))


def lanes(markup: Markup) -> dict[int, int]:
    """The underline of each mistake and ИСП: index of the fragment -> lane, 0 nearest the text.

    Inner fragments lie nearer the text and no two that overlap share one of the first lanes;
    what would need more than ``LANES`` shares the last.
    """
    underlined = [
        (fragment.span, index)
        for index, fragment in enumerate(markup.fragments)
        if fragment.span and fragment.kind is Kind.MISTAKE
    ]
    underlined.sort(key=lambda place: (len(place[0]), -place[0].start, -place[1]))
    taken: list[list[tuple[int, int]]] = [[] for _ in range(LANES - 1)]
    found: dict[int, int] = {}
    for span, index in underlined:
        place = -span.end, -span.start  # mirrored: equally long ones are added at the end
        free = (lane for lane, places in enumerate(taken) if _fits(places, place))
        found[index] = next(free, LANES - 1)
        if found[index] < LANES - 1:
            insort(taken[found[index]], place)
    return found


def _fits(apart: list[tuple[int, int]], place: tuple[int, int]) -> bool:
    """Is there room for a place among sorted ones that do not overlap each other?"""
    at = bisect(apart, place)
    is_after = at == 0 or apart[at - 1][1] <= place[0]
    return is_after and (at == len(apart) or place[1] <= apart[at][0])


def _runs(markup: Markup) -> Iterator[Run]:
    places = [(f.span, index) for index, f in enumerate(markup.fragments) if f.span]
    opening: dict[int, list[int]] = {}
    for span, index in sorted(places, key=lambda place: (place[0].start, -place[0].end)):
        opening.setdefault(span.start, []).append(index)
    closing: dict[int, set[int]] = {}
    for span, index in places:
        closing.setdefault(span.end, set()).add(index)
    borders = sorted({0, len(markup.text), *opening, *closing})
    is_block = [fragment.kind is Kind.BLOCK for fragment in markup.fragments].__getitem__
    is_correction = [fragment.is_correction for fragment in markup.fragments].__getitem__
    over: dict[int, None] = {}
    for start, end in pairwise(borders):
        for index in closing.get(start, ()):
            del over[index]
        begins = opening.get(start, ())
        over.update(dict.fromkeys(begins))
        ending = closing.get(end)
        ends = [index for index in over if index in ending] if ending else []
        blocks, corrections = sum(map(is_block, over)), sum(map(is_correction, over))
        mistakes = len(over) - blocks - corrections
        yield Run(
            span=Span(start, end),
            text=markup.text[start:end],
            over=tuple(over),
            begins=tuple(begins),
            ends=tuple(ends),
            paint=_paint(blocks, mistakes, corrections),
            blocks=blocks,
            mistakes=mistakes,
            corrections=corrections,
            tags=_tags(markup.fragments[index] for index in reversed(ends)) if ends else (),
        )


def _paint(blocks: int, mistakes: int, corrections: int) -> Paint:
    """Screens.md 0: a mistake's colour wins over ИСП, ИСП over a block."""
    if mistakes:
        return Paint.BOTH if blocks else Paint.MISTAKE
    if corrections:
        return Paint.CORRECTION
    return Paint.BLOCK if blocks else Paint.PLAIN


def _tags(fragments: Iterable[Fragment]) -> tuple[str, ...]:
    """Each tag once: linked fragments may end at one place."""
    found: dict[str, str] = {}
    for fragment in fragments:
        if fragment.tag:
            found.setdefault(fold(fragment.tag), fragment.tag)
    return tuple(found.values())
