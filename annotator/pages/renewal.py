"""What a change renews: the lines of the essay and the marks beside it that are not as they were.

The page a visitor has is the markup before the change, so the difference of the two is all it
needs; most changes touch one line and one mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from django.utils.safestring import SafeString

from annotator.core.values import Markup
from annotator.pages.marks import Mark
from annotator.pages.parts import Parts
from annotator.templatetags.essay_text import Line, essay_lines


@dataclass(frozen=True, slots=True)
class Renewal:
    """The difference between the page before a change and after it.

    ``lines`` holds what stands in the lines of the essay that look otherwise, by their place
    from 1; ``gone`` the
    numbers of marks to take out of the list; ``come`` the marks to put in, in this order, each
    behind the mark whose number goes along (``None``: at the head).
    """

    lines: tuple[tuple[int, SafeString], ...]
    gone: tuple[int, ...]
    come: tuple[tuple[int | None, Mark], ...]
    is_whole_text_new: bool
    is_checklist_new: bool


def renewal_of(before: Parts, after: Parts) -> Renewal | None:
    """What to renew on a page that shows the parts before so that it shows those after.

    ``None`` where the list of marks begins or ends: then it is renewed as a whole.
    """
    listed_before, listed = before.beside_text, after.beside_text
    if not listed or not listed_before:
        return None
    return Renewal(
        lines=tuple(changed_lines(before.markup, after.markup)),
        gone=tuple(gone(listed_before, listed)),
        come=tuple(come(listed_before, listed)),
        is_whole_text_new=before.of_whole_text != after.of_whole_text,
        is_checklist_new=before.checklist != after.checklist,
    )


def changed_lines(before: Markup, after: Markup) -> Iterator[tuple[int, SafeString]]:
    """The lines of an essay that look otherwise, by their place from 1."""
    lines = zip(painted_lines(before), painted_lines(after), strict=True)
    return (
        (place, line.pieces)
        for place, (old_line, line) in enumerate(lines, start=1)
        if line != old_line
    )


def painted_lines(markup: Markup) -> tuple[Line, ...]:
    """The painted lines of a markup; what one change has made is what the next one begins with."""
    return kept_lines(markup, tuple(fragment.id for fragment in markup.fragments))


@lru_cache(maxsize=64)
def kept_lines(markup: Markup, _ids: tuple[int, ...]) -> tuple[Line, ...]:
    """The same of the last markups; the pieces name fragments by numbers, which are no part of
    what makes two markups equal.
    """
    return tuple(essay_lines(markup))


def gone(before: Sequence[Mark], after: Sequence[Mark]) -> Iterator[int]:
    """The numbers of marks that are no longer there, or not as they were."""
    stays = {mark.number: mark for mark in after}
    return (mark.number for mark in before if stays.get(mark.number) != mark)


def come(before: Sequence[Mark], after: Sequence[Mark]) -> Iterator[tuple[int | None, Mark]]:
    """Marks that were not there like this, each with the number of the one ahead of it."""
    known = {mark.number: mark for mark in before}
    return (
        (ahead.number if ahead else None, mark)
        for ahead, mark in pairwise([None, *after])
        if mark and known.get(mark.number) != mark
    )
