"""What the protocol of a phase says: teams, their solutions, boards (R 8.1, 8.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import F, Max, Q, QuerySet, Value

from annotator.models import EssaySet, MarkupRecord
from contest.models import (
    Contest,
    DataSet,
    ExchangeSession,
    Phase,
    PhaseProtocol,
    Team,
    UploadTerms,
)
from contest.queries.parameters import parameters_in_force
from contest.queries.solutions_of_teams import sessions_of_phase
from contest.queries.teams import teams_of
from contest.queries.uploads import board_of
from review.queries.verdicts import readiness_of
from scoring.models import RunEntry, ScoreRun, StandingBoard

SETS_OF = {Phase.Kind.QUALIFICATION: DataSet.Role.TEST, Phase.Kind.FINALS: DataSet.Role.FINAL}


def content_of(phase: Phase) -> dict[str, Any]:
    """The results of a phase as they are now, as JSON values; nothing is rounded.

    The same results give the same values, whenever they are asked for.
    """
    contest, kind = phase.contest, phase.kind
    sessions: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for each in sessions_of_phase(contest, kind):
        sessions[each.participant_id].append(_session(each))
    teams = teams_of(contest).prefetch_related("verdicts__who")
    runs = applied_runs(phase)
    boards = _boards(runs)
    names = {each.account_id: each.name for each in teams}
    parameters = parameters_in_force(contest)
    return {
        "contest": {"address": contest.slug, "ru": contest.name_ru, "en": contest.name_en},
        "phase": {"kind": kind, "start": _iso(phase.starts_at), "end": _iso(phase.ends_at)},
        "parameters": parameters.version if parameters else None,
        "teams": [_team(each, sessions[each.account_id]) for each in teams],
        "boards": [
            {
                "set": run.essay_set.name,
                "run": run.pk,
                "digest": run.digest,
                "rules": str(run.rules),
                "hardness": run.rules.hardness,
                "rows": [_row(each, names) for each in boards[run.pk]],
            }
            for run in runs
        ],
        **_uploads(phase),
    }


ADDED = ("rules", "hardness")
"""What a protocol says of a run since the first ones were frozen, which say nothing of it."""


def content_in_form_of(frozen: dict[str, Any], phase: Phase) -> dict[str, Any]:
    """The results of a phase as they are now, told as a protocol tells them that was frozen: before
    protocols said by which rules a run went, while a set or somebody had another name.
    """
    content = content_of(phase)
    told = {name for board in frozen["boards"] for name in board}
    sets = {board["run"]: board["set"] for board in frozen["boards"]}
    for board in content["boards"]:
        for name in {*ADDED} - told:
            del board[name]
        board["set"] = sets.get(board["run"], board["set"])
    places = {run: place for place, run in enumerate(sets)}
    content["boards"].sort(key=lambda board: places.get(board["run"], len(places)))
    for then, now in zip(_verdicts(frozen), _verdicts(content), strict=False):
        if {**then, "who": ""} == {**now, "who": ""}:
            now["who"] = then["who"]
    return content


def _verdicts(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for team in content["teams"] for each in team["verdicts"]]


def applied_runs(phase: Phase) -> list[ScoreRun]:
    """The score runs that count for the sets of a phase, by the names of the sets."""
    return runs_that_count({each.pk for each in sets_of_phase(phase)})


def runs_that_count(sets: Collection[int]) -> list[ScoreRun]:
    """The same of essay sets by their numbers."""
    found = StandingBoard.objects.filter(essay_set__in=sets, applied__isnull=False)
    boards = found.select_related("applied__essay_set", "applied__rules").order_by(
        "essay_set__name"
    )
    return [each.applied for each in boards if each.applied is not None]


def sets_of_phase(phase: Phase) -> QuerySet[EssaySet]:
    """The essay sets a phase is held on: those of its kind, and the one of its uploads."""
    role = SETS_OF[Phase.Kind(phase.kind)]
    of_kind = Q(data_set__contest=phase.contest_id, data_set__role=role)
    return EssaySet.objects.filter(of_kind | Q(upload_terms__phase=phase)).distinct()


def last_check_of(phase: Phase) -> datetime | None:
    """When the last expert's markup of a phase's sets came in; ``None`` while checks are open."""
    return last_checks_of([phase]).get(phase.pk)


def last_checks_of(phases: Iterable[Phase]) -> dict[int, datetime]:
    """The same of several phases by number, in as many queries as of one; without those whose
    checks are open.
    """
    by_phase = sets_by_phase(phases)
    known = {each.pk: each for sets in by_phase.values() for each in sets}
    ready = readiness_of(known.values())
    checks = MarkupRecord.objects.filter(
        essay__essay_set__in=ready,
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
    )
    by_set = checks.order_by().values_list("essay__essay_set").annotate(Max("submitted_at"))
    last = dict(by_set)
    found = {}
    for number, sets in by_phase.items():
        if sets and all(ready[each.pk].is_ready for each in sets):
            moments = [last[each.pk] for each in sets if each.pk in last]
            found |= {number: max(moments)} if moments else {}
    return found


def sets_by_phase(phases: Iterable[Phase]) -> dict[int, list[EssaySet]]:
    """``sets_of_phase`` of several, with their rules, by the number of the phase."""
    wanted = list(phases)
    numbered = (sets_of_phase(each).order_by().values_list(Value(each.pk), "pk") for each in wanted)
    pairs = list(EssaySet.objects.none().union(*numbered))
    sets = EssaySet.objects.select_related("rules").in_bulk({number for _phase, number in pairs})
    return {each.pk: [sets[number] for of, number in pairs if of == each.pk] for each in wanted}


def phase_of(contest: Contest, kind: str) -> Phase | None:
    """A phase of a contest."""
    return contest.phases.filter(kind=kind).select_related("contest").first()


def protocols_of(phase: Phase) -> QuerySet[PhaseProtocol]:
    """All protocols of a phase with who said what of them, the newest first."""
    return phase.protocols.prefetch_related("verdicts__who").order_by("-pk")


def _uploads(phase: Phase) -> dict[str, Any]:
    """What predictions got that teams uploaded; nothing where the phase takes none."""
    if not UploadTerms.objects.filter(phase=phase, key__isnull=False).exists():
        return {}
    board = board_of(phase, shows_final=True)
    public = {each.number: each.score for each in board.public}
    rows = [
        {
            "rank": each.place,
            "team": each.team,
            "final": each.score,
            "public": public[each.number],
            "uploads": each.uploads,
        }
        for each in board.final or ()
    ]
    told: dict[str, Any] = {"key": board.terms.digest, "rows": rows}
    if board.annulled:
        told["annulled"] = [asdict(each) for each in board.annulled]
    return {"uploads": told}


def _boards(runs: Iterable[ScoreRun]) -> dict[int, list[RunEntry]]:
    found: dict[int, list[RunEntry]] = defaultdict(list)
    entries = RunEntry.objects.filter(run__in=[run.pk for run in runs])
    entries = entries.exclude(state=RunEntry.State.FORMER).select_related("participant")
    for each in entries.order_by("run", F("rank").asc(nulls_last=True), "name", "pk"):
        found[each.run_id].append(each)
    return found


def _row(entry: RunEntry, names: dict[int, str]) -> dict[str, Any]:
    return {
        "rank": entry.rank,
        "team": names.get(entry.participant_id, entry.name),
        "solution": entry.origin,
        "star": entry.star,
        "essays": entry.counted,
        "state": entry.state,
        "reason": entry.reason,
    }


def _team(team: Team, sessions: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "team": team.name,
        "admitted": _iso(team.admitted_at),
        "excluded": {"reason": team.excluded_because, "protocol": team.excluded_by}
        if team.excluded_at
        else None,
        "verdicts": [
            {
                "round": each.round,
                "kind": each.kind,
                "who": each.who.username,
                "at": _iso(each.at),
                "reason": each.reason,
                "conclusion": each.conclusion,
            }
            for each in team.verdicts.all()
        ],
        "sessions": sessions,
    }


def _session(session: ExchangeSession) -> dict[str, Any]:
    standing = session.annulled_by  # type: ignore[attr-defined]
    return {
        "session": session.origin,
        "run": str(session.final) if session.final else "",
        "counts": not session.is_of_void_run,
        "closed": _iso(session.closed_at),
        "files": session.size,
        "annulled_files": session.annulled,
        "annulled_by_rule": session.solution == ExchangeSession.Solution.ANNULLED,
        "annulment": [{"reason": each.reason, "protocol": each.protocol} for each in standing],
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
