"""Who may come in; which accounts a manager keeps, and which roles it grants: those below its own.

Whoever may change an address may take the account over, so nobody keeps an account that may do
what its keeper may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User

Role = User.Role

MARKING: Final = frozenset({Role.EXPERT, Role.PARTICIPANT})
KEPT_ROLES: Final[Mapping[str, frozenset[Role]]] = {
    Role.COORDINATOR: MARKING,
    Role.ORGANISER: MARKING | {Role.COORDINATOR, Role.JUDGE, Role.COMMISSION},
    Role.ADMINISTRATOR: frozenset(Role),
}


def may_come_in(person: User) -> bool:
    """True for an open account; on a public host its password must not be a published one.

    Asked at every door and at every step behind it: also of sessions and keys from before.
    """
    return person.is_active and (settings.LOCAL or not person.password_is_published)


def people_of_the_demo() -> QuerySet[User]:
    """The accounts that open with the published password; none but on this machine."""
    found = User.objects.filter(password_is_published=True, is_active=True)
    return found.order_by("role", "username") if settings.LOCAL else found.none()


def people_kept_by(manager: User) -> QuerySet[User]:
    """The accounts a manager sees, changes, invites and closes."""
    return User.objects.filter(role__in=roles_granted_by(manager))


def roles_granted_by(manager: User) -> list[Role]:
    """The roles a manager may give an account."""
    kept = KEPT_ROLES.get(manager.role, frozenset())
    return [role for role in Role if role in kept]


def may_keep_people(user: User) -> bool:
    """True for those who keep any accounts at all."""
    return bool(roles_granted_by(user))


def may_administer(user: User) -> bool:
    """True for those who may open Django's administration."""
    return user.is_staff
