from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import DataAndFiles, MultiPartParser

from annotator.parsers import TooLarge


class UnsoundFormError(ParseError):
    """A form that is none: its body breaks off, its boundary is missing."""

    def __init__(self) -> None:
        super().__init__()
        message = _("The form cannot be read. Send multipart/form-data with its boundary.")
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
