"""CSV -> records: a header of id,variant,id_task,type,outputs in any order, one answer a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from schemes.core.collecting import delimiter_of
from schemes.core.use.errors import UnusableFileError
from schemes.core.use.problems import Place, Problems
from schemes.core.use.record import MAX_RECORDS, Record, RecordFile
from web.core.sound import SURROGATE

META: Final = ("id", "variant", "id_task", "type", "score")


def from_csv(
    text: str, problems: Problems, split: str | None, columns: Sequence[str]
) -> RecordFile:
    """Read a table separated by commas, semicolons or tabs. ``columns``: those it must have.

    Raises ``UnusableFileError`` if a column is missing.
    """
    table = _Table(text)
    missing = tuple(name for name in columns if name not in table.header)
    if missing:
        raise UnusableFileError("no-columns", names=missing)
    return RecordFile(table.records(problems), split, typed=False)


class _Table:
    def __init__(self, text: str) -> None:
        body = text.lstrip("\r\n ")
        self._skipped = text[: len(text) - len(body)].count("\n")
        self._rows = csv.reader(
            io.StringIO(body, newline=""), delimiter=delimiter_of(body), strict=True
        )
        try:
            self.header = [name.strip().lower() for name in next(self._rows, [])]
        except csv.Error:
            raise UnusableFileError("not-a-table", line=self._skipped + 1) from None

    def records(self, problems: Problems) -> Iterator[Record]:
        for number, (line, row) in enumerate(self._filled_rows(), 1):
            if number > MAX_RECORDS:
                raise UnusableFileError("too-many-records", limit=MAX_RECORDS)
            record = self._record(row, Place(number, line), problems)
            if record:
                yield record

    def _filled_rows(self) -> Iterator[tuple[int, list[str] | None]]:
        """Each row that is not empty, with its first line; ``None`` for a broken one."""
        while True:
            line = self._skipped + self._rows.line_num + 1
            try:
                row = next(self._rows)
            except StopIteration:
                return
            except csv.Error:
                yield line, None
                continue
            if row:
                yield line, row

    def _record(self, row: list[str] | None, place: Place, problems: Problems) -> Record | None:
        if row is None:
            problems.add("row-broken", place)
            return None
        if len(row) != len(self.header):
            problems.add("row-length", place, expected=len(self.header), got=len(row))
            return None
        if any("\0" in cell or SURROGATE.search(cell) for cell in row):
            problems.add("row-unsound", place)
            return None
        cells = dict(zip(self.header, row, strict=True))
        meta = {name: cells[name].strip() for name in META if name in cells}
        return Record({"outputs": cells["outputs"], "meta": meta}, place)
