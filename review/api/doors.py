"""Which accounts an address of the API is for: asked before anything is looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.models import User
from web.serializers import StrictQuery

May = Callable[[User], bool]


class Guarded(StrictQuery):
    """A view whose ``may_read`` and ``may_write`` are questions of an access.py.

    Of an address that is only written to, its methods are told to whoever may write.
    """

    may_read: ClassVar[May]
    may_write: ClassVar[May]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:  # type: ignore[attr-defined]
            return
        reads = request.method in SAFE_METHODS and hasattr(type(self), "may_read")
        asked = type(self).may_read if reads else type(self).may_write
        if not asked(request.user):
            raise PermissionDenied
