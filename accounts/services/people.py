"""Accounts of people: made, changed, closed and opened again, never deleted."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import roles_granted_by
from accounts.models import FOLLOWING_ROLE, Specialism, User
from accounts.services.audit import audit
from accounts.services.tokens import revoke_tokens_of
from accounts.signals import account_changed, expert_left, opening_asked, role_asked, work_asked
from web.refusals import Refused

TOLD: Final = (
    ("full_name", gettext_lazy("full name")),
    ("email", gettext_lazy("e-mail")),
    ("role", gettext_lazy("role")),
    ("school", gettext_lazy("school")),
)
"""What forms and lists say of an account beside its login and its subjects."""
SAID: Final = ("username", *dict(TOLD))


def seen_of(person: User, subjects: Iterable[str]) -> str:
    """What the form of an account shows, as a digest; empty for one that is not made yet."""
    if person.pk is None:
        return ""
    said = [str(getattr(person, name)) for name in SAID]
    return sha256(repr((said, sorted(subjects))).encode()).hexdigest()


@transaction.atomic
def save_person(
    *, person: User, subjects: Iterable[str], actor: User | None, seen: str = ""
) -> User:
    """Make or change an account and the subjects its owner marks; ``seen``: what the form of it
    showed. Of an account there is nothing else is written: what became of it meanwhile stays.
    Raises ``ValidationError``, also where somebody changed it since.
    """
    is_new = person.pk is None
    wanted = person.marks_of(subjects)
    held = _held(person)
    if is_new:
        person.set_unusable_password()
    elif held is None or _is_otherwise(held, person, wanted, seen):
        raise ValidationError(changed_meanwhile())
    else:
        person.is_active = held.is_active
    person.full_clean()
    roles = {person.role, (held or person).role}
    if actor is not None and not roles <= {*roles_granted_by(actor)}:
        raise ValidationError(role_not_granted())
    try:
        _refuse_role(held, person.role)
    except Refused as refusal:
        raise ValidationError({"role": str(refusal)}) from None
    _save_unlike_others(person)
    person.specialisms.exclude(subject__in=wanted).delete()
    for subject in sorted(wanted):
        Specialism.objects.get_or_create(user=person, subject=subject)
    action = "person.made" if is_new else "person.changed"
    former = {"before": held.role} if held is not None and held.role != person.role else {}
    audit(actor=actor, action=action, target=person, role=person.role, **former)
    note_login(person=person, former=(held or person).username, actor=actor)
    announce_leaving(person=person, actor=actor)
    return person


def note_login(*, person: User, former: str, actor: User | None) -> None:
    """Write down a login that is another one than the former: files told that one until now."""
    if person.username != former:
        about = {"before": former, "after": person.username}
        audit(actor=actor, action="person.renamed", target=person, **about)


def _held(person: User) -> User | None:
    """The account as it is, held to the end of the transaction; nothing of a new one."""
    return User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()


def _is_otherwise(held: User, person: User, wanted: set[str], seen: str) -> bool:
    """Is an account neither as it was seen nor as it is to be, as by the first of two presses?"""
    if not seen:
        return False
    has = held.specialisms.values_list("subject", flat=True)
    return seen_of(held, has) not in (seen, seen_of(person, wanted))


def changed_meanwhile() -> str:
    """What is said to whom the form of an account shows it as it was before."""
    return _("Somebody changed this account meanwhile. Open it again and look.")


def role_not_granted() -> str:
    """What is said of a role that somebody does not give."""
    return _("Your role does not give that one. Ask an administrator.")


def _save_unlike_others(person: User) -> None:
    fields = None if person.pk is None else [*SAID, *FOLLOWING_ROLE]
    try:
        with transaction.atomic():
            person.save(update_fields=fields)
    except IntegrityError:  # somebody was quicker, since the others were asked for
        person.full_clean()
        raise


@transaction.atomic
def set_active(*, person: User, active: bool, actor: User | None) -> list[dict[str, Any]]:
    """Close or reopen an account. What its owner did stays. Safe to repeat.

    Returns the work that went back (``work_held_by``). Raises ``Refused`` for an account that
    stays closed as long as something else does not change.
    """
    if active:
        refuse_opening(person=person)
    person.is_active = active
    if not User.objects.filter(pk=person.pk, is_active=not active).update(is_active=active):
        return []
    held = [] if active else work_held_by(person)
    note_activity(person=person, actor=actor)
    announce_leaving(person=person, actor=actor)
    return held


def note_activity(*, person: User, actor: User | None) -> None:
    """Write down that an account is open or closed from now on: lists open none of the latter."""
    action = "person.opened" if person.is_active else "person.closed"
    audit(actor=actor, action=action, target=person)


def refuse_opening(*, person: User) -> None:
    """Raise ``Refused`` with the reason where an account stays closed; within a transaction."""
    answers = opening_asked.send(sender=User, user_id=person.pk)
    told = [str(sentence) for _listener, sentence in answers if sentence]
    if told:
        raise Refused(" ".join(told))


def refuse_role(*, person: User) -> None:
    """Raise ``Refused`` with the reason where an account that has another role now keeps it; its
    row is held to the end of the transaction.
    """
    _refuse_role(_held(person), person.role)


def _refuse_role(held: User | None, role: str) -> None:
    if held is None or held.role == role:
        return
    answers = role_asked.send(sender=User, user_id=held.pk, role=role)
    told = [str(sentence) for _listener, sentence in answers if sentence]
    if told:
        raise Refused(" ".join(told))


def work_held_by(person: User) -> list[dict[str, Any]]:
    """The work that would go back if the account were closed, by the place it goes to."""
    answers = work_asked.send(sender=User, user_id=person.pk)
    return [held for _listener, found in answers for held in found]


def announce_leaving(*, person: User, actor: User | None) -> None:
    """Tell, in the caller's transaction, that an account changed, and that its owner marks no more
    if that is so.

    The keys and the sessions of a closed account end: opening it again gives none back.
    """
    if not person.is_active:
        User.objects.filter(pk=person.pk).update(closings=F("closings") + 1)
        person.refresh_from_db(fields=["closings"])
        revoke_tokens_of(user_id=person.pk, actor=actor, reason="closed")
    actor_id = actor.pk if actor else None
    account_changed.send(sender=User, user_id=person.pk, actor_id=actor_id)
    if not person.is_active or person.role != User.Role.EXPERT:
        expert_left.send(sender=User, user_id=person.pk, actor_id=actor_id)
