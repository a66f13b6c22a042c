from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
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
    return able.filter(~Exists(invitations())).order_by("full_name", "username")


def never_reached(people: QuerySet[User]) -> QuerySet[User]:
    """Open accounts whose owners have no password and, without an address, get no letter."""
    unable = people.filter(WITHOUT_PASSWORD, email="", is_active=True)
    return unable.order_by("full_name", "username")


def told_apart(people: Iterable[User]) -> dict[int, str]:
    """What to call each of them, by number: the name, with the login where two have the same."""
    known = {person.pk: person for person in people}
    bearers = Counter(map(str, known.values()))
    return {
        number: f"{person} ({person.username})" if bearers[str(person)] > 1 else str(person)
        for number, person in known.items()
    }
