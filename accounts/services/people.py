"""Accounts of people: made by hand or from a list, invited by e-mail, closed, never deleted."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from accounts.access import roles_granted_by
from accounts.models import AuditEntry, Specialism, User
from accounts.services.audit import audit
from accounts.services.list_files import ListRefused, rows_of
from accounts.services.list_words import code_of, codes_by_word, read_codes
from accounts.services.posting import letter_headers, send
from accounts.services.tokens import revoke_tokens_of
from accounts.signals import (
    account_changed,
    expert_left,
    language_asked,
    opening_asked,
    role_asked,
    work_asked,
)
from web.refusals import Refused

log = logging.getLogger(__name__)

TOLD: Final = (
    ("full_name", gettext_lazy("full name")),
    ("email", gettext_lazy("e-mail")),
    ("role", gettext_lazy("role")),
    ("school", gettext_lazy("school")),
)
"""What a list says of an account beside its subjects."""


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A line of a list of people, why it was refused, if it was, and what to mind about it.

    ``is_completed``: there was a closed account without a name, which an import had made;
    ``is_known``: there is this very account, and nothing was done.
    """

    line: int
    login: str
    refusal: str = ""
    remark: str = ""
    is_completed: bool = False
    is_known: bool = False

    @property
    def outcome(self) -> str:
        """What became of the line, in a word."""
        if self.refusal:
            return "refused"
        return "known" if self.is_known else "made"


@dataclass(frozen=True, slots=True)
class _Read:
    """What a line of a list says; ``faults``: what is wrong with its words, by the field."""

    person: User
    subjects: list[str]
    faults: Mapping[str, list[str]]

    @property
    def reasons(self) -> list[str]:
        """The faults in the order of the columns."""
        fields = ("username", *dict(TOLD), "subjects")
        return [each for name in fields for each in self.faults.get(name, ())]


def seen_of(person: User, subjects: Iterable[str]) -> str:
    """What the form of an account shows, as a digest; empty for one that is not made yet."""
    if person.pk is None:
        return ""
    said = [str(getattr(person, name)) for name in ("username", *dict(TOLD))]
    return sha256(repr((said, sorted(subjects))).encode()).hexdigest()


@transaction.atomic
def save_person(
    *, person: User, subjects: Iterable[str], actor: User | None, seen: str = ""
) -> User:
    """Make or change an account and the subjects its owner marks; ``seen``: what the form of it
    showed. Raises ``ValidationError``, also where somebody changed it since.
    """
    is_new = person.pk is None
    wanted = set(subjects) if person.role == User.Role.EXPERT else set()
    held = _held(person)
    if is_new:
        person.set_unusable_password()
    elif seen:
        has = held.specialisms.values_list("subject", flat=True) if held else ()
        if held is None or seen_of(held, has) not in (seen, seen_of(person, wanted)):
            message = _("Somebody changed this account meanwhile. Open it again and look.")
            raise ValidationError(message)
    person.full_clean()
    if actor is not None and person.role not in roles_granted_by(actor):
        raise ValidationError(_not_granted())
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


def _not_granted() -> str:
    return _("Your role does not give that one. Ask an administrator.")


def _save_unlike_others(person: User) -> None:
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError:  # somebody was quicker, since the others were asked for
        person.full_clean()
        raise


def import_people(*, data: bytes, actor: User) -> list[ListedPerson]:
    """Make accounts from a CSV list; good lines come in, bad ones are named with their reason."""
    rows = list(rows_of(data))  # read to its end first: a list refused half-way makes nobody
    if not rows:
        raise ListRefused(_("The list names nobody."))
    done = []
    for line, row in rows:
        read = _read(row)
        try:
            known = _is_known(read, actor)
            is_completed = not known and _save_listed(read, actor)
        except ValidationError as error:
            done.append(ListedPerson(line, row["login"], " ".join(error.messages)))
        else:
            remark = "" if known else _remark(row)
            done.append(ListedPerson(line, row["login"], "", remark, is_completed, known))
    return done


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
    audit(actor=actor, action="person.opened" if active else "person.closed", target=person)
    announce_leaving(person=person, actor=actor)
    return held


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


def send_invitation(*, person: User, address: str, actor: User | None) -> None:
    """Send a link by which the owner of an account chooses a password; it also resets one.

    ``address``: the beginning of the link, such as ``https://host``. Who asks for it on their own
    has it in the language of their page, whom somebody invites in the one they read letters in.
    Raises ``AddressRefused`` for an address that is not taken, and ``OSError`` when the mail server
    does not take the letter.
    """
    with override(_language_of(person) if actor else get_language()):
        _send_invitation(person, address)
    audit(actor=actor, action="person.invited", target=person)


def _language_of(person: User) -> str:
    answers = language_asked.send(sender=User, user_id=person.pk)
    return next((each for _listener, each in answers if each), settings.MAIL_LANGUAGE)


