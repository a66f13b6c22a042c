"""The board of uploads of a contest as somebody may read it: phase by phase, also as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Final

from contest.access import upload_phases_seen_by
from contest.models import Contest
from contest.queries.uploads import AnnulledLine, ExcludedLine, UploadBoard, board_of
from scoring.core.entries import EntryState
from scoring.pages.set_apart import Since

COLUMNS: Final = (
    *("phase", "rank", "name", "final", "public", "public_rank", "uploads"),
    *("state", "upload", "why", "protocol", "since"),
)
NOTHING: Final = ("",) * 4
"""Of whoever has no place the figures and uploads; of the others why they stand apart."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A team with both figures of the upload that stands, from 0 to 1.

    ``rank``: by the part that decides, which is the final one as soon as it is told.
    """

    rank: int | None
    name: str
    final: float | None
    public: float | None
    public_rank: int | None
    uploads: int


@dataclass(frozen=True, slots=True)
class Apart:
    """What stands apart, or stands otherwise since the approval: an upload or, where ``upload`` is
    None, all of a team. ``words``: why, as organisers wrote it.
    """

    name: str
    upload: str | None
    became: str
    words: str | None = None
    protocol: str | None = None

    def as_json(self, key: str) -> dict[str, Any]:
        """``key``: what ``became`` is called."""
        told = asdict(self)
        return {key if name == "became" else name: value for name, value in told.items()}

    def as_row(self, phase: str, *, is_since: bool) -> Sequence[object]:
        state, since = ("", self.became) if is_since else (self.became, "")
        why = (self.upload or "", self.words or "", self.protocol or "")
        return (phase, "", self.name, *NOTHING, state, *why, since)


@dataclass(frozen=True, slots=True)
class BoardsOfUploads:
    """Of each phase somebody may read, its board."""

    contest: Contest
    boards: Sequence[UploadBoard]

    @classmethod
    def seen_by(cls, user: object, contest: Contest) -> BoardsOfUploads:
        """With no boards where there is nothing to be seen."""
        phases = upload_phases_seen_by(user, contest).select_related("upload_terms")
        return cls(contest, [board_of(phase) for phase in phases])

    def as_json(self) -> dict[str, Any]:
        """For programs: nothing rounded, and nothing but what the page tells."""
        boards = [_board_json(each) for each in self.boards]
        return {"contest": self.contest.slug, "boards": boards}

    def as_table(self) -> list[Sequence[object]]:
        """For spreadsheets: of each phase its places, whatever stands apart, what became since."""
        rows: list[Sequence[object]] = [COLUMNS]
        for board in self.boards:
            phase = board.phase.kind
            ranked = EntryState.RANKED.value
            rows += [(phase, *astuple(each), ranked, *NOTHING) for each in placed_of(board)]
            rows += [each.as_row(phase, is_since=False) for each in apart_of(board)]
            rows += [each.as_row(phase, is_since=True) for each in since_of(board)]
        return rows


def placed_of(board: UploadBoard) -> list[Placed]:
    """The teams in the order of the part that decides."""
    public = {line.number: line for line in board.public}
    final = {line.number: line for line in board.final or ()}
    deciding = public if board.final is None else final
    return [
        Placed(
            rank=deciding[number].place if number in deciding else None,
            name=line.team,
            final=final[number].score if number in final else None,
            public=public[number].score if number in public else None,
            public_rank=public[number].place if number in public else None,
            uploads=line.uploads,
        )
        for number, line in {**final, **public}.items()
    ]


def apart_of(board: UploadBoard) -> list[Apart]:
    """Annulled uploads and excluded teams, in their order on the page."""
    became = (EntryState.ANNULLED.value, EntryState.EXCLUDED.value)
    return _set_apart(board.annulled, board.excluded, *became)


def since_of(board: UploadBoard) -> list[Apart]:
    """What was decided after the results were approved."""
    if board.since is None:
        return []
    now = _set_apart(board.since.annulled, board.since.excluded, Since.ANNULLED, Since.EXCLUDED)
    again = [*board.since.lifted, *((team, None) for team in board.since.taken_back)]
    return [*now, *(Apart(team, upload, Since.STANDS) for team, upload in again)]


def _set_apart(
    annulled: Iterable[AnnulledLine], excluded: Iterable[ExcludedLine], one: str, all_of: str
) -> list[Apart]:
    return [
        *(Apart(each.team, each.name, one, each.reason, each.protocol) for each in annulled),
        *(Apart(each.team, None, all_of, each.reason, each.protocol) for each in excluded),
    ]


def _board_json(board: UploadBoard) -> dict[str, Any]:
    return {
        "phase": board.phase.kind,
        "still_since": board.approved_at,
        "digest": board.terms.public_digest,
        "salt": board.terms.salt if board.phase.closed_at else None,
        "rows": [asdict(each) for each in placed_of(board)],
        "apart": [each.as_json("reason") for each in apart_of(board)],
        "since": [each.as_json("since") for each in since_of(board)],
    }
