"""Which roles may come in at a door; what they may see inside, ``annotator.access`` says."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from accounts.models import User

Role = User.Role

EVERYBODY: Final = frozenset(Role)
STAFF: Final = frozenset(Role) - {Role.EXPERT, Role.PARTICIPANT}
"""Roles that see every essay and every markup."""

MANAGERS: Final = frozenset({Role.COORDINATOR, Role.ORGANISER, Role.ADMINISTRATOR})
"""Roles that import, assign and look after accounts."""

View = Callable[..., HttpResponse]


class Visit(HttpRequest):
    """A request of somebody who is logged in: what a view behind ``open_to`` gets."""

    user: User


def open_to(roles: frozenset[str]) -> Callable[[View], View]:
    """Let only these roles in; everybody else who is logged in gets 403."""

    def door(view: View) -> View:
        @wraps(view)
        def guarded(request: Visit, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.role not in roles:
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.roles = roles  # type: ignore[attr-defined]
        return guarded

    return door
