from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import CharField, Count, Exists, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from accounts.models import AuditEntry, User
from accounts.signals import figures_asked

WITHOUT_PASSWORD: Final = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
"""Accounts whose owners have chosen no password: invited at most, they have never been here."""


def found_by(people: QuerySet[User], words: str) -> QuerySet[User]:
    """People by a part of their name, login or school."""
    if not words:
        return people
    return people.filter(
        Q(username__icontains=words) | Q(full_name__icontains=words) | Q(school__icontains=words)
    )


def trail_of(row: Model) -> QuerySet[AuditEntry]:
    """What was written down of one row."""
    return AuditEntry.objects.filter(object_type=row._meta.label_lower, object_id=str(row.pk))


def made_already(said: User, subjects: Iterable[str], actor: User) -> User | None:
    """The account that somebody has made of these very words, as by the first of two presses."""
    words = ("username", "full_name", "email", "role", "school")
    made = User.objects.filter(**{name: getattr(said, name) for name in words}).first()
    if made is None or not trail_of(made).filter(action="person.made", actor=actor).exists():
        return None
    has = set(made.specialisms.values_list("subject", flat=True))
    return made if has == said.marks_of(subjects) else None


def logins_at(moment: datetime) -> dict[int, str]:
    """The logins that were other ones at a moment than they are, by the numbers of people."""
    told = AuditEntry.objects.filter(
        action="person.renamed", object_type=User._meta.label_lower, at__gt=moment
    )
    rows = told.order_by("-pk").values_list("object_id", "details")
    return {int(number): details["before"] for number, details in rows}


def with_figures(people: QuerySet[User]) -> tuple[QuerySet[User], set[str]]:
    """People with what the apps above count of them, and the names of these figures."""
    names: set[str] = set()
    for _listener, figures in figures_asked.send(sender=User):
        people = people.annotate(**figures)
        names |= figures.keys()
    return people, names


def invitations() -> QuerySet[AuditEntry]:
    """Letters that were sent to a person of an outer query."""
    return AuditEntry.objects.filter(
        action="person.invited",
        object_type=User._meta.label_lower,
        object_id=Cast(OuterRef("pk"), CharField()),
    )


def never_invited(people: QuerySet[User]) -> QuerySet[User]:
    """Open accounts with an address whose owners have no password and were sent no letter yet."""
    able = people.filter(WITHOUT_PASSWORD, ~Q(email=""), is_active=True)
    return able.filter(~Exists(invitations()))


def never_reached(people: QuerySet[User]) -> QuerySet[User]:
    """Open accounts whose owners have no password and, without an address, get no letter."""
    return people.filter(WITHOUT_PASSWORD, email="", is_active=True)


def told_apart(people: Iterable[User]) -> dict[int, str]:
    """What to call each of them, by number: the name, with the login where two have the same."""
    known = {person.pk: person for person in people}
    bearers = Counter(map(str, known.values()))
    return _with_logins(known, {name for name, count in bearers.items() if count > 1})


def known_as(people: Iterable[User]) -> dict[int, str]:
    """What to call each of them, by number: the name, with the login where anybody else has it.

    For lists that hold some people only: on each page of them somebody is called the same.
    """
    known = {person.pk: person for person in people}
    bearers = User.objects.filter(full_name__in={each.full_name for each in known.values()} - {""})
    shared = bearers.values("full_name").annotate(n=Count("pk")).filter(n__gt=1).order_by()
    return _with_logins(known, set(shared.values_list("full_name", flat=True)) if known else set())


def _with_logins(known: Mapping[int, User], shared: Collection[str]) -> dict[int, str]:
    return {
        number: f"{person} ({person.username})" if str(person) in shared else str(person)
        for number, person in known.items()
    }
