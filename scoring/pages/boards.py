"""The board of a score run as it is read: ranks, how sure they are, drawn on one axis and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import pgettext

from accounts.models import User
from scoring.access import may_read_report, name_for, names_on_boards
from scoring.core.board import decimals_of
from scoring.core.entries import told_origin
from scoring.models import RunEntry, ScoreRun, StandingBoard
from scoring.pages.board_history import BoardHistory, Course, history_of
from scoring.pages.charts import Axis, Tick, axis_over
from scoring.pages.set_apart import Late, Since, late_of_runs, told_since, why_apart
from scoring.queries.published import fallback_runs
from scoring.queries.runs import APART, Around, around

WIDE: Final = 520.0
FIRST: Final = 50
"""So many of the first ranks, and of those apart, stand in the list of all boards."""
State = RunEntry.State
COLUMNS: Final = (
    *("rank", "name", "STAR", "low", "high", "best", "worst", "like", "OTAR"),
    *("M2", "M3", "M4", "M5", "M6", "counted", "state", "why", "since", "rules", "H"),
)
IN_RUN: Final = ("rank", "STAR", "rules", "H")
"""Columns of each earlier run behind these."""
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
    since: Since | None
    is_void: bool = False

    @property
    def rank(self) -> int | None:
        """None of one that was set apart since, on a board everybody was brought back to."""
        return None if self.is_void else self.entry.rank

    @property
    def metrics(self) -> list[float | None]:
        """M2 to M6."""
        return [*self.entry.metrics[1:6]]

    @property
    def told_like(self) -> str:
        """The ranks it cannot be told apart from, in words; empty where that is not known."""
        return pgettext("like ranks", "none") if self.entry.like == [] else self.like

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
    since: Since | None


@dataclass(frozen=True)
class BoardPage:
    """A board as somebody reads it: the entries of a page of it, and of one of those apart.

    ``ranks``: of everybody who may not be told apart from one of these, by participant.
    ``teams``: what teams are called, by participant; ``hides_logins``: of others nobody reads one.
    ``late``: those of the whole board that stand otherwise now, whatever the run says;
    ``is_fallback``: everybody sees the run because a later one was returned.
    """

    viewer: Reader
    run: ScoreRun
    entries: Sequence[RunEntry]
    apart_entries: Sequence[RunEntry]
    ranks: Mapping[int, int]
    around: Around
    late: Late
    teams: Mapping[int, str]
    is_fallback: bool = False
    hides_logins: bool = False
    history: BoardHistory | None = None

    @cached_property
    def digits(self) -> int:
        """The decimals that tell neighbours apart."""
        own = [entry.star for entry in self.entries if entry.star is not None]
        return decimals_of([*own, *self.around.stars])

    @cached_property
    def axis(self) -> Axis:
        """Holds all dots, whiskers and the human line."""
        values = [each for entry in self.entries for each in (entry.star, entry.low, entry.high)]
        return axis_over((each for each in [*values, self.run.ster] if each is not None), WIDE)

    @property
    def ticks(self) -> list[Tick]:
        """The numbers of the axis that leave room for the word at the human line."""
        return self.axis.ticks

    @cached_property
    def grid(self) -> str:
        """The lines of the axis through a row."""
        return "".join(f"M{x} -4V34" for x in self.axis.grid)

    @cached_property
    def human(self) -> str:
        """Where people stand; empty where they are not known."""
        return "" if self.run.ster is None else self.axis.x(self.run.ster)

    @property
    def human_anchor(self) -> str:
        """Which end of the word at the human line stands there, so that none of it is cut off."""
        return "" if self.run.ster is None else self.axis.anchor(self.run.ster)

    @property
    def is_sure(self) -> bool:
        """Does the run tell how sure its ranks are?"""
        return any(entry.low is not None for entry in self.entries)

    @property
    def best(self) -> RunEntry | None:
        """The first of all; ``None`` where another page has it, or it has no rank any more."""
        return next((row.entry for row in self.rows if row.rank == 1), None)

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
                entry.rank in self.around.tied,
                self._x(entry.star),
                self._x(entry.low),
                self._x(entry.high),
                joined(self.like_of(entry), entry.rank),
                self._report(entry),
                self.history.courses[entry.participant_id] if self.history else None,
                self.late.get(entry),
                self.is_fallback and entry in self.late,
            )
            for entry in self.entries
        ]

    @cached_property
    def apart(self) -> list[ApartRow]:
        """In the order they stand in, by name (standings.md 3)."""
        return [
            ApartRow(
                entry,
                self._name(entry),
                why_apart(entry),
                self._report(entry),
                self.late.get(entry),
            )
            for entry in self.apart_entries
        ]

    @property
    def told_late(self) -> list[str]:
        """Who was annulled or excluded after the run was ordered, or is not any more."""
        names = ((self._name(each), since) for each, since in self.late.items())
        return told_since(names, is_fallback=self.is_fallback)

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
                    "since": row.since,
                }
                for row in self.apart
            ],
        }

    def as_table(self) -> list[Sequence[object]]:
        """The board for spreadsheets; those apart without ranks behind the others."""
        runs = self.history.runs[:-1] if self.history else ()
        heads = [f"{what} ({run.pk})" for run in runs for what in IN_RUN]
        by_rules = (str(self.run.rules), self.run.rules.hardness)
        rows: list[Sequence[object]] = [(*COLUMNS, *heads)]
        for row in self.rows:
            each = row.entry
            figures = (each.star, each.low, each.high, each.best, each.worst, row.like)
            steps = row.course.steps[:-1] if row.course else ()
            before = [
                value
                for step in steps
                for value in (step.rank, step.star, step.rules, step.hardness)
            ]
            rows.append(
                (
                    *(row.rank, row.name, *figures, each.otar, *row.metrics),
                    *(each.counted, each.state, "", row.since or "", *by_rules, *before),
                )
            )
        for apart in self.apart:
            each = apart.entry
            empty, unsaid = [""] * 10, [""] * len(heads)
            figures = (each.star, *empty, "", each.counted, each.state, apart.why)
            rows.append(("", apart.name, *figures, apart.since or "", *by_rules, *unsaid))
        return rows

    def _x(self, value: float | None) -> str:
        return "" if value is None else self.axis.x(value)

    def _name(self, entry: RunEntry) -> str:
        reader = AnonymousUser() if self.hides_logins else self.viewer
        return self.teams.get(entry.participant_id) or name_for(reader, entry.participant)

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
    *,
    seen: QuerySet[ScoreRun] | None = None,
    hides_logins: bool = False,
) -> BoardPage:
    """The board with these of its entries, ranked ones and those apart.

    ``seen``: the runs the reader may read; over those that were applied it tells how entries moved.
    """
    ranked = [each for each in entries if each.state == State.RANKED]
    apart = [each for each in entries if each.state != State.RANKED]
    (found,) = _pages(viewer, {run: ranked}, {run: apart})
    history = None if seen is None else history_of(run, seen, ranked)
    return replace(found, hides_logins=hides_logins, history=history)


def boards_of_sets(viewer: Reader, runs: Iterable[ScoreRun]) -> dict[int, BoardPage]:
    """The first ranks of several boards by their essay sets, in a constant number of queries."""
    listed = list(runs)
    first, apart = (_first(listed, states) for states in ((State.RANKED,), APART))
    return {page.run.essay_set_id: page for page in _pages(viewer, first, apart)}


def shown_runs(seen: QuerySet[ScoreRun], sets: Iterable[int]) -> list[ScoreRun]:
    """Of each of these sets the run that counts, of those somebody sees: applied, else public."""
    boards = StandingBoard.objects.filter(essay_set__in=sets).values_list("applied", "public")
    wanted = list(boards)
    found = seen.in_bulk([number for pair in wanted for number in pair if number])
    shown = ((found.get(applied), found.get(public)) for applied, public in wanted)
    return [run for applied, public in shown if (run := applied or public)]


def joined(ranks: Iterable[int], own: int | None = None) -> str:
    """Ranks in words of numbers: ``3, 5–7``; behind one that several share others are skipped.

    ``own``: the rank of whom these are like, who is not among them.
    """
    shared = Counter(ranks)
    if own is not None and own in shared:
        shared[own] += 1
    spans: list[list[int]] = []
    for rank in sorted(shared):
        if spans and spans[-1][-1] + shared[spans[-1][-1]] == rank:
            spans[-1].append(rank)
        else:
            spans.append([rank])
    return ", ".join(
        f"{span[0]}–{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans
    )


def _first(runs: Sequence[ScoreRun], states: Sequence[State]) -> dict[ScoreRun, list[RunEntry]]:
    """The first entries of these states of each run, in their order."""
    found: dict[int, list[RunEntry]] = {run.pk: [] for run in runs}
    entries = RunEntry.objects.filter(run__in=found, state__in=states, position__lte=FIRST)
    for entry in entries.select_related("participant").order_by("position"):
        found[entry.run_id].append(entry)
    return {run: found[run.pk] for run in runs}


def _pages(
    viewer: Reader,
    by_run: Mapping[ScoreRun, list[RunEntry]],
    apart: Mapping[ScoreRun, list[RunEntry]],
) -> list[BoardPage]:
    numbers = [run.pk for run in by_run]
    wanted = {like for of in by_run.values() for entry in of for like in entry.like or ()}
    ranks: dict[int, dict[int, int]] = {run.pk: {} for run in by_run}
    others = RunEntry.objects.filter(run__in=numbers, participant__in=wanted, rank__isnull=False)
    others = others.order_by()
    for run, participant, rank in others.values_list("run_id", "participant_id", "rank"):
        ranks[run][participant] = rank
    beside = around(by_run)
    late = late_of_runs(list(by_run))
    fallbacks = fallback_runs([number for number, some in late.items() if some])
    teams = names_on_boards({run.essay_set_id for run in by_run})
    return [
        BoardPage(
            viewer,
            run,
            entries,
            apart[run],
            ranks[run.pk],
            beside[run.pk],
            late[run.pk],
            teams[run.essay_set_id],
            run.pk in fallbacks,
        )
        for run, entries in by_run.items()
    ]


def row_json(row: BoardRow, like: list[int]) -> dict[str, Any]:
    """A row of a board for programs; ``like``: ranks."""
    entry = row.entry
    is_sure = entry.low is not None
    return {
        "rank": row.rank,
        "name": row.name,
        "STAR": entry.star,
        "OTAR": entry.otar,
        "metrics": {f"M{number}": value for number, value in enumerate(row.metrics, 2)},
        "counted": entry.counted,
        "since": row.since,
        "interval": [entry.low, entry.high] if is_sure else None,
        "rank_interval": [entry.best, entry.worst] if is_sure else None,
        "like": like if is_sure else None,
        "history": row.course.as_json() if row.course else None,
    }
