"""What the state of an essay set, and of a version of an essay, keeps from coming in."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.models import Essay, EssaySet
from annotator.queries import latest_of
from annotator.services.refusals import unfit
from web.refusals import Refused

State = EssaySet.State


def takes_checks(essay: Essay) -> bool:
    """True where checks of an essay are given: it is the latest version, in an open set."""
    return essay.closed_at is None and essay.essay_set.state == State.OPEN


def refuse_new_checks(essay: Essay) -> None:
    """Raise ``Refused`` where no check of an essay may be given."""
    refuse_replaced(essay)
    sentences = {
        State.PREPARING: _("The set “%s” is being prepared: open it before checks are given."),
        State.CLOSED: _("The set “%s” is closed: no new checks are given in it."),
        State.ARCHIVED: _("The set “%s” is in the archive: no new checks are given in it."),
    }
    _refuse(essay.essay_set, sentences)


def refuse_reopening(essay: Essay) -> None:
    """Raise ``Refused`` where no submitted check is opened again."""
    refuse_replaced(essay)
    message = _("The set “%s” is in the archive: take it out before a check is reopened.")
    _refuse(essay.essay_set, {State.ARCHIVED: message})


def refuse_new_algorithms(essay: Essay) -> None:
    """Raise ``Refused`` where no algorithm's markup of an essay is taken any more."""
    refuse_replaced(essay)
    sentences = {
        State.CLOSED: _("The set “%s” is closed: it takes no more markups by algorithms."),
        State.ARCHIVED: _("The set “%s” is closed: it takes no more markups by algorithms."),
    }
    _refuse(essay.essay_set, sentences)


def refuse_import(essay_set: EssaySet) -> None:
    """Raise ``Refused`` where nothing is imported any more."""
    message = _("The set “%s” is in the archive: nothing is imported into it. Take it out first.")
    _refuse(essay_set, {State.ARCHIVED: message})


def refuse_from_files(essay: Essay, *, is_expert: bool, has_check: bool) -> None:
    """Raise ``Refused`` for a file's markup a closed set takes no more: it brings a new check."""
    is_over = essay.essay_set.state in (State.CLOSED, State.ARCHIVED)
    if is_over and not (is_expert and has_check):
        raise unfit("set-is-closed", set=essay.essay_set.name)


def refuse_replaced(essay: Essay) -> None:
    """Raise ``Refused`` for a version of an essay that is not the latest."""
    if essay.closed_at is None:
        return
    latest = latest_of(essay)
    message = _(
        "This version of essay %(number)s was replaced. Work with version %(version)s (id %(id)s)."
    )
    fields = {"number": essay.number, "version": latest.version, "id": latest.pk}
    raise Refused(message % fields)


def _refuse(essay_set: EssaySet, sentences: dict[State, str]) -> None:
    sentence = sentences.get(State(essay_set.state))
    if sentence:
        raise Refused(sentence % essay_set.name)
