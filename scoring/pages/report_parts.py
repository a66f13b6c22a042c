"""The parts of a report as they are drawn: codes, metrics, what is confused, times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.values import Kind
from scoring.core.codes import NONE, Codes, Hits, kind_of
from scoring.core.exchange import Exchange
from scoring.core.report import Report
from scoring.pages.charts import Axis, Column, axis_over, columns_of, place

WIDE: Final = 300.0
TALL: Final = 110.0
GROUND: Final = 140.0
BROAD: Final = 480.0
MOST_CODES: Final = 12
"""The heat table has so many codes, those the experts marked most; files have all of them."""
STEPS: Final = (0, 1, 10, 30, 60)
"""From so many percent on a cell takes the next step of its colour."""
UNTOLD: Final = gettext_lazy(
    "So few essays of a test set count that figures by essays and codes would tell what the "
    "experts marked: they are left out."
)


@dataclass(frozen=True, slots=True)
class HitsRow:
    """A code or a criterion; the lengths of its two bars."""

    hits: Hits
    precision: str
    recall: str


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A metric of the solution and of people, and where both stand; empty where unknown."""

    name: str
    words: str
    ours: float | None
    people: float | None
    x: str
    x_people: str


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Of the fragments of a row so many percent; ``heat``: the step of its colour, 0 for none."""

    count: int
    share: float
    is_right: bool

    @property
    def heat(self) -> int:
        """1 to 5; 0 where nothing met."""
        return sum(self.share > step for step in STEPS) if self.count else 0


@dataclass(frozen=True, slots=True)
class Heat:
    """Which codes met: a row for each of the experts' codes, a column for each of the solution's,
    one for others and one for what was missed.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]
    left_out: int


@dataclass(frozen=True)
class SubjectPart:
    """What a report says of the codes of one subject: blocks, then mistakes, then criteria."""

    codes: Codes

    @property
    def subject(self) -> str:
        """Its name; a set may have several."""
        names: Mapping[str, str] = dict(settings.SUBJECTS)
        return str(names.get(self.codes.subject or "", ""))

    @property
    def slug(self) -> str:
        """What the headings of the part are known by."""
        return self.codes.subject or "all"

    @property
    def groups(self) -> list[tuple[str, list[HitsRow]]]:
        """The tables under one head; an empty group is left out."""
        kinds = (Kind.BLOCK, _("Blocks")), (Kind.MISTAKE, _("Mistakes"))
        by_kind = [
            (words, [_hits(each) for each in self.codes.codes if self._kind(each) is kind])
            for kind, words in kinds
        ]
        found = [*by_kind, (_("Criteria"), [_hits(each) for each in self.codes.criteria])]
        return [(words, rows) for words, rows in found if rows]

    @property
    def fragments(self) -> int:
        """The experts' fragments, of all codes."""
        return sum(each.theirs for each in self.codes.codes)

    @property
    def heat(self) -> Heat | None:
        """The codes the experts marked most; ``None`` where they marked nothing."""
        ranked = sorted(
            (each for each in self.codes.codes if each.theirs), key=lambda each: -each.theirs
        )
        shown = {each.name for each in ranked[:MOST_CODES]}
        names = tuple(each.name for each in self.codes.codes if each.name in shown)
        if not names:
            return None
        rows = tuple((name, self._cells(name, names)) for name in names)
        return Heat(names, rows, len(ranked) - len(names))

    @property
    def confusion(self) -> tuple[str, str, int] | None:
        """The two codes that are confused most often: theirs, ours, how often."""
        return self.codes.confusions[0] if self.codes.confusions else None

    def _kind(self, hits: Hits) -> Kind:
        return kind_of(hits.name, self.codes.subject)

    def _cells(self, theirs: str, names: tuple[str, ...]) -> tuple[HeatCell, ...]:
        met = {ours: n for (code, ours), n in self.codes.meetings.items() if code == theirs}
        whole = sum(met.values())
        others = sum(n for ours, n in met.items() if ours not in (*names, NONE))
        counts = [(met.get(name, 0), name == theirs) for name in names]
        counts += [(others, False), (met.get(NONE, 0), False)]
        return tuple(HeatCell(n, 100 * n / whole, is_right) for n, is_right in counts)


@dataclass(frozen=True)
class Besides:
    """M2 to M6 and STAR beside those of people, on one axis."""

    rows: tuple[BesideRow, ...]
    axis: Axis


@dataclass(frozen=True)
class Times:
    """When answers came: columns, where the limit stands, ticks of seconds."""

    exchange: Exchange
    columns: list[Column]
    ticks: list[tuple[str, float]]
    limit: str


def besides_of(found: Report) -> Besides:
    """The figures of a report beside people's."""
    words = {
        "M2": _("search"),
        "M3": _("codes"),
        "M4": _("subcodes"),
        "M5": _("borders"),
        "M6": _("corrections"),
    }
    figures = [(each.name, words[each.name], each.ours, each.people) for each in found.metrics]
    figures.append(("STAR", "", found.star, found.ster))
    known = [value for _n, _w, *pair in figures for value in pair if value is not None]
    axis = axis_over(known, WIDE)
    return Besides(
        tuple(
            BesideRow(name, said, ours, people, _at(axis, ours), _at(axis, people))
            for name, said, ours, people in figures
        ),
        axis,
    )


def times_of(exchange: Exchange) -> Times | None:
    """The response times as columns; ``None`` where no answer came."""
    bars = [(bar.start, bar.end, bar.count) for bar in exchange.bars]
    if not bars:
        return None
    end = bars[-1][1]
    columns = columns_of(bars, BROAD, TALL, GROUND)
    edges = [bar[0] for bar in bars[::2]]
    limit = exchange.limit
    return Times(
        exchange,
        columns,
        [(place(BROAD * edge / end), edge) for edge in edges],
        place(BROAD * limit / end) if limit else "",
    )


def _hits(hits: Hits) -> HitsRow:
    lengths = [place(WIDE * (share or 0.0) / 100) for share in (hits.precision, hits.recall)]
    return HitsRow(hits, *lengths)


def _at(axis: Axis, value: float | None) -> str:
    return "" if value is None else axis.x(value)
