"""The marking screen's two answers as values: the whole page, and what a change renews of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from annotator.core.changes import Placed
from annotator.models import MarkupRecord
from annotator.pages.cards import Stack
from annotator.pages.hints import Hints, hints_beside
from annotator.pages.palette import PaletteCode, code_list, palette_of
from annotator.pages.parts import Parts, Remark, parts_of, text_file_remarks
from annotator.pages.renewal import Renewal
from annotator.pages.versions import Left, left_of
from annotator.queries.phrases import QuickMark, quick_marks_of
from annotator.queries.third_checks import earlier_checks
from annotator.queries.work import handed_in_by

QUICK: Final = 9
"""The keys 1 to 9."""


@dataclass(frozen=True, slots=True)
class MarkingPage:
    """The page of a markup.

    ``is_own``: its author reads it. ``palette`` and ``codes`` (as type-ahead searches them) belong
    to a draft that may be changed, ``text_file``, what its .txt file leaves out, to any other
    markup. ``left``: what a new version of the essay has no place for. ``recallable``: what its
    author has handed in and can recall. ``has_history``: its log may be read. ``quick``: what the
    keys from 1 on mark a selection with. ``hints``: those for a first visit, where a draft may be
    changed.
    """

    parts: Parts
    is_own: bool
    earlier: Sequence[MarkupRecord]
    palette: Mapping[str, Sequence[PaletteCode]]
    codes: str
    text_file: Sequence[Remark]
    left: Left | None
    recallable: Sequence[MarkupRecord]
    has_history: bool
    quick: Sequence[QuickMark]
    hints: Hints | None


@dataclass(frozen=True, slots=True)
class Toast:
    """A mark that was deleted, and the ``uid`` it would be brought back with."""

    dropped: Placed
    uid: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a change renews: all parts where there is no ``renewal``.

    ``opened`` is the number of the card that is open on the page; its mark may be gone, then there
    is no ``stack``. ``stepped``: it was undone or made again, and shows in the open. ``quick``:
    what keys mark a selection with, where that may be otherwise by now.
    """

    parts: Parts
    renewal: Renewal | None
    said: str
    opened: int | None
    stack: Stack | None
    toast: Toast | None = None
    stepped: bool = False
    quick: Sequence[QuickMark] | None = None


def marking_page(
    record: MarkupRecord, *, editable: bool, is_own: bool, has_history: bool = False
) -> MarkingPage:
    """Everything the marking page shows of a markup; ``is_own``: to its author."""
    parts = parts_of(record, editable=editable)
    return MarkingPage(
        parts=parts,
        is_own=is_own,
        earlier=tuple(earlier_checks(record)) if record.third else (),
        palette=palette_of(parts.classifier, parts.markup) if editable else {},
        codes=code_list(parts.classifier) if editable else "",
        text_file=() if editable else text_file_remarks(parts),
        left=left_of(record) if editable else None,
        recallable=tuple(handed_in_by(record.author_id)) if is_own else (),
        has_history=has_history,
        quick=quick_marks(parts) if editable else (),
        hints=hints_beside(record) if editable else None,
    )


def quick_marks(parts: Parts) -> Sequence[QuickMark]:
    """What the keys from 1 on mark a selection with."""
    placed = (each.code for each in parts.classifier.categories if not each.whole_text_only)
    return quick_marks_of(parts.record.author, placed, most=QUICK)
