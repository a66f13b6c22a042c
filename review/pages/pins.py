"""Why a plan cannot give a check to the expert it is pinned to, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import Assignment, Essay
from review.models.plans import Pin
from review.queries.experts import at_odds_in_plans, at_odds_with


def why_not_planned(expert: User, essay: Essay) -> str:
    """What keeps plans from giving a check of an essay to somebody; empty where nothing does."""
    if not expert.is_active:
        return _("the account is closed")
    if not expert.has_usable_password():
        return _("never signed in")
    if all(each.subject != essay.subject for each in expert.specialisms.all()):
        return _("marks other subjects")
    return ""


def why_not_pinned(pin: Pin) -> str:
    """The same of a pin, whose expert may be in conflict with somebody at the essay, too."""
    cause = why_not_planned(pin.expert, pin.essay)
    if cause or _is_given(pin):
        return cause
    return _beside(*at_odds_with(pin))


def why_left_out(pin: Pin) -> str:
    """What kept a plan from giving a check to the expert of its pin, as far as that is so now."""
    return why_not_planned(pin.expert, pin.essay) or _beside(*at_odds_in_plans(pin))


def _beside(named: User | None, colleague: User | None) -> str:
    if named:
        return _("never at one essay with %(who)s") % {"who": named}
    return _("of one school with %(who)s") % {"who": colleague} if colleague else ""


def _is_given(pin: Pin) -> bool:
    active = pin.expert.assignments.filter(state__in=Assignment.ACTIVE)
    return active.filter(essay=pin.essay, round=pin.essay.round).exists()


def pins_with_causes(pins: Iterable[Pin]) -> list[tuple[Pin, str]]:
    """Pins, each with what keeps plans from it."""
    return [(pin, why_not_pinned(pin)) for pin in pins]


def pins_by_place(essays: Collection[int]) -> dict[tuple[int, int], Pin]:
    """The pins of these essays, by essay and expert."""
    found = Pin.objects.filter(essay__in=essays).select_related("expert", "essay")
    found = found.prefetch_related("expert__specialisms")
    return {(pin.essay_id, pin.expert_id): pin for pin in found}
