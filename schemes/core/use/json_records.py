"""JSON -> records: MERA's document of splits, a list, or one object a line.

Every record is read alone, so that one which is no JSON, too deep or not sound is reported and
the others are read.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from schemes.core.use.errors import UnusableFileError
from schemes.core.use.exam import DEFAULT_SPLIT
from schemes.core.use.problems import Place, Problems
from schemes.core.use.record import MAX_RECORD, MAX_RECORDS, Record, RecordFile
from schemes.core.use.scan import JsonScan
from web.core.errors import JsonTextError
from web.core.json_text import read_json

Spans = array
"""Of 64-bit numbers: begin and end of each record, one after the other."""


def from_list(text: str, problems: Problems, split: str | None) -> RecordFile:
    """A JSON list of records; it has no splits."""
    scan = JsonScan(text)
    spans = _spans(scan)
    scan.end()
    return RecordFile(_of_spans(text, spans, problems), split)


def from_object(text: str, problems: Problems, split: str | None) -> RecordFile:
    """MERA's document, or JSON Lines: told apart by the key ``data`` of the first object."""
    splits = _Splits(text)
    if splits.found is not None:
        chosen = _choose(splits.found, split)
        spans = splits.found[chosen]
        if spans is None:
            raise UnusableFileError("split-not-a-list", name=chosen)
        return RecordFile(_of_spans(text, spans, problems), chosen, has_splits=True)
    if _is_lines(text):
        return RecordFile(_of_lines(text, problems), split)
    raise splits.refusal or UnusableFileError("no-data", names=tuple(splits.keys))


class _Splits:
    """The splits of a document; ``found`` is ``None`` if its first object has no ``data``."""

    def __init__(self, text: str) -> None:
        self.found: dict[str, Spans[int] | None] | None = None
        self.refusal: UnusableFileError | None = None
        self.keys: list[str] = []
        try:
            self._read(JsonScan(text))
        except UnusableFileError as error:
            if self.found is not None:
                raise
            self.refusal = error

    def _read(self, scan: JsonScan) -> None:
        for key in scan.members():
            if key == "data":
                self.found = {}
                self._read_data(scan, self.found)
            else:
                scan.value()
                self.keys = [*self.keys, key][:10]
        if self.found is not None:
            scan.end()

    def _read_data(self, scan: JsonScan, found: dict[str, Spans[int] | None]) -> None:
        if not scan.is_next("{"):
            raise UnusableFileError("data-not-an-object")
        for name in scan.members():
            if scan.is_next("["):
                found[name] = _spans(scan)
            else:
                scan.value()
                found[name] = None


def _choose(found: Iterable[str], split: str | None) -> str:
    present = tuple(found)
    if not present:
        raise UnusableFileError("no-splits")
    if split is None and DEFAULT_SPLIT not in present and len(present) == 1:
        return present[0]
    wanted = split or DEFAULT_SPLIT
    if wanted not in present:
        raise UnusableFileError("no-split", name=wanted, names=present)
    return wanted


def _spans(scan: JsonScan) -> Spans[int]:
    spans = array("q")
    for span in scan.elements():
        if len(spans) >= 2 * MAX_RECORDS:
            raise UnusableFileError("too-many-records", limit=MAX_RECORDS)
        spans.extend(span)
    return spans


def _of_spans(text: str, spans: Spans[int], problems: Problems) -> Iterator[Record]:
    line, before = 1, 0
    pairs = iter(spans)
    for number, (start, end) in enumerate(zip(pairs, pairs, strict=True), 1):
        line += text.count("\n", before, start)
        before = start
        record = _read(text, start, end, Place(number, line), problems)
        if record:
            yield record


def _of_lines(text: str, problems: Problems) -> Iterator[Record]:
    number = 0
    for line, written in enumerate(io.StringIO(text, newline="\n"), 1):
        if written.strip():
            number += 1
            if number > MAX_RECORDS:
                raise UnusableFileError("too-many-records", limit=MAX_RECORDS)
            record = _read(written, 0, len(written.rstrip()), Place(number, line), problems)
            if record:
                yield record


def _read(text: str, start: int, end: int, place: Place, problems: Problems) -> Record | None:
    if end - start > MAX_RECORD:
        problems.add("record-too-large", place, limit=MAX_RECORD)
        return None
    try:
        value = read_json(text[start:end])
    except JsonTextError as error:
        _report(error, place, problems)
        return None
    if isinstance(value, dict):
        return Record(value, place)
    problems.add("not-an-object", place)
    return None


def _report(error: JsonTextError, place: Place, problems: Problems) -> None:
    fields = dict(error.fields)
    if (line := fields.pop("line", None)) is not None and place.line is not None:
        place = replace(place, line=place.line + int(str(line)) - 1)
    fields.pop("column", None)
    path = str(fields.pop("path", ""))
    problems.add(error.code, replace(place, field=path), **fields)


def _is_lines(text: str) -> bool:
    """Whether one of the first two lines is a JSON object by itself, and a record by its keys."""
    lines = (line for line in io.StringIO(text, newline="\n") if line.strip())
    return any(_is_record(line) for line in islice(lines, 2))


def _is_record(line: str) -> bool:
    try:
        value = read_json(line) if len(line) <= MAX_RECORD else None
    except JsonTextError:
        return False
    return isinstance(value, dict) and not value.keys().isdisjoint({"outputs", "meta", "inputs"})
