"""The board of a score run as it is read: ranks, how sure they are, drawn on one axis and told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from scoring.access import may_read_report, name_for
from scoring.core.board import decimals_of
from scoring.core.entries import told_origin
from scoring.models import RunEntry, ScoreRun, StandingBoard
from scoring.pages.board_history import BoardHistory, Course, history_of
from scoring.pages.charts import Axis, Tick, axis_over

WIDE: Final = 520.0
FIRST: Final = 50
"""So many of the first ranks stand in the list of all boards."""
State = RunEntry.State
APART: Final = (State.ANNULLED, State.EXCLUDED, State.FEW, State.PART, State.NO_ANSWERS)
COLUMNS: Final = (
    *("rank", "name", "STAR", "low", "high", "best", "worst", "like", "OTAR"),
    *("M2", "M3", "M4", "M5", "M6", "counted", "state"),
)
FILES: Final = re.compile(r"\d+ / \d+")
"""What is said of a solution that the rule of 5 % annulled: its annulled files of all."""
Reader = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A ranked entry: its dot and its whiskers are places in the drawing, ``like`` ranks.

    ``report``: the address of the entry's report, for those who may read it; ``course``: how it
    moved over the runs, where earlier ones are told of.
    """

    entry: RunEntry
    name: str
    is_tied: bool
    x: str
    low: str
    high: str
    like: str
    report: str
    course: Course | None

    @property
    def metrics(self) -> list[float | None]:
        """M2 to M6."""
        return [*self.entry.metrics[1:6]]

    @property
    def places(self) -> str:
        """The interval of the rank, as its entry tells it."""
        return self.entry.places


@dataclass(frozen=True, slots=True)
class ApartRow:
    """An entry without a rank, and why in words."""

    entry: RunEntry
    name: str
    why: str
    report: str


