"""Who would stand elsewhere by a score run, kept for its page: finding them reads all entries."""

from __future__ import annotations

from typing import Final

from scoring.core.run_changes import Moved, moves_from_json, moves_to_json
from scoring.models import RunDifference, ScoreRun
from scoring.queries.runs import moves_of

MOST_MOVES: Final = 1000
"""So many who would stand elsewhere are told on the page; the command tells all."""


def moves_told(before: ScoreRun, after: ScoreRun) -> list[Moved]:
    """The first who would stand elsewhere, one more than are told: worked out once, then read.

    Both runs are frozen, so what is kept stays true.
    """
    kept = RunDifference.objects.filter(before=before, after=after).first()
    return moves_from_json(kept.moves) if kept else keep_moves(before, after)


def keep_moves(before: ScoreRun, after: ScoreRun) -> list[Moved]:
    """Work them out and keep them. Safe to repeat, also at once."""
    found = moves_of(before, after, most=MOST_MOVES + 1)
    difference = RunDifference(before=before, after=after, moves=moves_to_json(found))
    RunDifference.objects.bulk_create([difference], ignore_conflicts=True)
    return found
