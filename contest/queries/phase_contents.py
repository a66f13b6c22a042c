"""What the protocol of a phase says: teams, their solutions, boards (R 8.1, 8.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.sets import idle_essays, of_idle_essay
from contest.models import (
    Contest,
    DataSet,
    ExchangeSession,
    FinalFile,
    Phase,
    PhaseProtocol,
    SessionFile,
    Team,
    Upload,
    UploadTerms,
)
from contest.models import Final as PlannedFinal
from contest.queries.parameters import parameters_in_force
from contest.queries.solutions_of_teams import sessions_of_phase
from contest.queries.teams import teams_of
from contest.queries.uploads import board_of
from review.models import ThirdCheck
from review.queries.verdicts import open_checks, readiness_of
from scoring.models import RunEntry, ScoreRun, StandingBoard
from scoring.queries.annulments import WERE_APART, annulments_among, entries_in_doubt
from scoring.queries.overtaken import missed_checks

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
    found = StandingBoard.objects.filter(essay_set__in=sets_of_phase(phase), applied__isnull=False)
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
    sets_by_phase = _sets_by_phase(phases)
    known = {each.pk: each for sets in sets_by_phase.values() for each in sets}
    ready = readiness_of(known.values())
    checks = MarkupRecord.objects.filter(
        essay__essay_set__in=ready,
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
    )
    by_set = checks.order_by().values_list("essay__essay_set").annotate(Max("submitted_at"))
    last = dict(by_set)
    found = {}
    for number, sets in sets_by_phase.items():
        if sets and all(ready[each.pk].is_ready for each in sets):
            moments = [last[each.pk] for each in sets if each.pk in last]
            found |= {number: max(moments)} if moments else {}
    return found


def _sets_by_phase(phases: Iterable[Phase]) -> dict[int, list[EssaySet]]:
    """``sets_of_phase`` of several, by the number of the phase."""
    wanted = list(phases)
    numbered = (sets_of_phase(each).order_by().values_list(Value(each.pk), "pk") for each in wanted)
    pairs = list(EssaySet.objects.none().union(*numbered))
    sets = EssaySet.objects.select_related("rules").in_bulk({number for _phase, number in pairs})
    return {each.pk: [sets[number] for of, number in pairs if of == each.pk] for each in wanted}


def open_checks_of(phase: Phase) -> int:
    """How many checks of a phase's sets are given and not submitted, third ones among them; of
    idle essays they keep nothing back.
    """
    sets = sets_of_phase(phase).values_list("pk", flat=True)
    return open_checks(sets).filter(~of_idle_essay()).count()


def half_checked_of(finals: Phase) -> list[str]:
    """The essays that standing runs of the finals gave out and fewer than two experts have marked,
    by their numbers: third checks count as none of the two (R 7.9).
    """
    marked = MarkupRecord.objects.filter(
        essay=OuterRef("pk"),
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
    ).exclude(assignment__role=Assignment.Role.THIRD)
    experts = marked.order_by().values("essay").annotate(count=Count("author", distinct=True))
    given = FinalFile.objects.filter(
        final__essay_set=OuterRef("essay_set"),
        final__kind=PlannedFinal.Kind.FINAL,
        final__cancelled_at=None,
        essay__number=OuterRef("number"),
    )
    essays = Essay.objects.filter(LATEST, Exists(given), essay_set__in=sets_of_phase(finals))
    short = essays.annotate(experts=Coalesce(Subquery(experts.values("count")), 0))
    return [*short.filter(experts__lt=2).order_by("number").values_list("number", flat=True)]


def thirds_missing_of(finals: Phase) -> list[str]:
    """The essays of the finals whose first two checks call for a third one that nobody has handed
    in, by their numbers (R 7.9): also those nobody could be given yet.
    """
    done = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state=Assignment.State.SUBMITTED,
    )
    called = ThirdCheck.objects.filter(~Exists(done), needed=True, round=F("essay__round"))
    essays = Essay.objects.filter(
        LATEST, pk__in=called.values("essay"), essay_set__in=sets_of_phase(finals)
    )
    wanted = essays.exclude(idle_essays()).order_by("number")
    return list(wanted.values_list("number", flat=True))


def overtaken_runs(phase: Phase) -> list[ScoreRun]:
    """The score runs that count for a phase's sets and miss a check that stands; none of idle
    essays.
    """
    wanted = ~of_idle_essay()
    return [run for run in applied_runs(phase) if missed_checks(run).filter(wanted).exists()]


def returned_runs(phase: Phase) -> list[ScoreRun]:
    """The score runs that count for a phase's sets and were returned: nobody stands by them."""
    return [run for run in applied_runs(phase) if run.was_returned]


def outdated_runs(phase: Phase) -> list[ScoreRun]:
    """The score runs that count for a phase's sets and count a solution otherwise than it stands
    now: it was annulled or excluded since they were ordered, or stands again.
    """
    runs = applied_runs(phase)
    sets = {run.pk: run.essay_set_id for run in runs}
    doubts = entries_in_doubt(runs)
    asked: dict[int, set[tuple[int, str]]] = {number: set() for number in sets.values()}
    for each in doubts:
        asked[sets[each.run]].add((each.participant, each.origin))
    now = annulments_among(asked)
    late = {
        each.run
        for each in doubts
        if ((each.participant, each.origin) in now[sets[each.run]]) != (each.state in WERE_APART)
    }
    return [run for run in runs if run.pk in late]


def runs_before_the_last(phase: Phase) -> list[ScoreRun]:
    """The score runs that count for a phase's sets and were ordered before a solution of the phase
    was complete: a session ended later than that which it has not, or an upload was taken in.
    """
    sessions = sessions_of_phase(phase.contest, phase.kind).prefetch_related(None)
    sessions = sessions.exclude(state=ExchangeSession.State.ABORTED, final=None)
    sessions = sessions.exclude(withdrawn=True).exclude(final__cancelled_at__isnull=False)
    uploads = Upload.objects.filter(phase=phase, state=Upload.State.TAKEN)
    found = []
    for run in applied_runs(phase):
        files = SessionFile.objects.filter(
            session=OuterRef("pk"), essay__essay_set=run.essay_set_id
        )
        ended = sessions.filter(Exists(files), closed_at__gt=run.ordered_at)
        known = set(
            run.entries.filter(participant__in=ended.order_by().values("participant")).values_list(
                "participant", "origin"
            )
        )
        is_early = any((each.participant_id, each.origin) not in known for each in ended)
        if is_early or uploads.filter(parcel__done_at__gt=run.ordered_at).exists():
            found.append(run)
    return found


def open_sessions_of(phase: Phase) -> int:
    """How many sessions of a phase have not ended yet."""
    return sessions_of_phase(phase.contest, phase.kind).filter(closed_at=None).count()


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
