"""Who may come in; which accounts a manager keeps, and which roles it grants: those below its own.

Whoever may change an address may take the account over, so nobody keeps an account that may do
what its keeper may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.roles import STAFF

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


def coming_in(prefix: str) -> Q:
    """The same of rows that lead to an account by ``prefix``, as in ``user__``."""
    found = Q(**{f"{prefix}is_active": True})
    return found if settings.LOCAL else found & Q(**{f"{prefix}password_is_published": False})


def people_of_the_demo() -> QuerySet[User]:
    """The accounts that open with the published password; none but on this machine."""
    found = User.objects.filter(password_is_published=True, is_active=True)
    return found.order_by("role", "username") if settings.LOCAL else found.none()


def people_kept_by(manager: User) -> QuerySet[User]:
    """The accounts a manager sees, changes, invites and closes."""
    return User.objects.filter(role__in=roles_granted_by(manager))


def of_role(manager: User, role: str) -> QuerySet[User]:
    """Those of them that have a role; all where none is named, or none of those kept."""
    kept = people_kept_by(manager)
    return kept.filter(role=role) if role in roles_granted_by(manager) else kept


def roles_granted_by(manager: User) -> list[Role]:
    """The roles a manager may give an account."""
    kept = KEPT_ROLES.get(manager.role, frozenset())
    return [role for role in Role if role in kept]


def may_keep_people(user: User) -> bool:
    """True for those who keep any accounts at all."""
    return bool(roles_granted_by(user))


def may_read_logins(user: User) -> bool:
    """True for those who tell people of one name apart by their logins."""
    return user.role in STAFF


def may_administer(user: User) -> bool:
    """True for those who may open Django's administration."""
    return user.is_staff


@dataclass(frozen=True, slots=True)
class ActsAs:
    """In whose name somebody acts: ``account``, or one's own where it is ``None``.

    ``choices``: what may be chosen, as whoever was asked for it knows it; ``chosen``: one of them;
    ``accounts``: the numbers of the accounts these stand for.
    """

    account: User | None
    choices: tuple[Any, ...] = ()
    chosen: Any = None
    accounts: tuple[int, ...] = ()


StandIn = Callable[[User, object], ActsAs]
"""Who acts in whose name: somebody, and what the session says was chosen."""

_stand_ins: Final[list[StandIn]] = []


def stands_in(ask: StandIn) -> None:
    """Ask this of everybody who is logged in by a session."""
    _stand_ins.append(ask)


def acting_of(person: User, chosen: object) -> ActsAs:
    """In whose name somebody acts now; the first answer that names an account or choices counts."""
    answers = (ask(person, chosen) for ask in _stand_ins)
    return next((each for each in answers if each.account or each.choices), ActsAs(None))


def may_act_for(person: User, account: User) -> bool:
    """True for an open account whose owner may choose to act for another one."""
    answers = (ask(person, None) for ask in _stand_ins)
    return may_come_in(person) and any(account.pk in each.accounts for each in answers)
