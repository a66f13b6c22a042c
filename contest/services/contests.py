"""Organisers make a contest, describe it, give it dates, and announce it (R 1.2, 2.10, 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from contest.core.moments import at
from contest.core.outline import DateFault, Outline, Part, date_faults, missing_parts
from contest.core.run_times import RunSpan, is_within_notice
from contest.models import Announcement, Contest, DataSet, Phase
from contest.models import Final as Run
from contest.queries.contests import now_of
from contest.queries.run_moments import answered_until
from contest.queries.running import finals_of, outline_of
from contest.services.addresses import refuse_address
from contest.services.announcing import announce
from contest.services.both_words import in_both
from contest.services.contest_words import DATES, PARTS, listed
from contest.services.data_sets import follow_rules, refuse_other_subject
from web.refusals import Conflict, Refused
from web.zones import told_at

STAYS: Final = frozenset(
    {
        *("slug", "name_ru", "name_en", "summary_ru", "summary_en", "task_ru", "task_en"),
        *("subject", "scheme", "zone", "licence", "live"),
    }
)
"""What everybody has read: it does not change once a contest is announced."""
DATED: Final = ("applications_from", "applications_until")
ORDER: Final = (
    DateFault.FINALS_BEFORE_QUALIFICATION_ENDS,
    DateFault.APPLICATIONS_AFTER_FINALS,
)
"""What is wrong with dates however late it is."""


@contextmanager
def tried(*, undone: bool) -> Iterator[None]:
    """What is done within stays, or is ``undone``: only whether it is refused becomes known."""
    with transaction.atomic():
        yield
        if undone:
            transaction.set_rollback(True)


def hold_contest(contest: Contest) -> Contest:
    """Lock a contest's row to the end of the transaction; with ``now``, the database's clock.

    Whoever brings rows that name it does not wait, as who joins a team: they may hold the team.
    """
    held = Contest.objects.select_for_update(of=("self",), no_key=True).annotate(now=Now())
    return held.get(pk=contest.pk)


def refuse_final(contest: Contest) -> None:
    """Raise ``Refused`` once the results of a contest are final."""
    if contest.is_final:
        raise Refused(_("The results of the contest are final: nothing of it changes any more."))


@transaction.atomic
def make_contest(*, values: Mapping[str, Any], actor: User) -> Contest:
    """Save a new contest, which nobody but its staff sees before it is announced.

    Raises ``Refused`` where another one has the address.
    """
    contest = Contest(**values, made_by=actor)
    refuse_address(contest.slug)
    try:
        with transaction.atomic():
            contest.save(force_insert=True)
    except IntegrityError:
        raise Refused(_("There is a contest at “%s” already.") % contest.slug) from None
    audit(actor=actor, action="contest.made", target=contest, slug=contest.slug)
    return contest


@transaction.atomic
def describe_contest(*, contest: Contest, values: Mapping[str, Any], actor: User) -> bool:
    """Describe a contest anew; false where nothing is different.

    Before it is announced all of it may change, afterwards what nobody relies on, and the dates of
    applications, which is announced. Raises ``Refused`` naming what stays.
    """
    held = hold_contest(contest)
    changed = {name: each for name, each in values.items() if getattr(held, name) != each}
    if not changed:
        return False
    refuse_final(held)
    stays = sorted(STAYS & set(changed))
    if held.is_announced and stays:
        message = _("The contest is announced: this stays as everybody has read it: %s.")
        raise Refused(message % _names_of(stays))
    refuse_address(changed.get("slug", held.slug))
    before = {name: getattr(held, name) for name in changed}
    for name, each in changed.items():
        setattr(held, name, each)
    _refuse_other_essays(held, changed)
    if held.is_announced:
        _refuse_emptied(held)
        refuse_dates(outline_of(held), now_of(held), ORDER)
    try:
        with transaction.atomic():
            held.save(update_fields=[*changed])
    except IntegrityError:
        raise Refused(_("There is a contest at “%s” already.") % held.slug) from None
    told = {name: str(each) for name, each in changed.items()}
    was = {name: str(each) for name, each in before.items()}
    audit(actor=actor, action="contest.described", target=held, before=was, after=told)
    moved = [name for name in DATED if name in changed]
    if held.is_announced and moved:
        _announce_moved(held, [(name, before[name], changed[name]) for name in moved], actor)
    return True


@transaction.atomic
def plan_phase(
    *, contest: Contest, kind: Phase.Kind, starts_at: datetime, ends_at: datetime, actor: User
) -> Phase:
    """Give a phase its dates; of an announced contest everybody is told, old and new.

    Raises ``Refused``: an end before the start, phases out of their order, a phase that is closed,
    one that has begun and would begin at another time, finals less than ten days ahead (R 7.5),
    dates a planned final is outside of, a qualification that a rehearsal on test essays would come
    before (R 2.7), once the contest is announced an end that is past.
    """
    held = hold_contest(contest)
    refuse_final(held)
    if ends_at <= starts_at:
        raise Refused(_("A phase ends after it starts: say a later end."))
    former = held.phases.filter(kind=kind).first()
    before = RunSpan(former.starts_at, former.ends_at) if former else None
    to = RunSpan(starts_at, ends_at)
    if former and before == to:
        return former
    if former and former.closed_at is not None:
        raise Refused(_("The results of the phase are approved: its dates stay."))
    if held.is_announced:
        _refuse_moved(former, kind, to, now_of(held))
    if kind == Phase.Kind.FINALS:
        _refuse_left_outside(held, to)
    else:
        _refuse_left_before(held, to, now_of(held))
    phase = former or Phase(contest=held, kind=kind)
    phase.starts_at, phase.ends_at = starts_at, ends_at
    phase.save()
    refuse_dates(outline_of(held), now_of(held), ORDER)
    said = {"kind": kind, "before": _told(before), "after": _told(to)}
    audit(actor=actor, action="contest.dated", target=held, **said)
    if held.is_announced:
        part = Part.QUALIFICATION if kind == Phase.Kind.QUALIFICATION else Part.FINALS
        _announce_dates(held, part, before, to, actor)
    return phase


@transaction.atomic
def announce_contest(*, contest: Contest, actor: User) -> Contest:
    """Show a contest to everybody, with its first parameters in force.

    Raises ``Refused`` naming everything that is missing, ``Conflict`` where it is announced.
    """
    held = hold_contest(contest)
    if held.is_announced:
        raise Conflict(_("The contest is announced already."))
    outline = outline_of(held)
    missing = missing_parts(outline)
    if missing:
        message = _("The contest cannot be announced yet. What is missing: %s.")
        raise Refused(message % listed(missing))
    refuse_dates(outline, now_of(held), tuple(DateFault))
    Contest.objects.filter(pk=held.pk).update(announced_at=Now())
    held.parameter_sets.filter(version=1, in_force_at=None).update(in_force_at=Now())
    audit(actor=actor, action="contest.announced", target=held, slug=held.slug)
    held.refresh_from_db()
    follow_rules(held, actor=actor)
    title = in_both(lambda: _("The contest is announced: %s") % held)
    body = in_both(lambda: held.summary)
    announce(contest=held, kind=Announcement.Kind.NEWS, title=title, body=body, actor=actor)
    return held


def refuse_dates(outline: Outline, now: datetime, faults: Collection[DateFault]) -> None:
    """Raise ``Refused`` for the first of these faults that the dates of a contest have."""
    for fault in date_faults(outline, now):
        if fault in faults:
            raise Refused(str(DATES[fault]))


def _refuse_other_essays(contest: Contest, changed: Collection[str]) -> None:
    if "subject" in changed:
        for data_set in contest.data_sets.select_related("essay_set"):
            refuse_other_subject(contest, data_set.essay_set)


def _refuse_emptied(contest: Contest) -> None:
    empty = [each for each in DATED if getattr(contest, each) is None]
    if empty:
        message = _("The contest is announced: everybody reads until when to apply. Say: %s.")
        raise Refused(message % listed(empty))


def _refuse_moved(former: Phase | None, kind: Phase.Kind, to: RunSpan, now: datetime) -> None:
    if former and former.starts_at <= now and former.starts_at != to.start:
        raise Refused(_("The phase has begun: its start stays, its end may be moved."))
    stays = former is not None and former.starts_at == to.start
    known = [to.start, *([former.starts_at] if former else [])]
    if kind == Phase.Kind.FINALS and not stays and any(is_within_notice(on, now) for on in known):
        raise Refused(
            _(
                "Clause 7.5 of the regulation: the start of the finals is announced at least 10 "
                "days ahead. Name a later day, or leave the start as it is."
            )
        )
    if to.end <= now:
        raise Refused(_("The phase would be over already: say an end that is still to come."))


def _refuse_left_outside(contest: Contest, to: RunSpan) -> None:
    """Raise ``Refused`` for dates a planned final would be outside of."""
    planned = finals_of(contest).filter(kind=Run.Kind.FINAL, cancelled_at=None)
    for each in planned:
        held = RunSpan(each.starts_at, at(answered_until(each)))
        if not to.holds(held):
            message = _(
                "The final “%(name)s” is held from %(start)s to %(end)s: say dates it is within, "
                "or cancel it first."
            )
            told = {"start": held.start, "end": held.end}
            said = {name: told_at(moment, contest.zone) for name, moment in told.items()}
            raise Refused(message % {"name": each, **said})


def _refuse_left_before(contest: Contest, to: RunSpan, now: datetime) -> None:
    """Raise ``Refused`` where a rehearsal to come would give test essays before the qualification
    begins (R 2.7).
    """
    planned = finals_of(contest).filter(
        kind=Run.Kind.REHEARSAL,
        cancelled_at=None,
        essay_set__data_set__role=DataSet.Role.TEST,
        starts_at__gt=now,
        starts_at__lt=to.start,
    )
    if (first := planned.order_by("starts_at", "pk").first()) is not None:
        message = _(
            "Clause 2.7 of the regulation: test essays are given from the qualification on, and "
            "the rehearsal “%(name)s” gives some %(at)s. Name an earlier start, or cancel it first."
        )
        raise Refused(message % {"name": first, "at": told_at(first.starts_at, contest.zone)})


def _names_of(fields: list[str]) -> str:
    return ", ".join(str(Contest._meta.get_field(name).verbose_name) for name in fields)  # type: ignore[union-attr]


def _told(span: RunSpan | None) -> list[str]:
    return [span.start.isoformat(), span.end.isoformat()] if span else []


def _announce_dates(
    contest: Contest, part: Part, before: RunSpan | None, after: RunSpan, actor: User
) -> None:
    def said(span: RunSpan) -> str:
        return f"{told_at(span.start, contest.zone)} – {told_at(span.end, contest.zone)}"

    def body() -> str:
        old = [_("Old: %s.") % said(before)] if before else []
        return " ".join([*old, _("New: %s.") % said(after)])

    title = in_both(lambda: _("Schedule: %s") % PARTS[part])
    kind = Announcement.Kind.SCHEDULE
    announce(contest=contest, kind=kind, title=title, body=in_both(body), actor=actor)


def _announce_moved(
    contest: Contest, moved: list[tuple[str, datetime | None, datetime | None]], actor: User
) -> None:
    def said(at: datetime | None) -> str:
        return told_at(at, contest.zone) if at else "–"

    def body() -> str:
        line = _("%(name)s: %(old)s → %(new)s.")
        return "\n".join(
            line % {"name": PARTS[name], "old": said(old), "new": said(new)}
            for name, old, new in moved
        )

    title = in_both(lambda: _("Schedule: %s") % listed(each[0] for each in moved))
    kind = Announcement.Kind.SCHEDULE
    announce(contest=contest, kind=kind, title=title, body=in_both(body), actor=actor)
