"""The rank of a solution, as far as its reader sees a board: what a report says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from annotator.models import EssaySet
from scoring.access import boards_seen_by
from scoring.models import ScoreRun
from scoring.pages.boards import BoardRow, board_page, row_json, shown_runs
from scoring.queries.runs import ranked_entries


@dataclass(frozen=True, slots=True)
class SolutionRank:
    """A row of the board of a run on which so many are ``ranked``; its ``like`` are ranks."""

    run: ScoreRun
    row: BoardRow
    ranked: int
    like: list[int]

    def as_json(self) -> dict[str, Any]:
        """For programs, as the board tells it."""
        told = row_json(self.row, self.like)
        names = ("rank", "STAR", "interval", "rank_interval", "like")
        return {"run": self.run.pk, "ranked": self.ranked, **{name: told[name] for name in names}}

    def as_table(self) -> Iterator[tuple[object, ...]]:
        """The same for spreadsheets, one figure a line."""
        entry = self.row.entry
        figures = {
            "run": self.run.pk,
            "ranked": self.ranked,
            "rank": entry.rank,
            "STAR": entry.star,
            "low": entry.low,
            "high": entry.high,
            "best": entry.best,
            "worst": entry.worst,
            "like": self.row.like,
        }
        yield from (("board", "", name, "", value) for name, value in figures.items())


def rank_of(viewer: User, essay_set: EssaySet, author_id: int, origin: str) -> SolutionRank | None:
    """Where a solution stands on the board that counts for somebody, if it has a rank there."""
    run = next(iter(shown_runs(boards_seen_by(viewer), [essay_set.pk])), None)
    if run is None:
        return None
    ranked = ranked_entries(run)
    entry = ranked.filter(participant=author_id, origin=origin).first()
    if entry is None:
        return None
    equal = ranked.filter(rank=entry.rank).exclude(pk=entry.pk)[:1]
    board = board_page(viewer, run, [entry, *equal])
    return SolutionRank(run, board.rows[0], ranked.count(), board.like_of(entry))
