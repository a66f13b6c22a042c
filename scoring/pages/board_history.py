"""How the entries of a board moved over the applied runs of its set, drawn and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.models import RuleSet
from scoring.models import RunEntry, ScoreRun
from scoring.pages.charts import place
from scoring.queries.runs import parameters_of, places_in_runs

MOST_RUNS: Final = 6
"""So many runs are told, the one whose board is read among them."""
WIDE: Final = 120.0
HIGH: Final = 20.0
EDGE: Final = 4.0
"""Room around the line for its last dot."""
State = RunEntry.State
UNKNOWN: Final = (None, None, "")
"""What a run knows of somebody who is not on its board."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where an entry stood in a run, and by which rules. ``state``: of one without a rank; empty
    where it was not.
    """

    run: int
    rank: int | None = None
    star: float | None = None
    state: str = ""
    rules: str = ""
    hardness: float | None = None

    @property
    def why(self) -> str:
        """Why there is no rank, in words; empty where the run knows nothing of the entry."""
        return str(State(self.state).label) if self.state else ""


@dataclass(frozen=True, slots=True)
class Course:
    """An entry over the runs of a board, the earliest first; ``line`` is the path of its STAR."""

    steps: tuple[Step, ...]
    line: str
    x: str
    y: str

    @property
    def words(self) -> str:
        """What the last run did to the rank, beside the run before it."""
        before, now = self.steps[-2:]
        if now.rank is None or before.rank is None:
            return _("was without a rank") if before.state else _("was not on the board")
        up = before.rank - now.rank
        if not up:
            return _("the same rank")
        words = (
            ngettext("%d rank up", "%d ranks up", up)
            if up > 0
            else ngettext("%d rank down", "%d ranks down", -up)
        )
        return words % abs(up)

    @property
    def gained(self) -> float | None:
        """What STAR gained since the run before; ``None`` where one of both is not known."""
        before, now = self.steps[-2:]
        return None if before.star is None or now.star is None else now.star - before.star

    def as_json(self) -> list[dict[str, Any]]:
        """For programs: a run each, nothing rounded."""
        return [
            {
                "run": step.run,
                "rank": step.rank,
                "STAR": step.star,
                "state": step.state or None,
                "rules": step.rules,
                "hardness": step.hardness,
            }
            for step in self.steps
        ]


@dataclass(frozen=True, slots=True)
class BoardHistory:
    """The runs, the earliest first and the board's own last, and courses by participants."""

    runs: Sequence[ScoreRun]
    courses: Mapping[int, Course]

    @property
    def changes(self) -> list[str]:
        """What each run counts otherwise than the one before it, in words; empty where nothing."""
        pairs = pairwise(run.rules for run in self.runs)
        return ["", *(_told_change(before, now) for before, now in pairs)]

    @property
    def told_runs(self) -> list[tuple[ScoreRun, str]]:
        """The runs with these words."""
        return list(zip(self.runs, self.changes, strict=True))

    @property
    def last_change(self) -> str:
        """The words of the board's own run."""
        return self.changes[-1]

    @property
    def marks(self) -> str:
        """The lines between the points where the rules changed."""
        apart = (WIDE - 2 * EDGE) / (len(self.runs) - 1)
        places = (EDGE + (number - 0.5) * apart for number, told in enumerate(self.changes) if told)
        return "".join(f"M{place(x)} 0V{place(HIGH)}" for x in places)


def history_of(
    run: ScoreRun, seen: QuerySet[ScoreRun], entries: Sequence[RunEntry]
) -> BoardHistory | None:
    """How these entries of a run came to stand where they do; ``None`` without an earlier run.

    ``seen``: the runs whose boards the reader may read. No other is told of, nor one that was
    applied after the run.
    """
    applied = seen.filter(
        essay_set=run.essay_set_id,
        state=ScoreRun.State.APPLIED,
        decided_at__lte=run.decided_at or timezone.now(),
    ).exclude(pk=run.pk)
    applied = applied.select_related("rules")
    runs = [run, *applied.order_by("-decided_at", "-pk")[: MOST_RUNS - 1]][::-1]
    if len(runs) == 1:
        return None
    people = [entry.participant_id for entry in entries]
    found = places_in_runs(runs, people)
    steps = {
        person: tuple(_step(each, found.get((person, each.pk), UNKNOWN)) for each in runs)
        for person in people
    }
    return BoardHistory(runs, dict(_drawn(steps)))


def _step(run: ScoreRun, found: tuple[int | None, float | None, str]) -> Step:
    return Step(run.pk, *found, str(run.rules), run.rules.hardness)


def _told_change(before: RuleSet, now: RuleSet) -> str:
    """What is counted otherwise, in words; empty where only the name of the rules is another."""
    told = []
    if before.hardness != now.hardness:
        told.append(f"H {_number(before.hardness)} → {_number(now.hardness)}")
    if parameters_of(before)[:-1] != parameters_of(now)[:-1]:
        told.append(_("weights"))
    return ", ".join(told)


def _number(value: float) -> str:
    return str(number_format(int(value) if value.is_integer() else value))


def _drawn(steps: Mapping[int, tuple[Step, ...]]) -> Iterator[tuple[int, Course]]:
    """All on one scale, each from its own lowest STAR: equal rises look equal."""
    stars = {who: [each.star for each in of if each.star is not None] for who, of in steps.items()}
    scale = max((max(known) - min(known) for known in stars.values() if known), default=0) or 1
    for who, of in steps.items():
        apart = (WIDE - 2 * EDGE) / (len(of) - 1)
        points = [
            None
            if each.star is None
            else (
                place(EDGE + number * apart),
                place(HIGH - EDGE - (each.star - min(stars[who])) / scale * (HIGH - 2 * EDGE)),
            )
            for number, each in enumerate(of)
        ]
        yield who, Course(of, _path(points), *(points[-1] or ("", "")))


def _path(points: Iterable[tuple[str, str] | None]) -> str:
    """A line through the points; where one is missing it begins anew."""
    said, is_open = [], False
    for point in points:
        if point:
            said.append(f"{'L' if is_open else 'M'}{point[0]} {point[1]}")
        is_open = point is not None
    return "".join(said)
