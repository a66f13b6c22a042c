"""Accounts of people: made by hand or from a list, invited by e-mail, closed, never deleted."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
from accounts.services.posting import letter_headers
from accounts.services.tokens import revoke_tokens_of
from accounts.signals import expert_left, language_asked, opening_asked, work_asked
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


@transaction.atomic
def save_person(*, person: User, subjects: Iterable[str], actor: User | None) -> User:
    """Make or change an account and the subjects its owner marks. Raises ``ValidationError``."""
    is_new = person.pk is None
    if is_new:
        person.set_unusable_password()
    person.full_clean()
    if actor is not None and person.role not in roles_granted_by(actor):
        raise ValidationError(_("Your role does not give that one. Ask an administrator."))
    _save_unlike_others(person)
    wanted = set(subjects) if person.role == User.Role.EXPERT else set()
    person.specialisms.exclude(subject__in=wanted).delete()
    for subject in sorted(wanted):
        Specialism.objects.get_or_create(user=person, subject=subject)
    action = "person.made" if is_new else "person.changed"
    audit(actor=actor, action=action, target=person, role=person.role)
    announce_leaving(person=person, actor=actor)
    return person


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
        try:
            known = _is_known(row, actor)
            is_completed = not known and _save_listed(row, actor)
        except ValidationError as error:
            done.append(ListedPerson(line, row["login"], " ".join(error.messages)))
        else:
            remark = "" if known else _remark(row)
            done.append(ListedPerson(line, row["login"], "", remark, is_completed, known))
    return done


@transaction.atomic
def set_active(*, person: User, active: bool, actor: User) -> list[dict[str, Any]]:
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


def work_held_by(person: User) -> list[dict[str, Any]]:
    """The work that would go back if the account were closed, by the place it goes to."""
    answers = work_asked.send(sender=User, user_id=person.pk)
    return [held for _listener, found in answers for held in found]


def announce_leaving(*, person: User, actor: User | None) -> None:
    """Tell, in the caller's transaction, that somebody marks no more, if that is so.

    The keys and the sessions of a closed account end: opening it again gives none back.
    """
    if not person.is_active:
        User.objects.filter(pk=person.pk).update(closings=F("closings") + 1)
        person.refresh_from_db(fields=["closings"])
        revoke_tokens_of(user_id=person.pk, actor=actor, reason="closed")
    if not person.is_active or person.role != User.Role.EXPERT:
        actor_id = actor.pk if actor else None
        expert_left.send(sender=User, user_id=person.pk, actor_id=actor_id)


def send_invitation(*, person: User, address: str, actor: User | None) -> None:
    """Send a link by which the owner of an account chooses a password; it also resets one.

    ``address``: the beginning of the link, such as ``https://host``. Who asks for it on their own
    has it in the language of their page, whom somebody invites in the one they read letters in.
    Raises ``OSError`` when the mail server does not take the letter.
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
    try:
        EmailMessage(
            subject=_("Your Razbor account"),
            body=text,
            to=[person.email],
            headers=letter_headers(),
        ).send()
    except OSError:
        log.exception("A letter to account %s was not sent.", person.pk)
        raise


def _remark(row: Mapping[str, str]) -> str:
    if row["email"]:
        return ""
    return _("No e-mail address: this person gets no letters, nor a link to choose a password.")


def _is_known(row: Mapping[str, str], actor: User) -> bool:
    """Is there an open account of which the list says nothing new? Then the line was read before.

    Of accounts the actor does not keep nothing is told. Raises ``ValidationError``, also for what
    the list says otherwise of an account: a list makes people and changes none.
    """
    said = _person(row)
    known = User.objects.filter(username=said.username, is_active=True).first()
    if known is None or known.role not in roles_granted_by(actor):
        return False
    subjects = set(_subjects(row)) if known.role == User.Role.EXPERT else set()
    other = [str(words) for name, words in TOLD if getattr(said, name) != getattr(known, name)]
    if subjects != set(known.specialisms.values_list("subject", flat=True)):
        other.append(_("subjects"))
    if other:
        message = _(
            "There is this account already. It differs: %s. Change it on the person’s page."
        )
        raise ValidationError(message % ", ".join(other))
    return True


@transaction.atomic
def _save_listed(row: Mapping[str, str], actor: User) -> bool:
    """Make the account of a line, or complete and open the one an import made; true for that."""
    person = _person(row)
    made = _made_by_import(person.username) if person.role == User.Role.EXPERT else None
    if made is None:
        save_person(person=person, subjects=_subjects(row), actor=actor)
        return False
    made.full_name, made.email, made.school = person.full_name, person.email, person.school
    save_person(person=made, subjects=_subjects(row), actor=actor)
    set_active(person=made, active=True, actor=actor)
    return True


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


def _person(row: Mapping[str, str]) -> User:
    """Who a line is about; no database is asked for what it cannot hold.

    Raises ``ValidationError``.
    """
    if not row["login"]:
        raise ValidationError(_("The field “login” is empty."))
    person = User(
        username=User.normalize_username(row["login"]),
        full_name=row["name"],
        email=row["email"],
        role=_role(row),
        school=row["school"],
    )
    person.clean_fields(exclude=["password"])
    return person


def _role(row: Mapping[str, str]) -> str:
    role = row["role"] or User.Role.EXPERT
    code = code_of(role, User.Role.choices)
    if code is None:
        raise ValidationError(
            _("Unknown role: %(name)s. Use %(known)s.")
            % {"name": role, "known": _in_words(User.Role.choices)}
        )
    return code


def _subjects(row: Mapping[str, str]) -> list[str]:
    codes, unknown = read_codes(row["subjects"], codes_by_word(settings.SUBJECTS))
    if unknown:
        raise ValidationError(
            _("Unknown subject: %(names)s. Use %(known)s.")
            % {"names": ", ".join(unknown), "known": _in_words(settings.SUBJECTS)}
        )
    return codes


def _in_words(choices: Iterable[tuple[str, Any]]) -> str:
    """What may be written in a list: the names people read, each with its code."""
    return "; ".join(f"{name} ({code})" for code, name in choices)
