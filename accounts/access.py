"""Which accounts a manager keeps, and which roles it grants: those below its own.

Whoever may change an address may take the account over, so nobody keeps an account that may do
what its keeper may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import QuerySet

from accounts.models import User

Role = User.Role

MARKING: Final = frozenset({Role.EXPERT, Role.PARTICIPANT})
KEPT_ROLES: Final[Mapping[str, frozenset[Role]]] = {
    Role.COORDINATOR: MARKING,
    Role.ORGANISER: MARKING | {Role.COORDINATOR, Role.JUDGE, Role.COMMISSION},
    Role.ADMINISTRATOR: frozenset(Role),
}


def people_kept_by(manager: User) -> QuerySet[User]:
    """The accounts a manager sees, changes, invites and closes."""
    return User.objects.filter(role__in=roles_granted_by(manager))


def roles_granted_by(manager: User) -> list[Role]:
    """The roles a manager may give an account."""
    kept = KEPT_ROLES.get(manager.role, frozenset())
    return [role for role in Role if role in kept]
