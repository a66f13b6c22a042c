"""Answers that a browser keeps as a file."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.http import content_disposition_header

from web.core.sheets import COMMAS, RUSSIAN_EXCEL, Dialect, as_csv

Answer = TypeVar("Answer", bound=HttpResponseBase)


RUSSIAN: Final = "csv-ru"
"""The word of an address, ``?form=``, for a table as Russian Excel reads it."""


def dialect_asked(request: HttpRequest) -> Dialect:
    """How somebody wants a table: as Russian Excel reads it, or with commas and points."""
    return RUSSIAN_EXCEL if request.GET.get("form") == RUSSIAN else COMMAS


_UNFIT: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]')
"""Signs some disk takes in no name, and those that turn the order of the others round."""


def as_file(response: Answer, name: str) -> Answer:
    """The answer under the name it is kept by, whatever letters that is written in."""
    response["Content-Disposition"] = content_disposition_header(True, _UNFIT.sub("_", name))
    return response


def named(*words: object, ending: str) -> str:
    """The name of a file people keep: what it is of, and what it is in the reader's language."""
    return f"{', '.join(map(str, words))}.{ending}"


def csv_file(request: HttpRequest, rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """A table as it is asked for, behind the byte order mark by which Excel knows the encoding."""
    lines = "\ufeff", *as_csv(rows, dialect_asked(request))
    return as_file(HttpResponse(lines, content_type="text/csv; charset=utf-8"), name)


def json_file(told: dict[str, Any], name: str) -> HttpResponse:
    """What programs read, and people too."""
    options = {"ensure_ascii": False, "indent": 1}
    return as_file(JsonResponse(told, json_dumps_params=options), name)


def zipped(files: Iterable[tuple[str, bytes | Iterator[bytes]]]) -> Iterator[bytes]:
    """An archive of named files, piece by piece as they come: one file is held at a time, of one
    that comes in pieces one piece.
    """
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in files:
            if isinstance(contents, bytes):
                archive.writestr(name, contents)
                yield pipe.taken()
            else:
                yield from _in_pieces(archive, pipe, name, contents)
    yield pipe.taken()


def _in_pieces(
    archive: zipfile.ZipFile, pipe: _Pipe, name: str, pieces: Iterator[bytes]
) -> Iterator[bytes]:
    entry = zipfile.ZipInfo(name, time.localtime()[:6])
    entry.compress_type = archive.compression
    with archive.open(entry, "w") as member:
        for piece in pieces:
            member.write(piece)
            yield pipe.taken()


class _Pipe(io.RawIOBase):
    """What was written and not taken yet."""

    def __init__(self) -> None:
        super().__init__()
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: object) -> int:
        written = bytes(piece)  # type: ignore[call-overload]
        self._held += written
        return len(written)

    def taken(self) -> bytes:
        held = bytes(self._held)
        self._held.clear()
        return held
