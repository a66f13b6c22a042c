"""Bodies of the API are read strictly; what cannot be read is refused with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser

from web.core.errors import JsonTextError
from web.core.json_text import read_json
from web.core.sentences import describe_json
from web.declining import note_too_large

PLACES: Final = ("line", "column", "path", "byte")


class TooLarge(APIException):
    status_code = 413
    default_detail = _("The request is larger than 2.5 MB.")
    default_code = "too-large"


class UnsoundJsonError(ParseError):
    """What ``web.core.json_text`` refused; DRF would make strings of the numbers."""

    def __init__(self, error: JsonTextError) -> None:
        super().__init__()
        place = {key: error.fields[key] for key in PLACES if key in error.fields}
        sentence = describe_json(error, gettext)
        self.detail = {"code": error.code, "message": sentence, **place}  # type: ignore[dict-item]


class StrictJSONParser(BaseParser):
    """JSON as ``web.core.json_text`` accepts it; the place of what is wrong goes along."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> object:
        try:
            return read_json(_bounded(stream), unique_keys=True)
        except JsonTextError as error:
            raise UnsoundJsonError(error) from None


class Raw(bytes):
    """A body nobody has parsed: where it came as a form, the token of a session is looked for in
    it, and found in the headers alone.
    """

    def get(self, _name: str, default: object = None) -> object:
        return default


class RawParser(BaseParser):
    """The bytes as they came, whatever they are called: the view judges them."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,
    ) -> Raw:
        try:
            return Raw(_bounded(stream))
        except TooLarge:
            note_too_large((parser_context or {})["request"])
            raise


class UnsoundFormError(ParseError):
    """A form that is none: its body breaks off, its boundary is missing."""

    def __init__(self) -> None:
        super().__init__()
        message = gettext("The form cannot be read. Send multipart/form-data with its boundary.")
        self.detail = {"code": "unsound-form", "message": message, "path": "body"}  # type: ignore[dict-item]


class FormParser(MultiPartParser):
    """Files and fields of a form; refusals as the rest of the API words them."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> DataAndFiles:
        try:
            return super().parse(stream, media_type, parser_context)
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            raise TooLarge from None
        except ParseError:
            raise UnsoundFormError from None


def _bounded(stream: IO[Any]) -> bytes:
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    data: bytes = stream.read(limit + 1)
    if len(data) > limit:
        raise TooLarge
    return data
