"""What plans must keep to: limits of experts, pairs who never meet, checks that are pinned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay
from annotator.queries.essays import latest_of
from annotator.services.assignment import hold
from annotator.services.gates import refuse_replaced
from review.core.plan_values import pair
from review.models.plans import ExpertConflict, ExpertLimit, Pin
from web.refusals import Conflict, Refused

PINS: Final = 2
"""Pinned experts of an essay at most: it has so many checks that are planned."""


@dataclass(frozen=True, slots=True)
class LimitChange:
    """Another limit for an expert, ``None`` for none; ``seen``: the present one as a page showed
    it, empty for none, ``None`` where nobody looked.
    """

    expert: User
    checks: int | None
    seen: str | None = None


@transaction.atomic
def limit_all(*, changes: Iterable[LimitChange], actor: User) -> list[User]:
    """Say of several experts how many checks each may have open, all or none; whose limits are
    others now, for some may have been so already.

    Raises ``Conflict`` where somebody set another limit since the present one was seen.
    """
    wanted = {each.expert.pk: each for each in changes}
    held = User.objects.select_for_update(no_key=True).filter(pk__in=wanted).order_by("pk")
    list(held.values("pk"))
    known = dict(ExpertLimit.objects.filter(expert__in=wanted).values_list("expert", "checks"))
    other = [each for pk, each in wanted.items() if known.get(pk) != each.checks]
    for each in other:
        present = known.get(each.expert.pk)
        if each.seen not in (None, "" if present is None else str(present)):
            message = _("Somebody gave %s another limit meanwhile. Look at it again.")
            raise Conflict(message % each.expert)
        limit_checks(expert=each.expert, checks=each.checks, actor=actor)
    return [each.expert for each in other]


@transaction.atomic
def limit_checks(*, expert: User, checks: int | None, actor: User) -> None:
    """Say how many checks an expert may have open; ``None`` for as many as come."""
    if checks is None:
        ExpertLimit.objects.filter(expert=expert).delete()
    else:
        ExpertLimit.objects.update_or_create(expert=expert, defaults={"checks": checks})
    audit(actor=actor, action="expert.limited", target=expert, checks=checks)


@transaction.atomic
def keep_apart(*, one: User, other: User, actor: User) -> None:
    """Never let two experts check one essay. Safe to repeat; what they have already stays."""
    if one == other:
        raise Refused(_("Choose two different experts."))
    first, second = pair(one.pk, other.pk)
    _row, is_new = ExpertConflict.objects.get_or_create(one_id=first, other_id=second)
    if is_new:
        audit(actor=actor, action="experts.kept_apart", target=one, other=other.pk)


@transaction.atomic
def let_meet(*, conflict: ExpertConflict, actor: User) -> bool:
    """Let two experts check one essay again; false where they may already."""
    removed, _kinds = ExpertConflict.objects.filter(pk=conflict.pk).delete()
    if removed:
        audit(actor=actor, action="experts.let_meet", target=conflict.one, other=conflict.other_id)
    return bool(removed)


@transaction.atomic
def pin_check(*, essay: Essay, expert: User, actor: User) -> None:
    """Say who is to have one of an essay's first two checks. Safe to repeat. Raises ``Refused``."""
    held = hold(essay.pk)
    refuse_replaced(held)
    pinned = set(Pin.objects.filter(essay=held).values_list("expert", flat=True))
    if expert.pk in pinned:
        return
    if len(pinned) >= PINS:
        raise Refused(_("Essay %s: two experts are pinned already.") % held.number)
    Pin.objects.create(essay=held, expert=expert)
    audit(actor=actor, action="check.pinned", target=held, expert=expert.pk)


def move_pins(*, essay_id: int) -> None:
    """Who is pinned to a version that was replaced is pinned to the latest one, in the caller's
    transaction.
    """
    latest = latest_of(Essay.objects.get(pk=essay_id))
    Pin.objects.filter(essay=essay_id).update(essay=latest)


@transaction.atomic
def unpin_check(*, pin: Pin, actor: User) -> bool:
    """Take a pin out; a check that was given stays. False where it is out already."""
    removed, _kinds = Pin.objects.filter(pk=pin.pk).delete()
    if removed:
        audit(actor=actor, action="check.unpinned", target=pin.essay, expert=pin.expert_id)
    return bool(removed)
