"""What the comparison page shows: two markups side by side and the rows between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from annotator.core.classifier import classifier_of
from annotator.core.painting import Ink
from annotator.core.values import Fragment, Kind, Markup, fold
from annotator.models import MarkupRecord
from annotator.pages.marks import Mark, marks_of, text_language
from compare.core.alone import Cause, reasons
from compare.core.comparison import Comparison, Loss
from compare.core.filters import Filter, kinds_of
from compare.core.matcher import match
from compare.core.rows import Row, State, Total, rows, totals
from compare.queries import Sides
from web.panels import Shared

HUNDREDTH: Final = Decimal("0.01")
KINDS: Final = {
    State.SAME: ("same", _lazy("same")),
    State.CODE: ("code", _lazy("another code")),
    State.BORDERS: ("shift", _lazy("shifted borders")),
    State.SUBCODE: ("subtype", _lazy("another subcode")),
    State.CORRECTION: ("correction", _lazy("another correction")),
    State.ONLY_LEFT: ("left", _lazy("only on the left")),
    State.ONLY_RIGHT: ("right", _lazy("only on the right")),
}
"""The drawing and the word of every kind of difference."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a fragment is alone: the nearest of the other side, its loss, the pair it stands in."""

    cause: Cause
    near: Mark | None
    loss: Loss | None
    row: int | None
    row_loss: Loss | None

    def sentence(self, *, whole_text: bool) -> str:
        """The reason in words."""
        if self.near is None or self.loss is None:
            if whole_text:
                return _("The other side has no mistake of the whole text.")
            return _("The other side has nothing at this place.")
        fields = {"words": self.near.words, **_parts(self.loss)}
        if self.row_loss is None:
            fields |= {"code": self.near.fragment.code, "other": int(self.loss.code)}
            return (
                _(
                    "Nothing comes near enough: with %(code)s “%(words)s” it would lose %(total)s "
                    "= borders %(j)s + beginning %(begin)s + code %(other)s; apart they lose 2."
                )
                % fields
            )
        fields |= {"code": self.near.fragment.code, "row": self.row}
        fields |= {"other": _figure(self.row_loss.total)}
        return (
            _(
                "With %(code)s “%(words)s” it would lose %(total)s, but that one stands in pair "
                "%(row)s, which loses %(other)s. No other choice makes the sum smaller."
            )
            % fields
        )


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the list: a pair, or a fragment that stays alone.

    Its number stays whatever the filter hides.
    """

    number: int
    row: Row
    left: Mark | None
    right: Mark | None
    why: Why | None
    is_shown: bool

    @property
    def state(self) -> str:
        return self.row.state.value

    @property
    def icon(self) -> str:
        return KINDS[self.row.state][0]

    @property
    def name(self) -> str:
        """The kind of the difference in a word."""
        return KINDS[self.row.state][1]

    @property
    def words(self) -> str:
        """The words of the first side there is; none for the whole text."""
        mark = self.left or self.right
        return mark.words if mark else ""

    @property
    def said(self) -> list[Fragment]:
        """What tells codes and corrections: both sides where they differ in more than borders."""
        marks = [mark for mark in (self.left, self.right) if mark]
        if not set(self.row.differences) - {State.BORDERS}:
            marks = marks[:1]
        return [mark.fragment for mark in marks]

    @property
    def sentence(self) -> str:
        """What the pair loses, or why there is none."""
        if self.row.loss:
            if not self.row.loss.total:
                return ""
            return _("loss %(total)s = borders %(j)s + beginning %(begin)s + code %(code)s") % (
                _parts(self.row.loss)
            )
        return self.why.sentence(whole_text=self.has_whole_text) if self.why else ""

    @property
    def is_block(self) -> bool:
        """True when either side has a semantic block."""
        return any(mark and mark.fragment.kind is Kind.BLOCK for mark in (self.left, self.right))

    @property
    def has_whole_text(self) -> bool:
        """True for mistakes of the whole text, which have no place in it."""
        mark = self.left or self.right
        return mark is not None and mark.fragment.span is None


@dataclass(frozen=True, slots=True)
class Switch:
    """A filter that can be switched: what it is for, how many rows, the address that does it."""

    kind: State | None
    total: Total | None
    count: int
    is_on: bool
    query: str


class ComparisonPage(Shared):
    """Two markups of one essay, their optimal matching and its rows, as far as a filter lets."""

    def __init__(self, sides: Sides, chosen: Filter) -> None:
        self.left, self.right = sides.left, sides.right
        self.figures_only = sides.figures_only
        self.chosen = chosen
        self.comparison = match(sides.left.to_core(), sides.right.to_core())

    @property
    def text_language(self) -> str:
        return text_language(self.left.essay.subject)

    @property
    def is_practice(self) -> bool:
        """True where a try or a key is one of the two: of practice nothing else is compared."""
        return any(each.is_try or each.is_key for each in (self.left, self.right))

    @property
    def query(self) -> str:
        """The filter as an address says it."""
        return query_of(self.chosen)

    @property
    def mirrored(self) -> str:
        """The same filter once the sides are swapped."""
        mirror = {State.ONLY_LEFT: State.ONLY_RIGHT, State.ONLY_RIGHT: State.ONLY_LEFT}
        kinds = frozenset(mirror.get(kind, kind) for kind in self.chosen.kinds)
        return query_of(Filter(kinds, self.chosen.codes))

    @cached_property
    def rows(self) -> list[ShownRow]:
        """All rows, those behind the filter too."""
        return shown_rows(self.comparison, self.left, self.chosen)

    @cached_property
    def shown(self) -> list[ShownRow]:
        return [each for each in self.rows if each.is_shown]

    @cached_property
    def whole_text(self) -> tuple[list[tuple[ShownRow, Mark]], list[tuple[ShownRow, Mark]]]:
        """The whole-text mistakes of the left side, and those of the right one, with their rows."""
        found = [each for each in self.rows if each.has_whole_text]
        return (
            [(each, each.left) for each in found if each.left],
            [(each, each.right) for each in found if each.right],
        )

    @cached_property
    def inks(self) -> tuple[dict[int, Ink], dict[int, Ink]]:
        """How the fragments of the left and of the right side are drawn, by their ids."""
        left, right = {}, {}
        for each in self.rows:
            ink = Ink(each.row.state.value, each.number, each.is_shown)
            if each.left:
                left[each.left.number] = ink
            if each.right:
                right[each.right.number] = ink
        return left, right

    @property
    def differing(self) -> int:
        """How many rows are no agreement."""
        return sum(each.row.state is not State.SAME for each in self.rows)

    @cached_property
    def kinds(self) -> list[Switch]:
        """The kinds of difference as switches, with their counts."""
        counts = kinds_of(each.row for each in self.rows)
        return [
            Switch(
                kind, None, count, kind in self.chosen.kinds, query_of(self.chosen.with_kind(kind))
            )
            for kind, count in counts.items()
        ]

    @cached_property
    def codes(self) -> list[Switch]:
        """The codes as switches, with what became of their fragments."""
        return [
            Switch(
                None,
                each,
                each.same + each.recoded + each.only_left + each.only_right,
                fold(each.code) in self.chosen.codes,
                query_of(self.chosen.with_code(each.code)),
            )
            for each in totals(self.comparison)
        ]


def _parts(loss: Loss) -> dict[str, Any]:
    """A loss and what it is made of, for a sentence."""
    return {
        "total": _figure(loss.total),
        "j": _figure(loss.jaccard),
        "begin": int(loss.begin),
        "code": int(loss.code),
    }


def _figure(value: float) -> str:
    """As ``floatformat`` writes it with two places; there are two such figures in most rows."""
    rounded = Decimal(repr(value)).quantize(HUNDREDTH, ROUND_HALF_UP)
    return str(rounded).replace(".", get_format("DECIMAL_SEPARATOR"))


def query_of(chosen: Filter) -> str:
    """``?kind=…&code=…``, or just ``?`` without a filter: an address of its own for every view."""
    kinds = [("kind", kind.value) for kind in State if kind in chosen.kinds]
    return "?" + urlencode([*kinds, *(("code", code) for code in sorted(chosen.codes))])


def shown_rows(comparison: Comparison, record: MarkupRecord, chosen: Filter) -> list[ShownRow]:
    """The rows with the fragments as the page names them, and why some are alone."""
    found = rows(comparison)
    left = named_marks(comparison.left, record)
    right = named_marks(comparison.right, record)
    number_of = {row.left: number for number, row in enumerate(found, 1) if row.left is not None}
    alone_left, alone_right = reasons(comparison)

    def why(row: Row) -> Why | None:
        if row.left is not None and row.right is None:
            reason, others = alone_left[row.left], right
        elif row.right is not None and row.left is None:
            reason, others = alone_right[row.right], left
        else:
            return None
        pair = reason.taken_by
        return Why(
            cause=reason.cause,
            near=None if reason.near is None else others[reason.near],
            loss=reason.loss,
            row=number_of[pair.left] if pair else None,
            row_loss=pair.loss if pair else None,
        )

    return [
        ShownRow(
            number=number,
            row=row,
            left=None if row.left is None else left[row.left],
            right=None if row.right is None else right[row.right],
            why=why(row),
            is_shown=chosen.keeps(comparison, row),
        )
        for number, row in enumerate(found, 1)
    ]


def named_marks(markup: Markup, record: MarkupRecord) -> Mapping[int, Mark]:
    """The fragments of a markup as pages name them, by their indices."""
    classifier = classifier_of(record.essay.core_subject)
    index_of = {fragment.id: index for index, fragment in enumerate(markup.fragments)}
    return {index_of[mark.number]: mark for mark in marks_of(markup, classifier)}
