"""Bytes -> records: JSON Lines, one object a line (schemes.md 3.4), or one JSON list of them, as
the data of SpaCE2022 was published.

Every line is read alone, so that one which is no JSON, too deep or not sound is reported and the
others are read. A list is read whole or not at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from schemes.core.space2022.errors import UnusableFileError
from schemes.core.space2022.problems import Place, Problems
from web.core.errors import JsonTextError
from web.core.json_text import read_json
from web.core.packed import why_not_utf8

MAX_BYTES: Final = 100 * 1024 * 1024
MAX_RECORDS: Final = 1_000_000
MAX_RECORD: Final = 1_000_000
"""Characters of one record; those of the real data have a few thousand."""

UNSOUND: Final = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
"""What alone may bring half of a surrogate pair or a NUL into a string of UTF-8."""
OPENS: Final = re.compile(r"^\s*\{", re.MULTILINE)
"""What at least one line of JSON Lines begins with."""
DECODE: Final = json.JSONDecoder().decode


class Record(NamedTuple):
    """One JSON object; its line, which a list does not know, and its number, counted from 1."""

    fields: dict[str, Any]
    line: int | None
    number: int


def read_records(data: bytes, problems: Problems) -> Iterator[Record]:
    """The records of a file, read while they are asked for; broken ones go to ``problems``.

    An empty file has none. Raises ``UnusableFileError``, before the first record.
    """
    text = _text(data)
    if text.lstrip()[:1] == "[":
        return _of_list(_list(text), problems)
    if OPENS.search(text) is None and not text.isspace() and text:
        raise UnusableFileError("not-json-lines")
    return _of_lines(text, problems)


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise UnusableFileError("file-too-large", limit=MAX_BYTES // 2**20)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = why_not_utf8(data, error.start)
        raise UnusableFileError(found.code, **found.fields) from None


def _list(text: str) -> list[object]:
    try:
        found = _value(text)
    except JsonTextError as error:
        raise UnusableFileError(error.code, **error.fields) from None
    values = found if isinstance(found, list) else [found]
    if len(values) > MAX_RECORDS:
        raise UnusableFileError("too-many-records", limit=MAX_RECORDS)
    return values


def _of_list(values: list[object], problems: Problems) -> Iterator[Record]:
    for number, value in enumerate(values, 1):
        if isinstance(value, dict):
            yield Record(value, None, number)
        else:
            problems.add("not-an-object", Place(record=number))


def _of_lines(text: str, problems: Problems) -> Iterator[Record]:
    number = 0
    for line, written in enumerate(text.split("\n"), 1):
        if not written or written.isspace():
            continue
        number += 1
        if number > MAX_RECORDS:
            raise UnusableFileError("too-many-records", limit=MAX_RECORDS)
        if len(written) > MAX_RECORD:
            problems.add("record-too-large", Place(line, number), limit=MAX_RECORD)
            continue
        try:
            value = _value(written)
        except JsonTextError as error:
            _report(error, Place(line, number), problems)
            continue
        if isinstance(value, dict):
            yield Record(value, line, number)
        else:
            problems.add("not-an-object", Place(line, number))


def _value(written: str) -> object:
    """The value of a line; the careful reader is asked only where the quick one may not suffice."""
    if "\\u" not in written or UNSOUND.search(written) is None:
        try:
            value: object = DECODE(written)
        except (ValueError, RecursionError):
            pass
        else:
            return value
    return read_json(written)


def _report(error: JsonTextError, place: Place, problems: Problems) -> None:
    fields = {name: value for name, value in error.fields.items() if name not in ("line", "path")}
    field = str(error.fields.get("path", ""))
    problems.add(error.code, Place(place.line, place.record, field=field), **fields)
