"""The winning pair over the context, in the painting of essays: what a page draws.

Hit characters are semantic blocks, missed ones mistakes, extra ones corrections, so that colour,
line and pattern tell them apart (``annotator.core.painting``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from annotator.core.values import CORRECTION_CODE, Fragment, Kind, Markup
from schemes.core.space2022.marks import RoleMarks, spans_of

HIT: Final = "hit"
MISSED: Final = "missed"


def markup_of(context: str, roles: Iterable[RoleMarks]) -> Markup:
    """A markup with a fragment for every run of neighbouring characters of a role.

    Raises ``SpanError`` for an index outside the context; scored predictions have none.
    """
    return Markup(context, tuple(_fragments(roles)))


def words_of(context: str, indices: Iterable[int]) -> str:
    """The characters at these indices, runs that stand apart joined by “…”."""
    return "…".join(context[span.start : span.end] for span in spans_of(indices))


def _fragments(roles: Iterable[RoleMarks]) -> Iterator[Fragment]:
    for marks in roles:
        for span in spans_of(marks.hit):
            yield Fragment(span, HIT, comment=marks.role, kind=Kind.BLOCK)
        for span in spans_of(marks.missed):
            yield Fragment(span, MISSED, comment=marks.role)
        for span in spans_of(marks.extra):
            yield Fragment(span, CORRECTION_CODE, comment=marks.role)
