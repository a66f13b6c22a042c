"""What every address of the exchange does first: take the moment, and ask whose session it is."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from contest.access import may_exchange, may_see_exchange, own_session, sessions_seen_by
from contest.models import ExchangeSession
from contest.schema import SessionAwareSchema
from contest.services.sessions.clock import microseconds, moment_now
from review.api.doors import Guarded
from web.arrival import seconds_since


class Timed(Guarded):
    """Knows the ``moment`` its request was complete at, before anything of it is read."""

    moment: int
    schema = SessionAwareSchema()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.moment = moment_now() - microseconds(seconds_since(request))
        super().initial(request, *args, **kwargs)


class OfSession(Timed, APIView):
    """An address of one session: read by whoever may see it, written by whose it is."""

    may_read = staticmethod(may_see_exchange)
    may_write = staticmethod(may_exchange)

    def session(self) -> ExchangeSession:
        """The session of the address, to be looked at, or 404."""
        user = self.request.user
        return get_object_or_404(sessions_seen_by(user), pk=self.kwargs["pk"])

    def own(self) -> ExchangeSession:
        """The session of the address, to be written to, or 404."""
        found = own_session(self.request.user, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found
