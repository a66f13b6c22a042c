"""A score run as a file: the same runs of the same markups under the same rules, the same bytes.

Neither numbers of runs nor times stand in it. Sets and people are called as they were when the run
was finished: its digest is of these names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from accounts.queries import logins_at
from annotator.queries.sets import name_at
from scoring.core.entries import told_origin
from scoring.models import RunEntry, RunPair, ScoreRun
from scoring.queries.runs import COUNTS, numbers_of
from web.core.sheets import as_csv

FORM: Final = "razbor score run 2"
"""What the file says it is; another number when its keys change, or what they hold."""
ROWS_AT_ONCE: Final = 5000
written: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
WEIGHTS: Final = tuple(f"w{number}" for number in range(1, 8))
FIGURES: Final = ("state", "reason", "asked", "counted", "star", "otar", "rank", "position")
PAIR: Final = (
    "essay",
    "participant",
    "origin",
    "assessed",
    "reference",
    *COUNTS,
    "m1",
    "accuracy",
)


def run_as_lines(run: ScoreRun) -> Iterator[str]:
    """JSON Lines: the run, its entries by login and origin, its pairs by their markups."""
    entries = list(run.entries.select_related("participant"))
    logins = _logins(run, entries)
    yield _line(_head(run))
    for each in sorted(entries, key=lambda each: (logins[each.participant_id], each.origin)):
        yield _line(_entry(each, logins))
    for row in _pairs(run, entries, logins):
        yield _line(dict(zip(PAIR, row, strict=True)))


def run_as_csv(run: ScoreRun) -> Iterator[str]:
    """The pairs as a table; in cells no spreadsheet computes."""
    entries = list(run.entries.select_related("participant"))
    rows = _pairs(run, entries, _logins(run, entries))
    yield from as_csv((PAIR, *(["" if cell is None else cell for cell in row] for row in rows)))


def _line(found: Mapping[str, Any]) -> str:
    return written(found) + "\n"


def _logins(run: ScoreRun, entries: Sequence[RunEntry]) -> dict[int, str]:
    """The logins of those who have entries, as they were when the run was finished."""
    former = logins_at(run.finished_at) if run.finished_at else {}
    people = {each.participant_id: each.participant.username for each in entries}
    return {number: former.get(number, login) for number, login in people.items()}


def _head(run: ScoreRun) -> dict[str, Any]:
    rules, held, end = run.rules, run.essay_set, run.finished_at
    return {
        "form": FORM,
        "set": name_at(held, end) if end else held.name,
        "rules": {
            "name": rules.name,
            "version": rules.version,
            **{name: getattr(rules, name) for name in WEIGHTS},
            "hardness": rules.hardness,
        },
        "code": run.code,
        "seed": run.seed,
        "numpy": run.numpy,
        "essays": run.essays,
        "STER": run.ster,
        "unsure": run.unsure or None,
        "left_out": run.left_out,
    }


def _entry(entry: RunEntry, logins: Mapping[int, str]) -> dict[str, Any]:
    return {
        "participant": logins[entry.participant_id],
        "origin": told_origin(entry.origin),
        **{name: getattr(entry, name) for name in FIGURES},
        "metrics": entry.metrics,
        "interval": None if entry.low is None else [entry.low, entry.high],
        "rank_interval": None if entry.best is None else [entry.best, entry.worst],
        "like": None if entry.like is None else [logins[each] for each in entry.like],
    }


def _pairs(
    run: ScoreRun, entries: Sequence[RunEntry], logins: Mapping[int, str]
) -> Iterator[tuple[Any, ...]]:
    numbers = numbers_of(run)
    whose = {each.pk: (logins[each.participant_id], told_origin(each.origin)) for each in entries}
    rows = RunPair.objects.filter(run=run).order_by("assessed_id", "reference_id")
    fields = ("essay_id", "entry_id", "assessed_id", "reference_id", *COUNTS, "m1", "accuracy")
    for essay, entry, *figures in rows.values_list(*fields).iterator(ROWS_AT_ONCE):
        yield numbers[essay], *whose.get(entry, (None, None)), *figures