@dataclass(frozen=True)
class BoardPage:
    """A board as somebody reads it: the entries of a page of it, those apart.

    ``ranks``: of everybody who may not be told apart from one of these, by participant.
    ``names``: what teams are called, by participant, where whoever reads it reads no logins.
    """

    viewer: Reader
    run: ScoreRun
    entries: Sequence[RunEntry]
    apart_entries: Sequence[RunEntry]
    ranks: Mapping[int, int]
    tied: frozenset[int]
    names: Mapping[int, str] | None = None
    history: BoardHistory | None = None

    @property
    def digits(self) -> int:
        """The decimals that tell neighbours apart."""
        return decimals_of(entry.star for entry in self.entries if entry.star is not None)

    @cached_property
    def axis(self) -> Axis:
        """Holds all dots, whiskers and the human line."""
        values = [each for entry in self.entries for each in (entry.star, entry.low, entry.high)]
        return axis_over((each for each in [*values, self.run.ster] if each is not None), WIDE)

    @property
    def ticks(self) -> list[Tick]:
        """The numbers of the axis that leave room for the word at the human line."""
        return self.axis.ticks

    @property
    def grid(self) -> str:
        """The lines of the axis through a row."""
        return "".join(f"M{x} -4V34" for x in self.axis.grid)

    @property
    def human(self) -> str:
        """Where people stand; empty where they are not known."""
        return "" if self.run.ster is None else self.axis.x(self.run.ster)

    @property
    def is_sure(self) -> bool:
        """Does the run tell how sure its ranks are?"""
        return any(entry.low is not None for entry in self.entries)

    @property
    def best(self) -> RunEntry | None:
        """The first of all; ``None`` where another page has it."""
        return next((entry for entry in self.entries if entry.rank == 1), None)

    @property
    def firm(self) -> int:
        """How many of the page can be told apart from everybody else."""
        return sum(entry.like == [] for entry in self.entries)

    @cached_property
    def rows(self) -> list[BoardRow]:
        return [
            BoardRow(
                entry,
                self._name(entry),
                (entry.rank or 0) in self.tied,
                self._x(entry.star),
                self._x(entry.low),
                self._x(entry.high),
                joined(self.like_of(entry)),
                self._report(entry),
                self.history.courses[entry.participant_id] if self.history else None,
            )
            for entry in self.entries
        ]

    @property
    def apart(self) -> list[ApartRow]:
        """By reasons in their order, then by names."""
        order = {state: number for number, state in enumerate(APART)}
        shown = [
            ApartRow(
                entry,
                self._name(entry),
                why_apart(entry),
                self._report(entry),
            )
            for entry in self.apart_entries
        ]
        return sorted(shown, key=lambda row: (order[State(row.entry.state)], row.name))

    def like_of(self, entry: RunEntry) -> list[int]:
        """The ranks of those an entry cannot be told apart from."""
        return sorted(self.ranks[each] for each in entry.like or () if each in self.ranks)

    def as_json(self) -> dict[str, Any]:
        """The board for programs: percent, nothing rounded; no logins for strangers."""
        return {
            "essay_set": self.run.essay_set.name,
            "run": self.run.pk,
            "rules": str(self.run.rules),
            "hardness": self.run.rules.hardness,
            "seed": self.run.seed,
            "STER": self.run.ster,
            "essays": self.run.essays,
            "unsure": self.run.unsure or None,
            "rows": [row_json(row, self.like_of(row.entry)) for row in self.rows],
            "apart": [
                {
                    "name": row.name,
                    "reason": row.entry.state,
                    "words": row.why,
                    "STAR": row.entry.star,
                    "counted": row.entry.counted,
                }
                for row in self.apart
            ],
        }

    def as_table(self) -> list[Sequence[object]]:
        """The board for spreadsheets; those apart without ranks behind the others."""
        runs = self.history.runs[:-1] if self.history else ()
        heads = [f"{what} ({run.pk})" for run in runs for what in ("rank", "STAR")]
        rows: list[Sequence[object]] = [(*COLUMNS, *heads)]
        for row in self.rows:
            each = row.entry
            figures = (each.star, each.low, each.high, each.best, each.worst, row.like)
            steps = row.course.steps[:-1] if row.course else ()
            before = [value for step in steps for value in (step.rank, step.star)]
            rows.append(
                (
                    *(each.rank, row.name, *figures, each.otar, *row.metrics),
                    *(each.counted, each.state, *before),
                )
            )
        for apart in self.apart:
            each = apart.entry
            empty, unsaid = [""] * 10, [""] * len(heads)
            figures = (each.star, *empty, "", each.counted, each.state)
            rows.append(("", apart.name, *figures, *unsaid))
        return rows

    def _x(self, value: float | None) -> str:
        return "" if value is None else self.axis.x(value)

    def _name(self, entry: RunEntry) -> str:
        if self.names is None:
            return name_for(self.viewer, entry.participant)
        nobody = AnonymousUser()
        return self.names.get(entry.participant_id) or name_for(nobody, entry.participant)

    def _report(self, entry: RunEntry) -> str:
        """The address of an entry's report; empty for those who may not read it."""
        author = entry.participant_id
        if not isinstance(self.viewer, User) or not may_read_report(self.viewer, author):
            return ""
        whose = {"pk": self.run.essay_set_id, "author": author, "origin": told_origin(entry.origin)}
        return reverse("scoring:report", kwargs=whose)


def board_page(
    viewer: Reader,
    run: ScoreRun,
    entries: Sequence[RunEntry],
    names: Mapping[int, str] | None = None,
    *,
    seen: QuerySet[ScoreRun] | None = None,
) -> BoardPage:
    """The board with these of its ranked entries; ``names`` instead of what participants have.

    ``seen``: the runs the reader may read; over those that were applied it tells how entries moved.
    """
    (found,) = _pages(viewer, {run: list(entries)})
    history = None if seen is None else history_of(run, seen, entries)
    return replace(found, names=names, history=history)


