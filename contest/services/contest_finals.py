"""Organisers plan the finals of a contest, and start them anew (R 7.2 to 7.5, 7.15)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay, EssaySet
from contest.core.moments import at
from contest.core.parameter_values import session_values
from contest.core.run_times import RunFault, RunSpan, run_fault, span_of_run
from contest.core.session_json import FINAL
from contest.models import Announcement, Contest, DataSet, Phase, RestartBasis
from contest.models import Final as PlannedFinal
from contest.queries.parameters import parameters_in_force
from contest.queries.running import contest_of_set, finals_of
from contest.queries.teams import teams_of
from contest.services.announcing import announce
from contest.services.both_words import in_both
from contest.services.contests import hold_contest, refuse_final
from contest.services.data_sets import refuse_given, refuse_other_subject
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, cancel_final, plan_final, restart_final
from web.refusals import Refused
from web.zones import told_at

Kind = PlannedFinal.Kind


@dataclass(frozen=True, slots=True)
class WantedRun:
    """A final or a rehearsal of a contest; ``count`` files of the set, all of them if ``None``."""

    name: str
    essay_set: EssaySet
    starts_at: datetime
    kind: PlannedFinal.Kind = Kind.FINAL
    count: int | None = None


@transaction.atomic
def plan_contest_final(*, contest: Contest, wanted: WantedRun, actor: User) -> PlannedFinal:
    """Plan a run for the teams that may take part, by the parameters in force, and announce it.

    Raises ``Refused`` with the clause: less than ten days ahead (7.5), in the past, at the time of
    another run, a second final (4.4), one outside the dates of the finals, a set that is not the
    contest's final one, of another subject or with essays that experts were given (2.8), no team
    (7.2).
    """
    held = hold_contest(contest)
    refuse_final(held)
    parameters = parameters_in_force(held)
    if not held.is_announced or parameters is None:
        raise Refused(_("Announce the contest first: its finals are held by its parameters."))
    if not held.live:
        raise Refused(_("The contest has no live sessions: there is no final to plan."))
    _refuse_set(held, wanted)
    rules = session_values(parameters.session)
    files = wanted.count or wanted.essay_set.essays.filter(closed_at=None).count()
    span = _span(wanted.starts_at, files, rules)
    is_rehearsal = wanted.kind == Kind.REHEARSAL
    if not is_rehearsal:
        refuse_given(Essay.objects.filter(essay_set=wanted.essay_set))
    _refuse_time(held, span, is_exempt=is_rehearsal)
    if is_rehearsal:
        _refuse_before_qualification(held, wanted.essay_set, wanted.starts_at)
    else:
        _refuse_second(held)
        _refuse_outside(held, span)
    planned = Planned(
        wanted.name, wanted.essay_set, wanted.starts_at, wanted.kind, wanted.count, rules
    )
    people = _accounts_of(held, only_admitted=not is_rehearsal)
    final = plan_final(planned=planned, admitted=people, actor=actor)
    _announce(held, final, actor)
    return final


@dataclass(frozen=True, slots=True)
class WantedRestart:
    """A run anew: from when, why, and by which protocols."""

    starts_at: datetime
    reason: str
    judges: str
    commission: str


@transaction.atomic
def restart_contest_final(
    *, contest: Contest, final: PlannedFinal, wanted: WantedRestart, actor: User
) -> PlannedFinal:
    """Start a run anew with other files, for a reason and by both protocols (R 7.15).

    Nothing of the former run is scored any more, all of it is kept. Raises ``Refused``: also for
    one that has not begun and is no restart itself, whose schedule was announced (R 7.5), for an
    end after that of the finals as they are announced, and for a rehearsal that would give test
    essays before the qualification (R 2.7).
    """
    held = hold_contest(contest)
    refuse_final(held)
    final = _as_it_is(final)
    _refuse_unfounded(wanted)
    if final.cancelled_at is not None:
        raise Refused(_("The run is cancelled already: plan another one."))
    is_announced = not final.is_rehearsal and final.former_id is None
    if is_announced and at(moment_now()) < final.starts_at:
        raise Refused(
            _(
                "Clause 7.15.1 of the regulation: a run is started anew after a failure, and this "
                "one has not begun. Cancel it and plan another one (clause 7.5)."
            )
        )
    span = _span(wanted.starts_at, final.files.count(), final.rules)
    _refuse_time(held, span, is_exempt=True, former=final)
    if final.is_rehearsal:
        _refuse_before_qualification(held, final.essay_set, wanted.starts_at)
    else:
        _refuse_after(held, span)
    made = restart_final(
        final=final,
        starts_at=wanted.starts_at,
        reason=wanted.reason,
        actor=actor,
        moment=moment_now(),
    )
    basis = RestartBasis.objects.create(
        final=made, judges=wanted.judges.strip(), commission=wanted.commission.strip()
    )
    told = {"judges": basis.judges, "commission": basis.commission}
    audit(actor=actor, action="final.restarted", target=made, former=final.pk, **told)
    _announce(held, made, actor, anew=wanted)
    return made


@transaction.atomic
def cancel_contest_final(
    *, contest: Contest, final: PlannedFinal, reason: str, actor: User
) -> None:
    """Cancel a run and announce that. Raises ``Refused`` without a reason, ``Conflict`` where it is
    cancelled already.
    """
    held = hold_contest(contest)
    refuse_final(held)
    final = _as_it_is(final)
    cancel_final(final=final, reason=reason, actor=actor, moment=moment_now())
    title = in_both(lambda: _("Cancelled: %s") % final)
    body = in_both(lambda: reason)
    kind = Announcement.Kind.SCHEDULE
    announce(contest=held, kind=kind, title=title, body=body, actor=actor)


def refuse_set_of_contest(essay_set: EssaySet) -> None:
    """Raise ``Refused`` where a set belongs to a contest: its finals are planned on its pages."""
    contest = contest_of_set(essay_set)
    if contest is not None:
        message = _(
            "The set “%(set)s” belongs to the contest “%(contest)s”: its finals are planned, "
            "cancelled and started anew on the contest’s own page."
        )
        raise Refused(message % {"set": essay_set, "contest": contest})


def _refuse_unfounded(wanted: WantedRestart) -> None:
    named = {
        _("protocol of the judges"): wanted.judges,
        _("protocol of the commission"): wanted.commission,
    }
    missing = [name for name, words in named.items() if not words.strip()]
    if missing:
        message = _("Clause 7.15.1 of the regulation: a restart needs both protocols. Name: %s.")
        raise Refused(message % ", ".join(missing))


def _refuse_set(contest: Contest, wanted: WantedRun) -> None:
    found = contest.data_sets.filter(essay_set=wanted.essay_set).first()
    if found is None:
        raise Refused(_("The set “%s” does not belong to the contest.") % wanted.essay_set)
    is_final_set = found.role == DataSet.Role.FINAL
    if is_final_set != (wanted.kind == Kind.FINAL):
        raise Refused(
            _("Clause 7.3 of the regulation: finals are held on the final set, nothing else is.")
        )
    refuse_other_subject(contest, wanted.essay_set)


def _refuse_before_qualification(
    contest: Contest, essay_set: EssaySet, starts_at: datetime
) -> None:
    """Raise ``Refused`` where a rehearsal would give test essays before their time (R 2.7)."""
    tests = contest.data_sets.filter(role=DataSet.Role.TEST, essay_set=essay_set)
    phase = contest.phases.filter(kind=Phase.Kind.QUALIFICATION).first()
    if phase is not None and starts_at < phase.starts_at and tests.exists():
        message = _(
            "Clause 2.7 of the regulation: test essays are given from the qualification on, which "
            "begins on %s. Rehearse on a training set, or later."
        )
        raise Refused(message % told_at(phase.starts_at, contest.zone))


def _span(start: datetime, files: int, rules: dict[str, Any]) -> RunSpan:
    said = {**FINAL, **rules}
    return span_of_run(
        start, files=files, interval=float(said["interval"]), limit=float(said["limit"])
    )


def _refuse_time(
    contest: Contest, span: RunSpan, *, is_exempt: bool, former: PlannedFinal | None = None
) -> None:
    now = at(moment_now())
    others = finals_of(contest).filter(cancelled_at=None)
    if former is not None:
        others = others.exclude(pk=former.pk)
    spans = {each: _span(each.starts_at, each.size, each.rules) for each in others}  # type: ignore[attr-defined]
    fault = run_fault(span, spans.values(), now, is_exempt=is_exempt)
    past = _("The start is past. Name a moment to come.")
    notice = _(
        "Clause 7.5 of the regulation: the schedule of the finals is announced at least "
        "10 days before they start. Name a later start."
    )
    if fault is RunFault.PAST:
        raise Refused(past if is_exempt else f"{past} {notice}")
    if fault is RunFault.NOTICE:
        raise Refused(notice)
    if fault is RunFault.OVERLAP:
        other = next(each for each, known in spans.items() if known.overlaps(span))
        message = _(
            "It would run at the same time as “%(name)s”, which starts %(at)s. Clause 4.4 of the "
            "regulation: a team holds one session of the finals."
        )
        raise Refused(message % {"name": other, "at": told_at(other.starts_at, contest.zone)})


def _refuse_second(contest: Contest) -> None:
    """Raise ``Refused`` where a final stands: the answers of all but the last one would be lost."""
    finals = finals_of(contest).filter(kind=Kind.FINAL, cancelled_at=None)
    if (other := finals.first()) is not None:
        message = _(
            "The final “%(name)s” is planned on %(at)s. Clause 4.4 of the regulation: a team holds "
            "one session of the finals. Start that one anew (clause 7.15), or cancel it first."
        )
        raise Refused(message % {"name": other, "at": told_at(other.starts_at, contest.zone)})


def _refuse_outside(contest: Contest, span: RunSpan) -> None:
    phase = contest.phases.filter(kind=Phase.Kind.FINALS).first()
    if phase is None or RunSpan(phase.starts_at, phase.ends_at).holds(span):
        return
    message = _(
        "The finals are announced from %(start)s to %(end)s. Plan the final within these dates, or "
        "move them first."
    )
    fields = {"start": phase.starts_at, "end": phase.ends_at}
    raise Refused(message % {name: told_at(at, contest.zone) for name, at in fields.items()})


def _refuse_after(contest: Contest, span: RunSpan) -> None:
    """Raise ``Refused`` for a restart that ends after the finals do: a slip, or a new end of them,
    which everybody is told of.
    """
    phase = contest.phases.filter(kind=Phase.Kind.FINALS).first()
    if phase is None or span.end <= phase.ends_at:
        return
    message = _(
        "The finals are announced until %(end)s, and this run would end %(at)s. Name an earlier "
        "start, or move the end of the finals first: this is announced."
    )
    fields = {"end": phase.ends_at, "at": span.end}
    raise Refused(message % {name: told_at(at, contest.zone) for name, at in fields.items()})


def _as_it_is(final: PlannedFinal) -> PlannedFinal:
    """A run as it is while its contest is held: somebody else may have cancelled it just now."""
    return PlannedFinal.objects.select_related("essay_set").get(pk=final.pk)


def _accounts_of(contest: Contest, *, only_admitted: bool) -> list[User]:
    teams = teams_of(contest).filter(excluded_at=None)
    if only_admitted:
        teams = teams.filter(admitted_at__isnull=False)
    found = [each.account for each in teams.select_related("account")]
    if not found:
        raise Refused(_nobody(only_admitted=only_admitted))
    return found


def _nobody(*, only_admitted: bool) -> str:
    if only_admitted:
        return _("Clause 7.2 of the regulation: admitted teams take part, and none is admitted.")
    return _("No team takes part yet.")


def _announce(
    contest: Contest, final: PlannedFinal, actor: User, anew: WantedRestart | None = None
) -> None:
    rules = {**FINAL, **final.rules}
    files = final.files.count()

    def body() -> str:
        line = _(
            "Start: %(at)s. Files: %(files)d, one every %(interval)s seconds; an answer is taken "
            "for %(limit)s seconds."
        )
        fields = {
            "at": told_at(final.starts_at, contest.zone),
            "files": files,
            "interval": f"{rules['interval']:g}",
            "limit": f"{rules['limit']:g}",
        }
        return "\n".join([line % fields, *(_why_anew(anew) if anew else [])])

    title = in_both(lambda: _title(final))
    kind = Announcement.Kind.SCHEDULE
    announce(contest=contest, kind=kind, title=title, body=in_both(body), actor=actor)


def _why_anew(wanted: WantedRestart) -> list[str]:
    void = _("The former run is void, its answers do not count: %s")
    founded = _(
        "Protocols (clause 7.15.1 of the regulation): judges %(judges)s, commission %(commission)s"
    )
    named = {"judges": wanted.judges, "commission": wanted.commission}
    return [void % wanted.reason, founded % named]


def _title(final: PlannedFinal) -> str:
    return (_("Rehearsal: %s") if final.is_rehearsal else _("Finals: %s")) % final
