"""Accounts made from a list: good lines come in, bad ones are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.access import roles_granted_by
from accounts.models import User
from accounts.queries import trail_of
from accounts.services.list_files import ListRefused, rows_of
from accounts.services.list_words import code_of, codes_by_word, read_codes
from accounts.services.people import TOLD, role_not_granted, save_person, set_active


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


def _remark(row: Mapping[str, str]) -> str:
    if row["email"]:
        return ""
    return _("No e-mail address: this person gets no letters, nor a link to choose a password.")


def _is_known(read: _Read, actor: User) -> bool:
    """Is there an open account of which the list says nothing new? Then the line was read before.

    Of accounts the actor does not keep nothing is told. Raises ``ValidationError``, also for what
    the list says otherwise of an account, and for one that somebody has closed: a list makes people
    and changes none.
    """
    if "username" in read.faults:
        return False
    known = User.objects.filter(username=read.person.username).first()
    if known is None or known.role not in roles_granted_by(actor):
        return False
    if not known.is_active:
        _refuse_closed(read, known)
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


def _refuse_closed(read: _Read, known: User) -> None:
    """Raise ``ValidationError`` for an account that somebody has closed."""
    if trail_of(known).filter(action="person.closed").exists():
        message = _(
            "There is this account already, and it is closed. Open it on the page “People”."
        )
        raise ValidationError([*read.reasons, message])


def _said_otherwise(read: _Read, known: User) -> list[str]:
    """What a list says otherwise of an account, in words; what it says badly is named elsewhere."""
    told = [(name, str(word)) for name, word in TOLD if name not in read.faults]
    other = [word for name, word in told if getattr(read.person, name) != getattr(known, name)]
    has = set(known.specialisms.values_list("subject", flat=True))
    if "subjects" not in read.faults and known.marks_of(read.subjects) != has:
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
        refused.append(role_not_granted())
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
    return None if trail_of(found).filter(action="person.closed").exists() else found


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