def boards_of_sets(viewer: Reader, runs: Iterable[ScoreRun]) -> dict[int, BoardPage]:
    """The first ranks of several boards by their essay sets, in a constant number of queries."""
    by_run: dict[ScoreRun, list[RunEntry]] = {run: [] for run in runs}
    numbers = {run.pk: run for run in by_run}
    for entry in _entries(by_run).filter(state=State.RANKED, rank__lte=FIRST):
        by_run[numbers[entry.run_id]].append(entry)
    return {page.run.essay_set_id: page for page in _pages(viewer, by_run)}


def shown_runs(seen: QuerySet[ScoreRun], sets: Iterable[int]) -> list[ScoreRun]:
    """Of each of these sets the run that counts, of those somebody sees: applied, else public."""
    boards = StandingBoard.objects.filter(essay_set__in=sets).values_list("applied", "public")
    wanted = list(boards)
    found = seen.in_bulk([number for pair in wanted for number in pair if number])
    shown = ((found.get(applied), found.get(public)) for applied, public in wanted)
    return [run for applied, public in shown if (run := applied or public)]


def why_apart(entry: RunEntry) -> str:
    """Why an entry has no rank, in words."""
    by_rule = bool(FILES.fullmatch(entry.reason))
    words = {
        State.ANNULLED: _("The solution is annulled: too many files were.")
        if by_rule or not entry.reason
        else _("The organisers annulled the solution:"),
        State.EXCLUDED: _("Excluded:") if entry.reason else _("Excluded."),
        State.FEW: _("Too few of the essays count."),
        State.PART: _("Over a part of the essays."),
        State.NO_ANSWERS: _("No essay counts."),
    }
    said = words[State(entry.state)]
    return f"{said} {entry.reason}" if entry.reason else said


def joined(ranks: Iterable[int]) -> str:
    """Ranks in words of numbers: ``3, 5–7``."""
    rising = sorted(set(ranks))
    runs = groupby(enumerate(rising), key=lambda each: each[1] - each[0])
    spans = [[rank for _place, rank in found] for _difference, found in runs]
    return ", ".join(
        f"{span[0]}–{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans
    )


def _entries(runs: Iterable[ScoreRun]) -> QuerySet[RunEntry]:
    found = RunEntry.objects.filter(run__in=[run.pk for run in runs])
    return found.select_related("participant").order_by("run", "rank", "position")


def _pages(viewer: Reader, by_run: Mapping[ScoreRun, list[RunEntry]]) -> list[BoardPage]:
    apart: dict[int, list[RunEntry]] = {run.pk: [] for run in by_run}
    for entry in _entries(by_run).filter(state__in=APART):
        apart[entry.run_id].append(entry)
    wanted = {like for of in by_run.values() for entry in of for like in entry.like or ()}
    ranks: dict[int, dict[int, int]] = {run.pk: {} for run in by_run}
    others = RunEntry.objects.filter(run__in=apart, participant__in=wanted, rank__isnull=False)
    for run, participant, rank in others.values_list("run_id", "participant_id", "rank"):
        ranks[run][participant] = rank
    return [
        BoardPage(viewer, run, entries, apart[run.pk], ranks[run.pk], _tied(entries))
        for run, entries in by_run.items()
    ]


def _tied(entries: Iterable[RunEntry]) -> frozenset[int]:
    ranks = [entry.rank for entry in entries if entry.rank is not None]
    return frozenset(rank for rank in ranks if ranks.count(rank) > 1)


def row_json(row: BoardRow, like: list[int]) -> dict[str, Any]:
    """A row of a board for programs; ``like``: ranks."""
    entry = row.entry
    is_sure = entry.low is not None
    return {
        "rank": entry.rank,
        "name": row.name,
        "STAR": entry.star,
        "OTAR": entry.otar,
        "metrics": {f"M{number}": value for number, value in enumerate(row.metrics, 2)},
        "counted": entry.counted,
        "interval": [entry.low, entry.high] if is_sure else None,
        "rank_interval": [entry.best, entry.worst] if is_sure else None,
        "like": like if is_sure else None,
        "history": row.course.as_json() if row.course else None,
    }
