"""Score runs: their progress, their pairs, their boards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, overload

from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from accounts.models import AuditEntry
from accounts.queries import trail_of
from annotator.models import RuleSet
from scoring.core.board import Sureness
from scoring.core.counts import Counts
from scoring.core.entries import EntryState
from scoring.core.entry_figures import Compared
from scoring.core.run_changes import Moved, Stood, moves
from scoring.models import RunEntry, RunPair, RunVerdict, ScoreRun, StandingBoard

ROWS_AT_ONCE = 5000
COUNTS = tuple(Counts.__dataclass_fields__)
State = RunEntry.State
APART = (State.ANNULLED, State.EXCLUDED, State.FEW, State.PART, State.NO_ANSWERS)
"""Why entries have no rank and stand apart; former ones stand on no board."""
PARAMETERS = (*(f"w{number}" for number in range(1, 8)), "hardness")
ENDS = ("low", "high", "best", "worst")
"""The intervals of STAR and of the rank."""
NOWHERE = -1
MANY_PEOPLE = 5000
"""More than so many are not listed in a query."""
PEOPLE = ("ordered_by", "proposed_by", "decided_by")


def runs_listed() -> QuerySet[ScoreRun]:
    """All runs, the latest first, with how many of their parts are done."""
    done = Count("parts", filter=Q(parts__done_at__isnull=False))
    found = ScoreRun.objects.select_related("essay_set", "rules", *PEOPLE)
    return found.annotate(parts_done=done, parts_all=Count("parts")).order_by("-pk")


def runs_told() -> QuerySet[ScoreRun]:
    """All runs for programs, the latest first, with what was said of each."""
    said = Prefetch("verdicts", RunVerdict.objects.select_related("who").order_by("pk"))
    return runs_listed().prefetch_related(said)


def changes_of(run: ScoreRun) -> QuerySet[AuditEntry]:
    """The trail of a run and of its board as far as that run is concerned, the earliest first."""
    board = StandingBoard.objects.filter(essay_set=run.essay_set_id).values_list("pk", flat=True)
    of_boards = AuditEntry.objects.filter(
        object_type=StandingBoard._meta.label_lower,
        object_id__in=[str(each) for each in board],
        details__run=run.pk,
    )
    return (trail_of(run) | of_boards).select_related("actor").order_by("pk")


def finished_runs() -> QuerySet[ScoreRun]:
    """The runs whose results do not change any more."""
    frozen = [ScoreRun.State.READY, ScoreRun.State.APPLIED, ScoreRun.State.DISCARDED]
    return ScoreRun.objects.filter(state__in=frozen).select_related("rules", "essay_set")


def board_entries(run: ScoreRun) -> QuerySet[RunEntry]:
    """The entries of a run's board: ranked ones in their order, then those apart by name."""
    found = _standing(run).select_related("participant")
    return found.order_by(F("rank").asc(nulls_last=True), "position", "pk")


def progress_of(run: ScoreRun) -> tuple[int, int]:
    """How many of a run's essays are scored, of how many."""
    done = run.parts.filter(done_at__isnull=False).aggregate(done=Sum("essays"))["done"]
    return done or 0, run.essays


def numbers_of(run: ScoreRun) -> dict[int, str]:
    """The numbers of a run's essays by their rows."""
    contents = run.parts.values_list("content", flat=True)
    return {each["essay"]: each["number"] for content in contents for each in content}


def pairs_by_entry(
    run: ScoreRun, numbers: Mapping[int, str]
) -> Iterator[tuple[int, list[Compared]]]:
    """The pairs of each entry that has any; one entry is in memory at a time."""
    rows = RunPair.objects.filter(run=run, entry__isnull=False).order_by("entry_id")
    fields = ("entry_id", "essay_id", "assessed_id", "reference_id", "m1", "accuracy", *COUNTS)
    found = rows.values_list(*fields).iterator(ROWS_AT_ONCE)
    for entry, own in groupby(found, itemgetter(0)):
        yield (
            entry,
            [
                Compared(numbers[essay], assessed, reference, counts, m1, accuracy)
                for _entry, essay, assessed, reference, m1, accuracy, *counts in own
            ],
        )


def accuracies_between_experts(run: ScoreRun, numbers: Mapping[int, str]) -> dict[str, list[float]]:
    """M(E, E') of each essay of a run that has any, by its number."""
    return _accuracies(run, None, numbers).get(None, {})


def accuracies_of_entries(
    run: ScoreRun, entries: Sequence[RunEntry], numbers: Mapping[int, str]
) -> dict[int | None, dict[str, list[float]]]:
    """M(A, E) of each essay that counts, by its number, by entry."""
    return _accuracies(run, [each.pk for each in entries], numbers)


