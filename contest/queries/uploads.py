"""What uploads of a phase got: the best of every team, with places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotator.models import EssaySet
from contest.models import Contest, DataSet, Phase, Team, Upload, UploadTerms
from contest.queries.solutions_of_teams import annulled_by, with_annulments
from scoring.core.standings import Present, Score, table


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A team's upload that stands: the best by the public part, of equal ones the first.

    ``score``: the mean over the items of the part that is shown, from 0 to 1.
    """

    team: str
    score: float
    place: int
    uploads: int
    upload: int
    is_tied: bool


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
class UploadBoard:
    """The board of a phase: by the public part, and once it is closed by the final one."""

    phase: Phase
    digest: str
    public: tuple[BoardLine, ...]
    final: tuple[BoardLine, ...] | None
    annulled: tuple[AnnulledLine, ...] = ()
    excluded: tuple[ExcludedLine, ...] = ()


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


def waiting_uploads_of(phase: Phase) -> int:
    """How many uploads of a phase are not scored or taken in yet."""
    return Upload.objects.filter(phase=phase, state=Upload.State.WAITING).count()


def terms_of(contest: Contest) -> list[UploadTerms]:
    """The terms of a contest's phases, the first phase first; no key is read."""
    found = UploadTerms.objects.filter(phase__contest=contest)
    found = found.select_related("phase__contest", "essay_set")
    return list(found.defer("seed").order_by("phase__starts_at"))


def board_of(phase: Phase, *, shows_final: bool = False) -> UploadBoard:
    """The board of a phase that has terms; the final part once the phase is closed.

    ``shows_final``: before that too, for those who check the results.
    """
    rows = Upload.objects.filter(phase=phase, state=Upload.State.SCORED, team__excluded_at=None)
    rows = with_annulments(rows.select_related("team").order_by("pk"))
    told = [(each, annulled_by(each)) for each in rows]
    uploads = [each for each, said in told if not said]
    standing: dict[int, Upload] = {}
    counts: dict[int, int] = {}
    for each in uploads:
        counts[each.team_id] = counts.get(each.team_id, 0) + 1
        best = standing.get(each.team_id)
        if each.public is not None and (best is None or each.public > (best.public or 0)):
            standing[each.team_id] = each
    public = {each.pk: each.public for each in standing.values()}
    final = {each.pk: each.final for each in standing.values()}
    is_closed = shows_final or phase.closed_at is not None
    return UploadBoard(
        phase,
        phase.upload_terms.digest,
        _placed(standing, counts, public),
        _placed(standing, counts, final) if is_closed else None,
        tuple(
            AnnulledLine(each.team.name, each.name, one.reason, one.protocol)
            for each, said in told
            for one in said
        ),
        _excluded(phase),
    )


def _excluded(phase: Phase) -> tuple[ExcludedLine, ...]:
    """The excluded teams of whose uploads some were scored, by name."""
    scored = Upload.objects.filter(phase=phase, state=Upload.State.SCORED)
    teams = Team.objects.filter(excluded_at__isnull=False, pk__in=scored.values("team"))
    fields = ("name", "excluded_because", "excluded_by")
    return tuple(ExcludedLine(*each) for each in teams.order_by("name").values_list(*fields))


def _placed(
    standing: dict[int, Upload], counts: dict[int, int], values: dict[int, float | None]
) -> tuple[BoardLine, ...]:
    """Lines by the one table of standings: the mean over the items stands for a single essay."""
    chosen = {each.pk: each for each in standing.values()}
    key = Present(0, 0, 0, is_expert=True)
    present = [Present(0, each.pk, each.team_id, is_expert=False) for each in chosen.values()]
    scores = [Score(0, pk, chosen[pk].team_id, 0, 0, value) for pk, value in values.items()]
    found = table([key, *present], scores, 1).lines
    sharing = Counter(line.place for line in found)
    lines = [
        BoardLine(
            team=standing[line.author].team.name,
            score=line.star,
            place=line.place,
            uploads=counts[line.author],
            upload=standing[line.author].pk,
            is_tied=sharing[line.place] > 1,
        )
        for line in found
        if line.star is not None and line.place is not None
    ]
    return tuple(sorted(lines, key=lambda line: (line.place, line.team.casefold())))
