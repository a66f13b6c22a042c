"""Fragments in canonical order, so that a comparison does not depend on the order of a file.

Order: start, end, code, subcode, correction, then whatever else a fragment says; whole-text
mistakes come first. Fragments that are alike in all of it are interchangeable.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final, NamedTuple

from annotator.core.values import Fragment, Markup, fold

WHOLE_TEXT: Final = (-1, 0)
"""Stands for the span of a whole-text mistake: it overlaps and begins with its like alone."""

REST: Final = attrgetter("code", "subcode", "correction", "comment", "explanation", "tag", "kind")


class Place(NamedTuple):
    """What a fragment is compared by; codes in one case, white space of corrections collapsed.

    ``start`` and ``end`` count code points, half-open.
    """

    start: int
    end: int
    code: str
    subcode: str
    correction: str
    rest: tuple[str, ...]


def place(fragment: Fragment) -> Place:
    """The place of a fragment in the canonical order."""
    span = fragment.span
    start, end = (span.start, span.end) if span else WHOLE_TEXT
    correction = fragment.correction
    return Place(
        start,
        end,
        fold(fragment.code),
        fold(fragment.subcode),
        " ".join(correction.split()) if correction else "",
        REST(fragment),
    )


def in_canonical_order(markup: Markup) -> tuple[list[int], list[Place]]:
    """Indices of a markup's fragments in canonical order, and their places in that order."""
    places = [place(fragment) for fragment in markup.fragments]
    order = sorted(range(len(places)), key=places.__getitem__)
    return order, [places[index] for index in order]
