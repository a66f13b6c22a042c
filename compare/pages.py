"""What the comparison page shows: two markups side by side and the rows between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.core.classifier import classifier_of
from annotator.models import MarkupRecord
from annotator.pages import Mark, marks_of, text_language
from compare.core.comparison import Comparison, Loss
from compare.core.matcher import match
from compare.core.rows import Row, State, rows


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the list: a pair, or a fragment that stays alone."""

    number: int
    row: Row
    left: Mark | None
    right: Mark | None
    loss: Loss | None

    @property
    def is_other(self) -> bool:
        """True when the two sides differ in more than their borders."""
        return bool(set(self.row.differences) - {State.BORDERS})


def comparison_page(left: MarkupRecord, right: MarkupRecord) -> dict[str, Any]:
    """Two markups of one essay, their optimal matching and its rows."""
    comparison = match(left.to_core(), right.to_core())
    return {
        "essay": left.essay,
        "left": left,
        "right": right,
        "left_markup": comparison.left,
        "right_markup": comparison.right,
        "comparison": comparison,
        "rows": shown_rows(comparison, left),
        "text_language": text_language(left.essay.subject),
    }


def shown_rows(comparison: Comparison, record: MarkupRecord) -> list[ShownRow]:
    """The rows with the fragments as the page names them."""
    classifier = classifier_of(record.essay.core_subject)
    left = {mark.number: mark for mark in marks_of(comparison.left, classifier)}
    right = {mark.number: mark for mark in marks_of(comparison.right, classifier)}
    shown = []
    for number, row in enumerate(rows(comparison), 1):
        one = None if row.left is None else left[comparison.left.fragments[row.left].id]
        other = None if row.right is None else right[comparison.right.fragments[row.right].id]
        shown.append(ShownRow(number, row, one, other, row.loss))
    return shown
