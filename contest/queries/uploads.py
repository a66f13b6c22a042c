"""What uploads of a phase got: the best of every team, with places."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from annotator.models import EssaySet
from contest.models import (
    Contest,
    DataSet,
    Phase,
    PhaseVerdict,
    Team,
    Upload,
    UploadTerms,
)
from contest.queries.solutions_of_teams import annulled_by, with_annulments
from scoring.core.standings import Present, Score, table


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A team's upload that stands: the best by the public part, of equal ones the first.

    ``score``: the mean over the items of the part that is shown, from 0 to 1. ``number`` tells
    lines of one team in both parts by.
    """

    team: str
    score: float
    place: int
    uploads: int
    number: int
    is_tied: bool


@dataclass(frozen=True, slots=True)
class _Best:
    """What both parts of the board say of a team's upload that stands."""

    team: str
    uploads: int
    public: float | None
    final: float | None


@dataclass(frozen=True, slots=True)
class AnnulledLine:
    """An upload that organisers annulled (R 9.5): it stands apart, with the reason."""

    team: str
    name: str
    reason: str
    protocol: str


@dataclass(frozen=True, slots=True)
class ExcludedLine:
    """A team that was excluded (R 11.6): its uploads stand apart, with the reason."""

    team: str
    reason: str
    protocol: str


@dataclass(frozen=True, slots=True)
class Since:
    """What was decided after the results were approved: the board stays as it was (R 8.2.5).

    ``lifted``: the uploads, by team and name, that the protocol tells as annulled and that are not
    any more; ``taken_back``: the teams that it tells as excluded.
    """

    annulled: tuple[AnnulledLine, ...]
    excluded: tuple[ExcludedLine, ...]
    lifted: tuple[tuple[str, str], ...]
    taken_back: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UploadBoard:
    """The board of a phase: by the public part, and once it is closed by the final one.

    Once the results are approved it is that of their protocol; ``since``: what became of it. From
    ``approved_at`` on its places stay.
    """

    phase: Phase
    terms: UploadTerms
    public: tuple[BoardLine, ...]
    final: tuple[BoardLine, ...] | None
    annulled: tuple[AnnulledLine, ...] = ()
    excluded: tuple[ExcludedLine, ...] = ()
    since: Since | None = None
    approved_at: datetime | None = None


def sets_of_uploads() -> QuerySet[EssaySet]:
    """The sets whose markups are uploads with quotas: test and final ones of contests of essays
    without live sessions, be the terms set already or not.
    """
    held = Q(
        data_set__role__in=(DataSet.Role.TEST, DataSet.Role.FINAL),
        data_set__contest__live=False,
        data_set__contest__scheme="",
    )
    return EssaySet.objects.filter(held | Q(upload_terms__isnull=False)).order_by()


def is_key_of_contest(key_id: int) -> bool:
    """True for a stored key by which uploads are or were scored."""
    return UploadTerms.objects.filter(key=key_id).exists()


def terms_of(contest: Contest) -> list[UploadTerms]:
    """The terms of a contest's phases, the first phase first; no key is read."""
    found = UploadTerms.objects.filter(phase__contest=contest)
    found = found.select_related("phase__contest", "essay_set")
    return list(found.defer("seed").order_by("phase__starts_at"))


def board_of(phase: Phase, *, shows_final: bool = False) -> UploadBoard:
    """The board of a phase that has terms; the final part once the phase is closed.

    ``shows_final``: before that too, for those who check the results.
    """
    now = _board_now(phase, shows_final=shows_final or phase.closed_at is not None)
    approved = _approved_of(phase) if phase.closed_at is not None else None
    if approved is None:
        return now
    content, approved_at = approved
    return _as_approved(now, content, approved_at) if "uploads" in content else now


