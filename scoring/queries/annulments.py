from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from annotator.models import MarkupRecord
from scoring.core.entries import Annulment
from scoring.models import RunEntry, ScoreRun
from scoring.signals import annulments_asked, doubts_asked

AT_ONCE: Final = 5000
"""Solutions one question is about: each may become a parameter of a query."""
State = RunEntry.State
WERE_APART: Final = (State.ANNULLED, State.EXCLUDED)


def annulments_among(
    solutions: Mapping[int, Collection[tuple[int, str]]],
) -> dict[int, dict[tuple[int, str], Annulment]]:
    """By set: which of its solutions, authors' numbers and origins, do not stand."""
    found: dict[int, dict[tuple[int, str], Annulment]] = {number: {} for number in solutions}
    waiting = ((*each, number) for number, some in solutions.items() for each in some)
    while some := set(islice(waiting, AT_ONCE)):
        for _receiver, told in annulments_asked.send(sender=MarkupRecord, solutions=some):
            for (author, origin, number), annulment in told.items():
                found[number][author, origin] = annulment
    return found


def is_otherwise(state: str, annulment: Annulment | None) -> bool:
    """Does an entry of this state stand otherwise by now, by what became of its solution?

    Also who was excluded and is annulled instead; who was annulled and is excluded besides is apart
    as before.
    """
    if annulment is None:
        return state in WERE_APART
    if state == State.EXCLUDED:
        return not annulment.is_excluded
    return state != State.ANNULLED


class InDoubt(NamedTuple):
    """What tells whether an entry stands otherwise by now, its row left where it is."""

    run: int
    position: int | None
    entry: int
    participant: int
    origin: str
    state: str


def entries_in_doubt(runs: Collection[ScoreRun]) -> list[InDoubt]:
    """The entries of these runs that may stand otherwise by now, in the order of their boards:
    those that were annulled or excluded when their run was ordered, and those somebody knows
    something of. No former ones, and none that was apart of an author nothing of whom stands.
    """
    entries = RunEntry.objects.filter(run__in=[run.pk for run in runs]).order_by()
    found = _told(entries)
    told = [answer for _to, answer in doubts_asked.send(sender=MarkupRecord) if answer]
    doubts = {each for answer in told for each in answer}
    out = {account for account, origin in doubts if origin is None}
    # Found by their index alone: SQLite would read all rows of a run, however few are apart.
    apart = entries.filter(state__in=WERE_APART).values("pk")
    were_apart = [InDoubt(*each) for each in _told(RunEntry.objects.filter(pk__in=apart))]
    runs_apart_of = Counter(each.participant for each in were_apart)
    known = {each for each in were_apart if each.participant not in out}
    accounts = sorted({each for each, _origin in doubts if runs_apart_of[each] < len(runs)})
    for first in range(0, len(accounts), AT_ONCE):
        some = found.filter(participant__in=accounts[first : first + AT_ONCE])
        for each in map(InDoubt._make, some.exclude(state__in=(State.FORMER, *WERE_APART))):
            if not doubts.isdisjoint({(each.participant, None), (each.participant, each.origin)}):
                known.add(each)
    return sorted(known, key=lambda each: (each.run, each.position or 0, each.entry))


def _told(entries: QuerySet[RunEntry]) -> QuerySet[RunEntry, Any]:
    """What ``InDoubt`` is made of."""
    return entries.order_by().values_list("run", "position", "pk", "participant", "origin", "state")
