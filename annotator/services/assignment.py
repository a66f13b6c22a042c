"""Checks of an essay: it is held while they are given, an expert hands one back."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Assignment, Essay, EssaySet
from annotator.queries.work import OPEN, is_open
from web.refusals import Conflict, Refused
from web.sharing import keep


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


def hold_in_state(essay_id: int, *, no_key: bool = False) -> Essay:
    """The same for whoever asks what the state of its set allows: it stays so as long.

    Sets are held first, then essays, then people, then checks, each by number.
    """
    keep_states(Essay.objects.filter(pk=essay_id))
    return hold(essay_id, no_key=no_key)


def keep_states(essays: QuerySet[Essay]) -> QuerySet[EssaySet]:
    """Let nobody open, close or archive the sets of these essays to the end of the transaction.

    Answers with these very sets: an essay that is one of ``essays`` only afterwards is of others.

    Any number of transactions keep them at once. Whoever changes a set (``set_acts.hold_set``)
    waits for all of these, and who comes after that waits for the change: what is read afterwards
    is how the set is. SQLite has one writer at a time and needs no lock.
    """
    return keep(EssaySet.objects.filter(pk__in=essays.order_by().values("essay_set")))


def keep_state(essay_set: EssaySet) -> None:
    """The same of one set, which bears its state as it is from then on. Raises ``Refused``."""
    found = EssaySet.objects.filter(pk=essay_set.pk)
    keep(found)
    state = found.values_list("state", flat=True).first()
    if state is None:
        raise Refused(_("This set was deleted meanwhile."))
    essay_set.state = state


def refuse_gone(check: Assignment) -> None:
    """Raise ``Conflict`` for one of ``annotator.queries.work.given_to`` that waits no more for its
    expert, whose page is of before.
    """
    if is_open(check):
        return
    sentence = _("The check of essay %s is submitted already.")
    if check.state in (Assignment.State.RETURNED, Assignment.State.WITHDRAWN):
        sentence = _(
            "The check of essay %s is not with you any more: it was handed back or taken away."
        )
    raise Conflict(sentence % check.essay.number)


@transaction.atomic
def hand_back(*, assignment: Assignment, actor: User, reason: str) -> None:
    """Return work that was not submitted to the pool; the draft is kept."""
    given = Assignment.objects.filter(OPEN, pk=assignment.pk).update(
        state=Assignment.State.RETURNED
    )
    if not given:
        raise Refused(_("This check is closed already."))
    audit(actor=actor, action="assignment.returned", target=assignment, reason=reason)