def _board_now(phase: Phase, *, shows_final: bool) -> UploadBoard:
    rows = Upload.objects.filter(phase=phase, state=Upload.State.SCORED, team__excluded_at=None)
    rows = with_annulments(rows.select_related("team").order_by("pk"))
    told = [(each, annulled_by(each)) for each in rows]
    uploads = [each for each, said in told if not said]
    standing: dict[int, Upload] = {}
    counts: Counter[int] = Counter()
    for each in uploads:
        counts[each.team_id] += 1
        best = standing.get(each.team_id)
        if each.public is not None and (best is None or each.public > (best.public or 0)):
            standing[each.team_id] = each
    found = {
        each.pk: _Best(each.team.name, counts[each.team_id], each.public, each.final)
        for each in standing.values()
    }
    return UploadBoard(
        phase,
        phase.upload_terms,
        _placed(found, {number: each.public for number, each in found.items()}),
        _placed(found, {number: each.final for number, each in found.items()})
        if shows_final
        else None,
        tuple(
            AnnulledLine(each.team.name, each.name, one.reason, one.protocol)
            for each, said in told
            for one in said
        ),
        _excluded(phase),
    )


def _approved_of(phase: Phase) -> tuple[dict[str, Any], datetime] | None:
    """What the approved protocol of a phase says, and since when; ``None``: there is none."""
    approved = PhaseVerdict.objects.filter(kind=PhaseVerdict.Kind.APPROVED)
    found = approved.filter(protocol__phase=phase, protocol__voided_at=None)
    verdict = found.values_list("protocol__content", "at").first()
    return None if verdict is None else (json.loads(verdict[0]), verdict[1])


def _as_approved(
    now: UploadBoard, content: Mapping[str, Any], approved_at: datetime
) -> UploadBoard:
    """The board as the protocol has it, and what was decided since."""
    told = content["uploads"]
    found = {
        number: _Best(row["team"], row["uploads"], row["public"], row["final"])
        for number, row in enumerate(told["rows"])
    }
    annulled = tuple(AnnulledLine(**each) for each in told.get("annulled", ()))
    said = ((each["team"], each["excluded"]) for each in content["teams"] if each["excluded"])
    scored = Upload.objects.filter(phase=now.phase, state=Upload.State.SCORED)
    names = set(scored.order_by().values_list("team__name", flat=True))
    excluded = tuple(ExcludedLine(team, **why) for team, why in said if team in names)
    return replace(
        now,
        public=_placed(found, {number: each.public for number, each in found.items()}),
        final=_placed(found, {number: each.final for number, each in found.items()}),
        annulled=annulled,
        excluded=excluded,
        since=_since(now, annulled, excluded),
        approved_at=approved_at,
    )


def _since(
    now: UploadBoard, annulled: tuple[AnnulledLine, ...], excluded: tuple[ExcludedLine, ...]
) -> Since | None:
    """What is set apart now and was not, and the other way round; ``None`` where nothing is."""
    out = {each.team for each in now.excluded}
    then = Counter((each.team, each.name) for each in annulled if each.team not in out)
    still = Counter((each.team, each.name) for each in now.annulled)
    found = Since(
        tuple((Counter(now.annulled) - Counter(annulled)).elements()),
        tuple(each for each in now.excluded if each not in excluded),
        tuple(sorted((then - still).elements())),
        tuple(each.team for each in excluded if each.team not in out),
    )
    return found if any(astuple(found)) else None


def _excluded(phase: Phase) -> tuple[ExcludedLine, ...]:
    """The excluded teams of whose uploads some were scored, by name."""
    scored = Upload.objects.filter(phase=phase, state=Upload.State.SCORED)
    teams = Team.objects.filter(excluded_at__isnull=False, pk__in=scored.values("team"))
    fields = ("name", "excluded_because", "excluded_by")
    return tuple(ExcludedLine(*each) for each in teams.order_by("name").values_list(*fields))


def _placed(
    found: Mapping[int, _Best], values: Mapping[int, float | None]
) -> tuple[BoardLine, ...]:
    """Lines by the one table of standings: the mean over the items stands for a single essay."""
    key = Present(0, -1, -1, is_expert=True)
    present = [Present(0, number, number, is_expert=False) for number in found]
    scores = [Score(0, number, number, -1, -1, value) for number, value in values.items()]
    placed = table([key, *present], scores, 1).lines
    sharing = Counter(line.place for line in placed)
    lines = [
        BoardLine(
            team=found[line.author].team,
            score=line.star,
            place=line.place,
            uploads=found[line.author].uploads,
            number=line.author,
            is_tied=sharing[line.place] > 1,
        )
        for line in placed
        if line.star is not None and line.place is not None
    ]
    return tuple(sorted(lines, key=lambda line: (line.place, line.team.casefold())))
