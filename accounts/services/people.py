"""Accounts of people: made by hand or from a list, invited by e-mail, closed, never deleted."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from accounts.access import roles_granted_by
from accounts.models import Specialism, User
from accounts.services.audit import record
from accounts.signals import expert_left

COLUMNS: Final = ("login", "name", "email", "role", "school", "subjects")
MAX_ROWS: Final = 2000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A line of a list of people, and why it was refused, if it was."""

    line: int
    login: str
    refusal: str = ""


class ListRefused(Exception):  # noqa: N818 - an answer to the person, not a fault
    """The list as a whole cannot be read; ``str()`` says why."""


@transaction.atomic
def save_person(*, person: User, subjects: Iterable[str], actor: User | None) -> User:
    """Make or change an account and the subjects its owner marks. Raises ``ValidationError``."""
    is_new = person.pk is None
    if is_new:
        person.set_unusable_password()
    person.full_clean()
    if actor is not None and person.role not in roles_granted_by(actor):
        raise ValidationError(_("Your role does not give that one. Ask an administrator."))
    person.save()
    wanted = set(subjects) if person.role == User.Role.EXPERT else set()
    person.specialisms.exclude(subject__in=wanted).delete()
    for subject in sorted(wanted):
        Specialism.objects.get_or_create(user=person, subject=subject)
    action = "person.made" if is_new else "person.changed"
    record(actor=actor, action=action, target=person, role=person.role)
    announce_leaving(person=person, actor=actor)
    return person


def import_people(*, data: bytes, actor: User) -> list[ListedPerson]:
    """Make accounts from a CSV list; good lines come in, bad ones are named with their reason."""
    rows = list(_rows(data))  # read to its end first: a list refused half-way makes nobody
    if not rows:
        raise ListRefused(_("The list names nobody."))
    done = []
    for line, row in rows:
        try:
            with transaction.atomic():
                save_person(person=_person(row), subjects=_subjects(row), actor=actor)
        except ValidationError as error:
            done.append(ListedPerson(line, row["login"], " ".join(error.messages)))
        else:
            done.append(ListedPerson(line, row["login"]))
    return done


@transaction.atomic
def set_active(*, person: User, active: bool, actor: User) -> None:
    """Close or reopen an account. What its owner did stays."""
    User.objects.filter(pk=person.pk).update(is_active=active)
    person.is_active = active
    record(actor=actor, action="person.opened" if active else "person.closed", target=person)
    announce_leaving(person=person, actor=actor)


def announce_leaving(*, person: User, actor: User | None) -> None:
    """Tell, in the caller's transaction, that somebody marks no more, if that is so."""
    if not person.is_active or person.role != User.Role.EXPERT:
        actor_id = actor.pk if actor else None
        expert_left.send(sender=User, user_id=person.pk, actor_id=actor_id)


def send_invitation(*, person: User, address: str, actor: User | None) -> None:
    """Send a link by which the owner of an account chooses a password; it also resets one.

    ``address``: the beginning of the link, such as ``https://host/``. Raises ``OSError`` when the
    mail server does not take the letter.
    """
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    token = default_token_generator.make_token(person)
    link = f"{address.rstrip('/')}/invitation/{uid}/{token}/"
    text = render_to_string("accounts/invitation.txt", {"person": person, "link": link})
    try:
        send_mail(_("Your Razbor account"), text, settings.DEFAULT_FROM_EMAIL, [person.email])
    except OSError:
        log.exception("A letter to account %s was not sent.", person.pk)
        raise
    record(actor=actor, action="person.invited", target=person)


def _rows(data: bytes) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ListRefused(_("The list is not in UTF-8. Save it in that encoding.")) from None
    delimiter = ";" if text.partition("\n")[0].count(";") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or [])]
        if missing:
            raise ListRefused(
                _("The first line must name the columns; missing: %s.") % ", ".join(missing)
            )
        for index, row in enumerate(reader):
            if index >= MAX_ROWS:
                raise ListRefused(_("The list holds more than %d people.") % MAX_ROWS)
            yield reader.line_num, {name: (row[name] or "").strip() for name in COLUMNS}
    except csv.Error as error:
        message = _("Line %(line)d is not CSV: %(error)s.")
        raise ListRefused(message % {"line": reader.line_num + 1, "error": error}) from None


def _person(row: Mapping[str, str]) -> User:
    return User(
        username=User.normalize_username(row["login"]),
        full_name=row["name"],
        email=row["email"],
        role=_role(row),
        school=row["school"],
    )


def _role(row: Mapping[str, str]) -> str:
    role = row["role"] or User.Role.EXPERT
    if role not in User.Role.values:
        raise ValidationError(
            _("Unknown role: %(name)s. Use %(known)s.")
            % {"name": role, "known": ", ".join(User.Role.values)}
        )
    return role


def _subjects(row: Mapping[str, str]) -> list[str]:
    names = row["subjects"].replace(",", " ").split()
    known = dict(settings.SUBJECTS)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValidationError(
            _("Unknown subject: %(names)s. Use %(known)s.")
            % {"names": ", ".join(unknown), "known": ", ".join(known)}
        )
    return names