class ByPosition(Sequence[RunEntry]):
    """The ranked entries of a run in their order, or those of other states, for pages: each is
    sought by its position.

    However far a page lies, it costs the same; positions have no gaps.
    """

    def __init__(self, run: ScoreRun, states: Sequence[RunEntry.State] = (State.RANKED,)) -> None:
        found = RunEntry.objects.filter(run=run, state__in=states, position__isnull=False)
        self._found = found.select_related("participant").order_by("position")

    @cached_property
    def _length(self) -> int:
        last = self._found.order_by().aggregate(last=Max("position"))["last"]
        return last or 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[RunEntry]:
        return iter(self._found)

    @overload
    def __getitem__(self, index: int) -> RunEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[RunEntry]: ...
    def __getitem__(self, index: int | slice) -> RunEntry | list[RunEntry]:
        if isinstance(index, int):
            return self._found.get(position=index + 1)
        first, stop, _step = index.indices(len(self))
        if first >= stop:
            return []
        return list(self._found.filter(position__gt=first, position__lte=stop))


def ranked_entries(run: ScoreRun) -> QuerySet[RunEntry]:
    """The rows of a run's board in their order; within a rank by name (standings.md 2)."""
    found = RunEntry.objects.filter(run=run, state=State.RANKED)
    return found.select_related("participant").order_by("position")


class Around(NamedTuple):
    """What a page of a board has to know of those beside it: the ranks several entries share, also
    with them, and their STAR.
    """

    tied: frozenset[int | None]
    stars: tuple[float, ...]


def around(by_run: Mapping[ScoreRun, Sequence[RunEntry]]) -> dict[int, Around]:
    """The same of several pages of boards, by the numbers of their runs; asked once for all. Equal
    ranks stand side by side: the entries before and behind a page tell of all others.
    """
    beside = {
        (run.pk, (edge.position or 0) + step)
        for run, entries in by_run.items()
        for edge, step in zip((*entries[:1], *entries[-1:]), (-1, 1), strict=False)
    }
    found = RunEntry.objects.filter(run__in={run for run, _position in beside})
    found = found.filter(state=State.RANKED, position__in={position for _run, position in beside})
    rows = found.order_by().values_list("run", "position", "rank", "star") if beside else ()
    known = {(run, position): (rank, star) for run, position, rank, star in rows}
    told = {}
    for run, entries in by_run.items():
        others = [known[each] for each in beside & known.keys() if each[0] == run.pk]
        ranks = Counter(each.rank for each in entries)
        tied = {rank for rank, times in ranks.items() if times > 1}
        tied |= {rank for rank, _star in others if rank in ranks}
        told[run.pk] = Around(frozenset(tied), tuple(star for _rank, star in others))
    return told


def entries_apart(run: ScoreRun) -> ByPosition:
    """The solutions that stand apart from a run's board, by name; no former ones."""
    return ByPosition(run, APART)


def places_in_runs(
    runs: Collection[ScoreRun], people: Collection[int]
) -> dict[tuple[int, int], tuple[int | None, float | None, str]]:
    """Rank, STAR, and the state where there is no rank, of participants' entries, by both keys."""
    found = RunEntry.objects.filter(run__in=[run.pk for run in runs]).exclude(state=State.FORMER)
    found = found.order_by()
    if len(people) <= MANY_PEOPLE:
        found = found.filter(participant__in=people)
    wanted = set(people)
    rows = found.values_list("participant_id", "run_id", "rank", "star", "state")
    return {
        (person, run): (rank, star, "" if state == State.RANKED else state)
        for person, run, rank, star, state in rows.iterator(ROWS_AT_ONCE)
        if person in wanted
    }


def sureness_of(entry: RunEntry) -> Sureness | None:
    """How sure a row of a stored board is; ``like`` are numbers of participants, as texts."""
    ends = (entry.low, entry.high, entry.best, entry.worst)
    if any(end is None for end in ends) or entry.like is None:
        return None
    low, high, best, worst = (end for end in ends if end is not None)
    return Sureness((low, high), (int(best), int(worst)), tuple(map(str, entry.like)))


def applied_run(run: ScoreRun) -> ScoreRun | None:
    """The run that counts for the set of a run now, if any does."""
    board = StandingBoard.objects.select_related("applied__rules").filter(essay_set=run.essay_set)
    return next((each.applied for each in board), None)


