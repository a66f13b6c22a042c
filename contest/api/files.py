"""The files of a session for programs: get the next one, or the present one again, answer."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.telling import problem_as_json
from contest.api.doors import OfSession
from contest.schema import ANSWER_KEY
from contest.serializers import AnswerToFile, FileAnswer, ReceiptAnswer
from contest.services.sessions.asking import Wait, file_json, next_file, repeat_file
from contest.services.sessions.sending import Receipt, digest_key, send
from review.serializers import Nothing
from web.headers import key_named
from web.parsers import RawParser

WAITING = OpenApiResponse(description="No file is open yet; ``Retry-After`` says for how long.")


class Next(OfSession):
    """The next file of one's session; 204 where none is open yet."""

    @extend_schema(request=None, responses={200: FileAnswer, 204: WAITING})
    def post(self, request: Request, **_: Any) -> Response:
        Nothing(data=request.data).is_valid(raise_exception=True)
        found = next_file(session_id=self.own().pk, moment=self.moment)
        return waiting(found) if isinstance(found, Wait) else Response(file_json(found))


class Repeat(OfSession):
    """The file once more whose answer is awaited; its clock runs on."""

    @extend_schema(request=None, responses={200: FileAnswer})
    def post(self, request: Request, **_: Any) -> Response:
        Nothing(data=request.data).is_valid(raise_exception=True)
        return Response(file_json(repeat_file(session_id=self.own().pk, moment=self.moment)))


class Send(OfSession):
    """Answer a file: the body is the markup as JSON (Appendix 3, 2). Whatever it is, it is logged.

    Without a key of its own the same body sent twice to the same file counts once; what was refused
    is judged anew.
    """

    parser_classes = (RawParser,)

    @extend_schema(
        request={"application/json": AnswerToFile},
        responses={200: ReceiptAnswer},
        parameters=[ANSWER_KEY],
    )
    def post(self, request: Request, file: str, **_: Any) -> Response:
        session = self.own()
        data = request.data if isinstance(request.data, bytes) else b""
        key = key_named(request) or digest_key(file, data)
        receipt = send(session=session, file=file, data=data, key=key, moment=self.moment)
        return Response(receipt_json(receipt))


def waiting(found: Wait) -> Response:
    """Nothing yet, and when to ask again."""
    return Response(status=204, headers={"Retry-After": str(math.ceil(found.seconds))})


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """What became of an answer, and what is wrong with it in words."""
    event = receipt.event
    problems = [problem_as_json(each, _) for each in event.found()]
    return {
        "session": event.session_id,
        "file": event.named,
        "event": event.number,
        "accepted": receipt.accepted,
        "reason": receipt.reason.value if receipt.reason else None,
        "message": _message(receipt),
        "repeated": receipt.repeated,
        "differed": receipt.differed,
        "sends_left": receipt.sends_left,
        "seconds_to_next": receipt.seconds_to_next,
        "state": receipt.state.value,
        "problems": problems,
    }


def _message(receipt: Receipt) -> str:
    said = receipt.event.why_not() or _("Accepted.")
    if not receipt.differed:
        return said
    words = _("This differs from what came first under its key. Only the first is judged: %s")
    return words % said
