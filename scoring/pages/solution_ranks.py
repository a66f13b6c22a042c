"""The rank of a solution, or why it has none, as its reader sees a board: for its report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import EssaySet
from scoring.access import boards_seen_by, may_see_runs
from scoring.core.entries import Annulment, told_origin
from scoring.models import RunEntry, ScoreRun
from scoring.pages.boards import BoardRow, board_page, row_json, shown_runs
from scoring.pages.set_apart import Since, since_of, why_annulled, why_apart
from scoring.queries.annulments import annulments_among
from scoring.queries.reports import last_sent
from scoring.queries.runs import ByPosition

State = RunEntry.State


@dataclass(frozen=True, slots=True)
class SolutionRank:
    """A row of the board of a run on which so many are ``ranked``; its ``like`` are ranks."""

    run: ScoreRun
    row: BoardRow
    ranked: int
    like: list[int]

    def as_json(self, apart_by: str) -> dict[str, Any]:
        """For programs, as the board tells it; ``apart_by``: why a report's figures are others."""
        told = row_json(self.row, self.like)
        names = ("rank", "STAR", "interval", "rank_interval", "like")
        return {
            "run": self.run.pk,
            "rules": str(self.run.rules),
            "hardness": self.run.rules.hardness,
            "apart_by": apart_by or None,
            "ranked": self.ranked,
            **{name: told[name] for name in names},
        }

    def as_table(self, apart_by: str) -> Iterator[tuple[object, ...]]:
        """The same for spreadsheets, one figure a line."""
        entry = self.row.entry
        figures = {
            "run": self.run.pk,
            "rules": str(self.run.rules),
            "hardness": self.run.rules.hardness,
            "apart_by": apart_by,
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


@dataclass(frozen=True, slots=True)
class NoRank:
    """Why a solution has no rank. ``reason`` is for programs: the state of its entry on the board
    of ``run``, ``later`` or ``not-counted`` where it has none, ``no-board`` where there is no run.

    ``counts``: the origin of the solution that counts instead of it; ``None`` where none does.
    ``typed``: what of the words was typed by a person.
    """

    reason: str
    words: str
    run: ScoreRun | None = None
    counts: str | None = None
    typed: str = ""

    @property
    def told_counts(self) -> str | None:
        """The same, as files and addresses tell it."""
        return None if self.counts is None else told_origin(self.counts)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "reason": self.reason,
            "words": self.words,
            "run": self.run.pk if self.run else None,
            "counts": self.told_counts,
        }

    def as_table(self) -> Iterator[tuple[object, ...]]:
        """The same for spreadsheets, one figure a line."""
        for name, value in self.as_json().items():
            yield "no_rank", "", name, "", "" if value is None else value


@dataclass(frozen=True, slots=True)
class SetApart:
    """What became of a solution that its rank, or why it has none, does not tell. ``state`` is for
    programs, ``typed``: what of the words was typed by a person.

    ``run``: the one after which it happened; ``None`` where no run has it.
    """

    state: Since
    words: str
    typed: str
    run: ScoreRun | None

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        since = self.run.pk if self.run else None
        return {"state": self.state, "words": self.words, "after_run": since}

    def as_table(self) -> Iterator[tuple[object, ...]]:
        """The same for spreadsheets, one figure a line."""
        for name, value in self.as_json().items():
            yield "set_apart", "", name, "", "" if value is None else value


def set_apart_of(viewer: User, essay_set: EssaySet, author_id: int, origin: str) -> SetApart | None:
    """Whether a solution was annulled or excluded after the run of the board its reader sees, or
    is not any more; ``None`` where the board tells it as it stands.
    """
    run = next(iter(shown_runs(boards_seen_by(viewer), [essay_set.pk])), None)
    annulment = annulments_among({essay_set.pk: {(author_id, origin)}})[essay_set.pk].get(
        (author_id, origin)
    )
    of_run = RunEntry.objects.filter(run=run, participant=author_id, origin=origin)
    entry = of_run.first() if run else None
    run = run if entry else None
    since = since_of(entry.state if entry else "", annulment)
    if since is None:
        return None
    if annulment is None:
        words = _("It is neither annulled nor excluded any more: the next score run ranks it.")
        return SetApart(since, words, "", run)
    return SetApart(since, _late(annulment, run), annulment.reason, run)


def _late(annulment: Annulment, run: ScoreRun | None) -> str:
    """Why a solution does not stand, and after which run that came."""
    told = why_annulled(annulment)
    if run is None:
        return told
    after = _("Set apart after score run %d, which counted it still.")
    return f"{after % run.pk} {told}"


def standing_of(
    viewer: User, essay_set: EssaySet, author_id: int, origin: str
) -> SolutionRank | NoRank:
    """Where a solution stands on the board that counts for somebody, or why it does not."""
    run = next(iter(shown_runs(boards_seen_by(viewer), [essay_set.pk])), None)
    if run is None:
        return NoRank("no-board", _no_board(viewer))
    of_author = RunEntry.objects.filter(run=run, participant=author_id)
    entry = of_author.filter(origin=origin).select_related("participant").first()
    if entry is None:
        return _not_on_board(run, essay_set, author_id, origin)
    if entry.state == State.FORMER:
        counts = of_author.exclude(state=State.FORMER).values_list("origin", flat=True).get()
        return NoRank(entry.state, _("Another solution counts instead of it."), run, counts)
    if entry.rank is None:
        return NoRank(entry.state, why_apart(entry), run, typed=entry.reason)
    board = board_page(viewer, run, [entry])
    if board.rows[0].is_void:
        return _void(run, board.rows[0])
    return SolutionRank(run, board.rows[0], len(ByPosition(run)), board.like_of(entry))


def _void(run: ScoreRun, row: BoardRow) -> NoRank:
    """Of one that was set apart after the run everybody was brought back to."""
    solution = row.entry.participant_id, row.entry.origin
    annulment = annulments_among({run.essay_set_id: {solution}})[run.essay_set_id][solution]
    return NoRank(str(row.since), _late(annulment, run), run, typed=annulment.reason)


def _no_board(viewer: User) -> str:
    if may_see_runs(viewer):
        return _("No score run of the set was applied: there are no ranks yet.")
    return _("No board of the set is published: there are no ranks yet.")


def _not_on_board(run: ScoreRun, essay_set: EssaySet, author_id: int, origin: str) -> NoRank:
    last = last_sent(essay_set, author_id, origin)
    if last is not None and last > run.ordered_at:
        words = _("It came after score run %d of the board was ordered.")
        return NoRank("later", words % run.pk, run)
    words = _("Score run %d of the board does not count it: of a final only its last run counts.")
    if essay_set.access != EssaySet.Access.FINAL:
        words = _("It was not there, or not complete, when score run %d of the board was ordered.")
    return NoRank("not-counted", words % run.pk, run)
