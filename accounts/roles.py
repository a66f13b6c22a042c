"""Which roles may come in at a door; what they may see inside, ``annotator.access`` says."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from accounts.models import User

Role = User.Role

STAFF: Final = frozenset(
    {Role.COORDINATOR, Role.ORGANISER, Role.JUDGE, Role.COMMISSION, Role.ADMINISTRATOR}
)
"""Roles that see every essay and every markup."""

EVERYBODY: Final = STAFF | {Role.EXPERT, Role.PARTICIPANT}
"""All roles there are; one that is new comes in nowhere before it is named."""

MANAGERS: Final = frozenset({Role.COORDINATOR, Role.ORGANISER, Role.ADMINISTRATOR})
"""Roles that import, assign and look after accounts."""

View = Callable[..., HttpResponse]


class Visit(HttpRequest):
    """A request of somebody who is logged in: what a view behind ``open_to`` gets."""

    user: User
    member: User | None
    """Who acts in the name of ``user``; nobody where they are the same."""
    acts: Any
    """What there is to choose of: ``accounts.access.ActsAs``."""
    htmx: HtmxDetails
    in_parts: bool
    """Set by a view that stores in several transactions: an outage may keep some of it."""
    nothing_typed: bool
    """Set by a view whose form a page fills in: a refusal does not give these words back."""


def person_of(request: Visit) -> User:
    """Who it is that asks, in whosever name."""
    return request.member or request.user


def has_one_of(user: User, roles: frozenset[str]) -> bool:
    """True for somebody of these roles."""
    return user.role in roles


def open_to(roles: frozenset[str]) -> Callable[[View], View]:
    """Let only these roles in; everybody else who is logged in gets 403."""

    def door(view: View) -> View:
        @wraps(view)
        def guarded(request: Visit, *args: Any, **kwargs: Any) -> HttpResponse:
            if not has_one_of(request.user, roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.roles = roles  # type: ignore[attr-defined]
        return guarded

    return door
