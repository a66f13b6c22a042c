"""The question before letters to several people, and what is told after an account was closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.access import roles_granted_by
from accounts.models import User
from accounts.queries import never_invited, never_reached, told_apart
from accounts.services.inviting import AT_ONCE
from web.core.ordering import natural
from web.forms import asked_words, is_number_of_row
from web.refusals import Refused


@dataclass(frozen=True, slots=True)
class Invited:
    """Who would get a letter, and how many of a long list come later; who would not, told apart."""

    people: Sequence[User]
    closed: Sequence[str]
    without_address: Sequence[str]
    later: int
    is_all: bool


def role_invited(given: QueryDict, manager: User) -> str:
    """The role whose people alone are meant, nothing for all. Raises ``Refused`` for a word that is
    none of those the manager keeps: letters would go to all of them.
    """
    role = asked_words(given, "role", 20)
    if role and role not in roles_granted_by(manager):
        raise Refused(_("Nothing here is called %s.") % role)
    return role


def invited_by(given: QueryDict, kept: QuerySet[User]) -> Invited:
    """All who were never invited, or the ticked ones."""
    if "all" in given:
        found = by_name(never_invited(kept))
        later = max(len(found) - AT_ONCE, 0)
        mute = called(by_name(never_reached(kept)))
        return Invited(found[:AT_ONCE], [], mute, later, is_all=True)
    ticked = [int(word) for word in given.getlist("person") if is_number_of_row(word)]
    chosen = kept.filter(pk__in=ticked)
    able = by_name(chosen.filter(~Q(email=""), is_active=True))
    return Invited(
        people=able[:AT_ONCE],
        closed=called(by_name(chosen.filter(is_active=False))),
        without_address=called(by_name(chosen.filter(email="", is_active=True))),
        later=max(len(able) - AT_ONCE, 0),
        is_all=False,
    )


def by_name(people: Iterable[User]) -> list[User]:
    """People as lists of names are read: “Expert 2” before “Expert 10”."""
    return sorted(people, key=lambda person: (natural(str(person)), person.username))


def called(people: Sequence[User]) -> list[str]:
    """What to call these people in one list: no two alike."""
    names = told_apart(people)
    return [names[person.pk] for person in people]


def told_of_returned(returned: Iterable[Mapping[str, Any]]) -> list[str]:
    """What went back where, set by set."""
    return [_sentence(each) for each in returned]


def _sentence(held: Mapping[str, Any]) -> str:
    count = held["unopened"] + held["begun"]
    message = ngettext(
        "%(n)d check went back to the desk of %(place)s.",
        "%(n)d checks went back to the desk of %(place)s.",
        count,
    )
    told = message % {"n": count, "place": held["place"]}
    kept = _("Drafts kept: %d.") % held["begun"] if held["begun"] else ""
    said = f"{told} {kept}".strip()
    if not held["plan"]:
        return said
    return format_html(
        '{} <a href="{}">{}</a>', said, held["plan"], _("Plan the checks nobody has")
    )