def _accuracies(
    run: ScoreRun, entries: Sequence[int] | None, numbers: Mapping[int, str]
) -> dict[int | None, dict[str, list[float]]]:
    """The defined accuracies of entries, or of experts, by essay, in one order always."""
    of_these = Q(entry=None) if entries is None else Q(entry__in=entries)
    rows = RunPair.objects.filter(of_these, run=run, accuracy__isnull=False)
    found: dict[int | None, dict[str, list[float]]] = defaultdict(dict)
    ordered = rows.order_by("assessed_id", "reference_id")
    fields = ("entry_id", "essay_id", "accuracy")
    for entry, essay, accuracy in ordered.values_list(*fields).iterator(ROWS_AT_ONCE):
        found[entry].setdefault(numbers[essay], []).append(accuracy)
    return found


def moves_of(before: ScoreRun | None, after: ScoreRun, *, most: int | None = None) -> list[Moved]:
    """Who would stand elsewhere, and why, if the later run were applied; ``most`` of them.

    The database finds them: those who stand as before are not read.
    """
    same = before is None or parameters_of(before.rules) == parameters_of(after.rules)
    moved = _stood(_not_alike(after, before), most)
    left = _stood(_left(before, after), most) if before else {}
    stood = _stood(_before(moved, before, after)) if before else {}
    former = {each: stood[each] for each in moved if each in stood}
    return list(moves(former | left, moved, same_parameters=same))[:most]


def other_intervals(before: ScoreRun, after: ScoreRun) -> QuerySet[RunEntry]:
    """The entries of the later run whose interval of STAR or of the rank is another one than they
    had; of those with intervals in both. Nobody has any where a run says why.
    """
    if before.unsure or after.unsure:
        return RunEntry.objects.none()
    alike = {end: OuterRef(end) for end in ENDS}
    had = _sure(before).filter(~Q(**alike), participant=OuterRef("participant"))
    return _sure(after).filter(Exists(had))


def intervals_moved(before: ScoreRun, after: ScoreRun) -> list[tuple[RunEntry, RunEntry]]:
    """The same as they stood and as they would stand, in the order of the later run."""
    moved = list(other_intervals(before, after))
    people = [each.participant_id for each in moved]
    stood = {each.participant_id: each for each in _sure(before).filter(participant__in=people)}
    return [(stood[each.participant_id], each) for each in moved]


def _sure(run: ScoreRun) -> QuerySet[RunEntry]:
    """The ranked entries of a run that have intervals."""
    known = {f"{end}__isnull": False for end in ENDS}
    return RunEntry.objects.filter(run=run, rank__isnull=False, **known)


def parameters_of(rules: RuleSet) -> tuple[float, ...]:
    """w1 to w7 and H: what scores depend on besides markups and code."""
    return tuple(getattr(rules, name) for name in PARAMETERS)


def _standing(run: ScoreRun) -> QuerySet[RunEntry]:
    """The entries of a board."""
    return RunEntry.objects.filter(run=run).exclude(state=State.FORMER)


def _not_alike(after: ScoreRun, before: ScoreRun | None) -> QuerySet[RunEntry]:
    """The entries that have another rank, score or state than before, or were not there."""
    if before is None:
        return _standing(after)
    alike = _standing(before).filter(
        Exact(Coalesce("rank", NOWHERE), Coalesce(OuterRef("rank"), NOWHERE)),
        Exact(Coalesce("star", float(NOWHERE)), Coalesce(OuterRef("star"), float(NOWHERE))),
        participant=OuterRef("participant"),
        state=OuterRef("state"),
    )
    return _standing(after).filter(~Exists(alike))


def _left(before: ScoreRun, after: ScoreRun) -> QuerySet[RunEntry]:
    """The entries whose participants have none any more."""
    there = _standing(after).filter(participant=OuterRef("participant"))
    return _standing(before).filter(~Exists(there))


def _before(moved: Collection[int], before: ScoreRun, after: ScoreRun) -> QuerySet[RunEntry]:
    """What those who moved had before; many are asked for with all others."""
    if len(moved) <= MANY_PEOPLE:
        return _standing(before).filter(participant__in=list(moved))
    return _standing(before).filter(participant__in=_standing(after).values("participant"))


def _stood(entries: QuerySet[RunEntry], most: int | None = None) -> dict[int, Stood]:
    """Entries by participant, the ranked ones first."""
    fields = ("participant_id", "name", "origin", "state", "rank", "star")
    found = entries.order_by(F("rank").asc(nulls_last=True), "position")
    rows = found.values_list(*fields, "markups_digest", "counts_digest")[:most]
    return {
        participant: Stood(name, origin, EntryState(state), *figures)
        for participant, name, origin, state, *figures in rows
    }
