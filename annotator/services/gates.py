"""What the state of an essay set, and of a version of an essay, keeps from coming in."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from annotator.core.problems import Problem
from annotator.models import Essay, EssaySet, RuleSet
from annotator.queries.essays import latest_of
from annotator.queries.practice import key_of
from annotator.queries.sets import sealed_sets, was_read
from annotator.services.refusals import told_by, unfit
from annotator.signals import (
    access_asked,
    publication_asked,
    reopening_asked,
    rules_asked,
    subject_asked,
    undoing_asked,
)
from web.refusals import Refused

State = EssaySet.State


def takes_checks(essay: Essay) -> bool:
    """True where checks of an essay are given: the latest version, in an open set that is neither
    sealed nor for practice.
    """
    essay_set = essay.essay_set
    is_open = essay.closed_at is None and essay_set.state == State.OPEN
    return is_open and not essay_set.is_practice and not is_sealed(essay_set)


def is_sealed(essay_set: EssaySet) -> bool:
    """True for a set of finals of which nothing is given to experts yet (R 2.8)."""
    return essay_set.access == EssaySet.Access.FINAL and essay_set.pk in sealed_sets()


def refuse_sealed(essay_set: EssaySet) -> None:
    """Raise ``Refused`` for a set of which nothing is given to experts yet."""
    if is_sealed(essay_set):
        message = _(
            "The set “%s” is sealed until its finals are over (clause 2.8 of the regulation): "
            "experts get nothing of it before."
        )
        raise Refused(message % essay_set)


def refuse_publication(essay_set: EssaySet) -> None:
    """Raise ``Refused`` for a set whose markups by experts are not opened to participants."""
    if essay_set.access != EssaySet.Access.FINAL:
        raise Refused(_("Only finals are published: of other sets the access says what is seen."))
    if essay_set.state == State.PREPARING:
        raise Refused(_("The set is being prepared. Open it before it is published."))
    refuse_sealed(essay_set)
    publication_asked.send(sender=EssaySet, set_id=essay_set.pk)


def may_be_published(essay_set: EssaySet) -> bool:
    """True where nothing refuses the publication of a set."""
    try:
        refuse_publication(essay_set)
    except Refused:
        return False
    return True


def refuse_access(essay_set: EssaySet, access: str) -> None:
    """Raise ``Refused`` where participants may not see of a set what this access shows."""
    refuse_sealed(essay_set)
    access_asked.send(sender=EssaySet, set_id=essay_set.pk, access=access)
    if access == EssaySet.Access.FINAL and was_read(essay_set):
        message = _(
            "Participants read the essays of the set “%s” since it was opened, so it is no set of "
            "finals. Make another one."
        )
        raise Refused(message % essay_set)


def refuse_rules(essay_set: EssaySet, rules: RuleSet | None) -> None:
    """Raise ``Refused`` where a set may not go by these rules; ``None``: by any others."""
    rules_asked.send(sender=EssaySet, set_id=essay_set.pk, rules_id=rules and rules.pk)


def may_go_by(essay_set: EssaySet, rules: RuleSet | None) -> bool:
    """True where nothing refuses these rules for a set; ``None``: any others."""
    try:
        refuse_rules(essay_set, rules)
    except Refused:
        return False
    return True


def refuse_new_checks(essay: Essay) -> None:
    """Raise ``Refused`` where no check of an essay may be given."""
    refuse_replaced(essay)
    if essay.essay_set.is_practice:
        message = _("The set “%s” is for practice: experts take its essays themselves.")
        raise Refused(message % essay.essay_set)
    sentences = {
        State.PREPARING: _("The set “%s” is being prepared: open it before checks are given."),
        State.CLOSED: _("The set “%s” is closed: no new checks are given in it."),
        State.ARCHIVED: _("The set “%s” is in the archive: no new checks are given in it."),
    }
    _refuse(essay.essay_set, sentences)
    if is_sealed(essay.essay_set):
        message = _(
            "Essay %(essay)s is of the set “%(set)s”, which is sealed until its finals are over "
            "(clause 2.8 of the regulation): no check of it is given before."
        )
        raise Refused(message % {"essay": essay.number, "set": essay.essay_set})


def refuse_new_tries(essay: Essay) -> None:
    """Raise ``Refused`` where an essay is not tried: no practice, no key, or not now."""
    refuse_replaced(essay)
    if not essay.essay_set.is_practice or key_of(essay) is None:
        raise Refused(_("Essay %s has no key: it is not for practice.") % essay.number)
    message = _("The set “%s” is not open: its essays cannot be tried now.")
    _refuse(essay.essay_set, {each: message for each in State if each != State.OPEN})


def refuse_reopening(essay: Essay) -> None:
    """Raise ``Refused`` where no submitted check is opened again."""
    refuse_replaced(essay)
    message = _("The set “%s” is in the archive: take it out before a check is reopened.")
    _refuse(essay.essay_set, {State.ARCHIVED: message})
    reopening_asked.send(sender=EssaySet, set_id=essay.essay_set_id)


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


def why_no_new_checks(essay_set: EssaySet) -> tuple[Problem, ...]:
    """Why no expert's markup comes into a set by an import, as it might take the place of a check;
    empty where one may.
    """
    if is_sealed(essay_set):
        return (Problem("set-is-sealed", fields={"set": essay_set.name}),)
    try:
        reopening_asked.send(sender=EssaySet, set_id=essay_set.pk)
    except Refused as refused:
        return told_by(refused)
    return ()


def subject_held_to(essay_set: EssaySet) -> str:
    """The one subject all essays of a set are of, where an app above says so; else empty."""
    told = subject_asked.send(sender=EssaySet, set_id=essay_set.pk)
    return next((subject for _who, subject in told if subject), "")


def refuse_undoing(sets: Iterable[EssaySet]) -> None:
    """Raise ``Refused`` where an import of these sets is not taken back any more."""
    known = list(sets)
    message = _("The set “%s” is in the archive. Take it out first.")
    for essay_set in known:
        _refuse(essay_set, {State.ARCHIVED: message})
    undoing_asked.send(sender=EssaySet, set_ids=[each.pk for each in known])


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
