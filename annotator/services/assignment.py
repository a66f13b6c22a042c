"""Checks of an essay: it is held while they are given, an expert hands one back."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Assignment, Essay
from web.refusals import Refused


def hold(essay_id: int, *, no_key: bool = False) -> Essay:
    """Lock the essay's row to the end of the transaction. Raises ``Refused`` when it is gone.

    ``no_key``: whoever brings rows that name the essay, as a draft that is begun, does not wait.
    """
    held = Essay.objects.select_for_update(of=("self",), no_key=no_key).select_related(
        "essay_set__rules"
    )
    found = held.filter(pk=essay_id).first()
    if found is None:
        raise Refused(_("This essay was taken back: nobody marks it."))
    return found


@transaction.atomic
def hand_back(*, assignment: Assignment, actor: User, reason: str) -> None:
    """Return work that was not submitted to the pool; the draft is kept."""
    given = Assignment.objects.filter(
        pk=assignment.pk, state__in=[Assignment.State.WAITING, Assignment.State.WORKING]
    ).update(state=Assignment.State.RETURNED)
    if not given:
        raise Refused(_("This check is closed already."))
    audit(actor=actor, action="assignment.returned", target=assignment, reason=reason)
