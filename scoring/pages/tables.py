"""The tables of accuracy of essay sets, as somebody may read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts.models import User
from annotator.access import may_see_rivals
from annotator.models import EssaySet, RuleSet
from scoring.access import (
    boards_seen_by,
    may_read_report,
    name_for,
    reads_others_at_once,
)
from scoring.models import StandingBoard
from scoring.pages.boards import BoardPage, boards_of_sets, shown_runs
from scoring.pages.set_apart import why_annulled
from scoring.queries.reports import sets_told
from scoring.queries.tables import Annulled, Standing, StarTable, star_tables


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The STAR table of an essay set as somebody sees it: whole, or the own line alone.

    Logins are for staff: everybody else reads full names. ``board``: of the run that counts, where
    it is theirs to read. ``counts``: whether a run counts for the set; ``is_told``: whether
    accuracies are told, which of finals are those of a run (R 8.2).
    """

    essay_set: EssaySet
    table: StarTable
    viewer: User
    board: BoardPage | None = None
    counts: bool = False
    is_told: bool = True

    @property
    def rules(self) -> RuleSet:
        """By which what stands first is told: the board, else the figures of this moment."""
        return self.board.run.rules if self.board else self.essay_set.rules

    @property
    def ster(self) -> float | None:
        """How exactly experts repeat each other, where accuracies are told."""
        return self.table.ster if self.is_told else None

    @property
    def is_whole(self) -> bool:
        """Is nobody left out? Only then places are told."""
        told = [*self.table.standings, *self.table.apart]
        return may_see_rivals(self.viewer, self.essay_set) and all(map(self._shows, told))

    @property
    def has_places(self) -> bool:
        """Are places told? Beside a board its ranks are the only ones."""
        return self.board is None and self.is_whole and self.is_told

    @property
    def reported(self) -> set[int]:
        """Whose reports the reader may open."""
        found = {line.participant.pk for line in self.table.standings}
        return {number for number in found if may_read_report(self.viewer, number)}

    @property
    def lines(self) -> list[tuple[str, Standing]]:
        """Names and figures; a place among those who are not shown is not told."""
        shown = [line for line in self.table.standings if self._shows(line)]
        if not self.is_told:
            nothing = {"star": None, "otar": None, "place": None}
            shown = [replace(line, **nothing) for line in shown]
            shown.sort(key=lambda line: (line.participant.username, line.origin))
        elif not self.has_places:
            shown = [replace(line, place=None) for line in shown]
        return [(name_for(self.viewer, line.participant), line) for line in shown]

    @property
    def apart(self) -> list[tuple[str, Annulled, str]]:
        """Names, annulled or excluded solutions, and why they are, of those who are shown."""
        shown = [each for each in self.table.apart if self._shows(each)]
        names = (name_for(self.viewer, each.participant) for each in shown)
        whys = (why_annulled(each.annulment) for each in shown)
        return list(zip(names, shown, whys, strict=True))

    def _shows(self, line: Standing | Annulled) -> bool:
        """A participant reads of others what came in no session, until a run counts for the set.

        Sessions of others, and all of them afterwards, stand on boards that are published.
        """
        if line.participant == self.viewer or reads_others_at_once(self.viewer):
            return True
        is_told = not self.counts and not line.origin
        return is_told and may_see_rivals(self.viewer, self.essay_set)


def score_tables(viewer: User, sets: Sequence[EssaySet]) -> list[ScoreTable]:
    """The STAR tables of these sets as somebody may read them, in a constant number of queries."""
    numbers = [each.pk for each in sets]
    boards = boards_of_sets(viewer, shown_runs(boards_seen_by(viewer), numbers))
    counting = StandingBoard.objects.filter(essay_set__in=numbers, applied__isnull=False)
    counted = set(counting.values_list("essay_set_id", flat=True))
    told = sets_told(sets)
    found = zip(sets, star_tables(sets), strict=True)
    return [
        ScoreTable(
            essay_set,
            table,
            viewer,
            boards.get(essay_set.pk),
            counts=essay_set.pk in counted,
            is_told=essay_set.pk in told,
        )
        for essay_set, table in found
    ]