def _send_invitation(person: User, address: str) -> None:
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    token = default_token_generator.make_token(person)
    link = f"{address}/invitation/{uid}/{token}/"
    text = render_to_string("accounts/invitation.txt", {"person": person, "link": link})
    letter = EmailMessage(
        subject=_("Your Razbor account"),
        body=text,
        to=[person.email],
        headers=letter_headers(),
    )
    try:
        send(letter)
    except OSError:
        log.exception("A letter to account %s was not sent.", person.pk)
        raise


def _remark(row: Mapping[str, str]) -> str:
    if row["email"]:
        return ""
    return _("No e-mail address: this person gets no letters, nor a link to choose a password.")


def _is_known(read: _Read, actor: User) -> bool:
    """Is there an open account of which the list says nothing new? Then the line was read before.

    Of accounts the actor does not keep nothing is told. Raises ``ValidationError``, also for what
    the list says otherwise of an account: a list makes people and changes none.
    """
    if "username" in read.faults:
        return False
    known = User.objects.filter(username=read.person.username, is_active=True).first()
    if known is None or known.role not in roles_granted_by(actor):
        return False
    refused, other = read.reasons, _said_otherwise(read, known)
    if other:
        message = _(
            "There is this account already. It differs: %s. Change it on the person’s page."
        )
        refused.append(message % ", ".join(other))
    if refused:
        raise ValidationError(refused)
    return True


def _said_otherwise(read: _Read, known: User) -> list[str]:
    """What a list says otherwise of an account, in words; what it says badly is named elsewhere."""
    told = [(name, str(word)) for name, word in TOLD if name not in read.faults]
    other = [word for name, word in told if getattr(read.person, name) != getattr(known, name)]
    subjects = set(read.subjects) if known.role == User.Role.EXPERT else set()
    has = set(known.specialisms.values_list("subject", flat=True))
    if "subjects" not in read.faults and subjects != has:
        other.append(_("subjects"))
    return other


@transaction.atomic
def _save_listed(read: _Read, actor: User) -> bool:
    """Make the account of a line, or complete and open the one an import made; true for that.

    Raises ``ValidationError`` with all there is against it.
    """
    said, is_expert = read.person, read.person.role == User.Role.EXPERT
    is_sought = is_expert and "username" not in read.faults
    made = _made_by_import(said.username) if is_sought else None
    person = made or said
    person.full_name, person.email, person.school = said.full_name, said.email, said.school
    refused = read.reasons
    if said.role not in roles_granted_by(actor):
        refused.append(_not_granted())
    if refused:
        raise ValidationError([*refused, *_against_others(person, read.faults)])
    save_person(person=person, subjects=read.subjects, actor=actor)
    if made is not None:
        set_active(person=made, active=True, actor=actor)
    return made is not None


def _against_others(person: User, faults: Iterable[str]) -> list[str]:
    """Where an account that is refused already would not be unlike all others, either."""
    faulty = {"password", *faults}
    try:
        if "username" in faulty:
            person.validate_constraints(exclude=faulty)
        else:
            person.full_clean(exclude=faulty)
    except ValidationError as error:
        return error.messages
    return []


def _made_by_import(login: str) -> User | None:
    """The closed account of an expert of whom nothing but the login is known, if there is one.

    Whom somebody has closed by hand stays closed.
    """
    unnamed = User.objects.select_for_update().filter(
        role=User.Role.EXPERT, is_active=False, last_login=None, full_name="", email=""
    )
    found = unnamed.filter(username__iexact=login).first()
    if found is None or found.has_usable_password():
        return None
    acts = AuditEntry.objects.filter(object_type=User._meta.label_lower, object_id=str(found.pk))
    return None if acts.filter(action="person.closed").exists() else found


def _read(row: Mapping[str, str]) -> _Read:
    """Who a line is about; no database is asked for what it cannot hold."""
    faults: dict[str, list[str]] = {}
    subjects, unknown = read_codes(row["subjects"], codes_by_word(settings.SUBJECTS))
    if unknown:
        told = _("Unknown subject: %(names)s. Use %(known)s.")
        fields = {"names": ", ".join(unknown), "known": _in_words(settings.SUBJECTS)}
        faults["subjects"] = [told % fields]
    role = code_of(row["role"] or User.Role.EXPERT, User.Role.choices)
    if role is None:
        told = _("Unknown role: %(name)s. Use %(known)s.")
        faults["role"] = [told % {"name": row["role"], "known": _in_words(User.Role.choices)}]
    person = User(
        username=User.normalize_username(row["login"]),
        full_name=row["name"],
        email=row["email"],
        role=role or User.Role.EXPERT,
        school=row["school"],
    )
    if not row["login"]:
        faults["username"] = [_("The field “login” is empty.")]
    try:
        person.clean_fields(exclude={"password", *faults})
    except ValidationError as error:
        words = {"username": _("login"), **dict(TOLD)}
        faults |= {
            name: [f"{words[name]}: {message}" for message in messages]
            for name, messages in error.message_dict.items()
        }
    return _Read(person, subjects, faults)


def _in_words(choices: Iterable[tuple[str, Any]]) -> str:
    """What may be written in a list: the names people read, each with its code."""
    return "; ".join(f"{name} ({code})" for code, name in choices)
