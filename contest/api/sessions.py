"""Sessions for programs: open, look, read the log, end."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contest.access import may_exchange, may_see_exchange, sessions_seen_by
from contest.api.doors import OfSession, Timed
from contest.core.moments import at
from contest.models import ExchangeSession
from contest.pages.doors import doors
from contest.pages.logs import log_of
from contest.pages.standing import standing_of
from contest.schema import OPENING_KEY
from contest.serializers import DoorsAnswer, LogAnswer, SessionAnswer, SessionLine, SessionOrder
from contest.services.sessions.ending import abort
from contest.services.sessions.opening import open_session
from review.serializers import Nothing
from web.headers import key_named


class Doors(Timed, APIView):
    """The doors of the exchange and their addresses."""

    may_read = staticmethod(may_see_exchange)

    @extend_schema(responses={200: DoorsAnswer})
    def get(self, request: Request) -> Response:
        home = request.build_absolute_uri(reverse("api:api_exchange"))
        return Response({"doors": doors(home), "now": at(self.moment)})


class Sessions(Timed, generics.ListAPIView):
    """One's sessions, the latest first; for staff everybody's. A new one is opened here."""

    queryset = ExchangeSession.objects.none()
    serializer_class = SessionLine
    filter_backends = ()
    may_read = staticmethod(may_see_exchange)
    may_write = staticmethod(may_exchange)

    def get_queryset(self) -> QuerySet[ExchangeSession]:
        return sessions_seen_by(self.request.user).order_by("-pk")

    @extend_schema(
        request=SessionOrder,
        responses={200: SessionAnswer, 201: SessionAnswer},
        parameters=[OPENING_KEY],
    )
    def post(self, request: Request) -> Response:
        asked = SessionOrder(data=request.data, context={"request": request})
        asked.is_valid(raise_exception=True)
        session, is_new = open_session(
            participant=request.user,
            wish=asked.wish(),
            door=ExchangeSession.Door.REST,
            moment=self.moment,
            key=key_named(request) or None,
        )
        return Response(standing_of(session, self.moment), 201 if is_new else 200)


class Session(OfSession):
    """How a session stands, file by file."""

    @extend_schema(responses={200: SessionAnswer})
    def get(self, _request: Request, **_: Any) -> Response:
        return Response(standing_of(self.session(), self.moment))


class Log(OfSession):
    """The log of a session: ``razbor session`` judges it to the same verdicts."""

    @extend_schema(responses={200: LogAnswer})
    def get(self, _request: Request, **_: Any) -> Response:
        return Response(log_of(self.session(), self.moment))


class Abort(OfSession):
    """End one's session; nothing can be sent any more."""

    @extend_schema(request=None, responses={200: SessionAnswer})
    def post(self, request: Request, **_: Any) -> Response:
        Nothing(data=request.data).is_valid(raise_exception=True)
        session = abort(session_id=self.own().pk, moment=self.moment)
        return Response(standing_of(session, self.moment))
