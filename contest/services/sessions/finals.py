"""Organisers plan finals and rehearsals, and start them anew with other files (R 7.5, 7.15)."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay, EssaySet
from annotator.services.set_acts import hold_set
from contest.access import may_exchange
from contest.core.errors import SessionCaseError
from contest.core.messages import describe
from contest.core.moments import at
from contest.core.session_json import FINAL, rules_from_log
from contest.models import Admission, ExchangeSession, Final, FinalFile
from contest.queries.given_out import numbers_taken
from contest.services.data_sets import refuse_given
from contest.services.sessions.clock import moment_now
from contest.services.sessions.drawing import draw_final
from contest.services.sessions.ending import stop
from contest.services.sessions.refusals import SessionRefused
from contest.services.showing import refuse_read
from web.core.errors import JsonValueError
from web.refusals import Conflict, Refused

SET_BY_THE_PLAN = ("pace", "start")


@dataclass(frozen=True, slots=True)
class Planned:
    """A final as organisers wish it. ``rules``: what differs from a final's; ``count`` files of
    the set, all of them if ``None``.
    """

    name: str
    essay_set: EssaySet
    starts_at: datetime
    kind: Final.Kind = Final.Kind.FINAL
    count: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None


@transaction.atomic
def plan_final(*, planned: Planned, admitted: Iterable[User], actor: User | None) -> Final:
    """Fix the files of a final, their order, its start and who may take part.

    Raises ``Refused`` for rules that are none, a set without essays, nobody to take part, or a
    final on essays that experts were given or participants read (R 2.8).
    """
    refuse_rules(planned.rules)
    _refuse_taken(planned.name)
    try:
        with transaction.atomic():
            return _plan(planned, list(admitted), actor, former=None)
    except IntegrityError:  # another contest took the name at this moment
        _refuse_taken(planned.name)
        raise


@transaction.atomic
def restart_final(
    *, final: Final, starts_at: datetime, reason: str, actor: User | None, moment: int
) -> Final:
    """Cancel a run and plan the next one, with the same people, those who may take part since, and
    files nobody has seen.

    Its open sessions are stopped. Raises ``Refused`` where no new files are left.
    """
    if Final.objects.filter(former=final).exists():
        raise Refused(_("This run was started anew already."))
    count = final.files.count()
    _cancelled(final, reason, actor, moment)
    planned = Planned(
        final.name, final.essay_set, starts_at, Final.Kind(final.kind), count, final.rules
    )
    return _plan(planned, list(_people_of(final)), actor, former=final)


def _people_of(former: Final) -> QuerySet[User]:
    """Who may take part in a run anew: whoever might in the former one, and the teams of its
    contest that are admitted by now.
    """
    since = Q(team__contest__data_sets__essay_set=former.essay_set_id)
    if not former.is_rehearsal:
        since &= Q(team__admitted_at__isnull=False)
    known = Q(pk__in=former.admissions.values("participant"))
    return User.objects.filter(known | since, team__excluded_at=None).distinct().order_by("pk")


@transaction.atomic
def cancel_final(*, final: Final, reason: str, actor: User | None, moment: int) -> None:
    """Nobody opens it any more; its open sessions are stopped. Raises ``Refused`` without a reason,
    ``Conflict`` where it is cancelled already.
    """
    if not _cancelled(final, reason, actor, moment):
        raise Conflict(_("The run is cancelled already."))


def _cancelled(final: Final, reason: str, actor: User | None, moment: int) -> bool:
    """Cancel a run; false where it was cancelled before."""
    if not reason.strip():
        raise Refused(_("Say why: everybody who is admitted reads it."))
    # who opens a session just now is waited for, and who opens one later finds it cancelled
    list(Final.objects.select_for_update().filter(pk=final.pk).values("pk"))
    cancelled = Final.objects.filter(pk=final.pk, cancelled_at=None).update(
        cancelled_at=Now(), cancelled_because=reason.strip()
    )
    if not cancelled:
        return False
    for session in ExchangeSession.objects.filter(final=final, closed_at=None).order_by("pk"):
        with suppress(SessionRefused):  # it has ended by itself, and is settled in seconds
            stop(session_id=session.pk, reason=reason, actor=actor, moment=moment)
    audit(actor=actor, action="final.cancelled", target=final, reason=reason.strip())
    return True


def _refuse_taken(name: str) -> None:
    """Raise ``Refused`` for a name another final bears: on the platform each has its own."""
    found = Final.objects.filter(name=name, run=1)
    other = found.select_related("essay_set__data_set__contest").first()
    if other is None:
        return
    held = getattr(other.essay_set, "data_set", None)
    if held is None:
        raise Refused(_("There is a final “%s” already. Choose another name.") % name)
    message = _(
        "The contest “%(contest)s” has a final “%(name)s” already: on the platform each has a name "
        "of its own. Choose another one."
    )
    raise Refused(message % {"contest": held.contest, "name": name})


def refuse_rules(rules: Mapping[str, Any]) -> None:
    """Raise ``Refused`` for rules a final cannot have, naming the place."""
    given = [name for name in SET_BY_THE_PLAN if name in rules]
    if given:
        raise Refused(_("The plan itself says the start and the pace: leave out %s.") % given[0])
    try:
        rules_from_log({**FINAL, **rules})
    except (SessionCaseError, JsonValueError) as error:
        raise Refused(describe(error, _)) from None


def _plan(planned: Planned, people: list[User], actor: User | None, former: Final | None) -> Final:
    if not people or not all(map(may_exchange, people)):
        raise Refused(_("Admit participants: at least one, and nobody else."))
    final = Final(
        name=planned.name,
        kind=planned.kind,
        essay_set=planned.essay_set,
        rules=dict(planned.rules),
        starts_at=planned.starts_at,
        run=former.run + 1 if former else 1,
        former=former,
        seed=secrets.randbits(62) if planned.seed is None else planned.seed,
        planned_by=actor,
    )
    held = hold_set(planned.essay_set.pk)  # of two runs at once the later sees the earlier
    if not final.is_rehearsal:
        refuse_read(held)
    taken = _given_out(former) | numbers_taken(final)
    essays = draw_final(final, count=planned.count, given_out=taken)
    if not essays or (planned.count is not None and len(essays) < planned.count):
        message = _(
            "The set “%(set)s” has %(count)d essays that no other run takes or has given out: "
            "too few."
        )
        raise Refused(message % {"set": planned.essay_set, "count": len(essays)})
    if not final.is_rehearsal:
        refuse_given(_versions_of(essays))
    final.save()
    FinalFile.objects.bulk_create(
        FinalFile(final=final, position=position, essay=essay)
        for position, essay in enumerate(essays, 1)
    )
    Admission.objects.bulk_create(Admission(final=final, participant=each) for each in people)
    audit(actor=actor, action="final.planned", target=final, files=len(essays), run=final.run)
    return final


def _given_out(former: Final | None) -> set[str]:
    """The essays of the former runs, by their numbers: another version is no other essay. Those of
    a restart that never began were given to nobody.
    """
    found: set[str] = set()
    now = at(moment_now())
    while former is not None:
        until = min(now, former.cancelled_at or now)
        if former.former_id is None or former.starts_at <= until:
            found.update(former.files.values_list("essay__number", flat=True))
        former = former.former
    return found


def _versions_of(essays: Sequence[Essay]) -> QuerySet[Essay]:
    """These essays of a set in all their versions."""
    numbers = [each.number for each in essays]
    return Essay.objects.filter(essay_set__in={each.essay_set_id for each in essays}).filter(
        number__in=numbers
    )
