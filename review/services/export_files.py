"""Files that are written out, a batch at a time: what is in memory does not grow with a set."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.translation import gettext as _

from accounts.models import User
from annotator.access import markups_seen_by
from annotator.core import language
from annotator.core.codec import file_to_json
from annotator.core.errors import CannotWriteError
from annotator.core.messages import describe_error
from annotator.models import EssaySet, MarkupRecord
from review.services.export_tables import BATCH, Row, Table
from web.core.batches import batched
from web.core.sheets import Dialect, as_csv, guarded

LONGEST: Final = 32_767
"""Signs a cell of a workbook holds."""
IN_ROWS: Final = {"constant_memory": True, "default_date_format": "yyyy-mm-dd hh:mm:ss"}
HEADING: Final = {"bold": True, "text_wrap": True, "valign": "top"}
HEADING_AT_MOST: Final = 18
CELL_AT_MOST: Final = 48
"""Signs of a heading in one line, and of a cell, that a column of a workbook is wide at most."""
UNFIT: Final = re.compile(r"[^\w.-]+")
"""What no file system is to read as anything but a name."""

Tell = Callable[[int], None]
"""Called with how many rows or essays are written so far."""


def write_csv(table: Table, path: Path, dialect: Dialect, tell: Tell) -> None:
    """A table as CSV with a byte order mark, by which Excel knows the encoding."""
    done = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.writelines(as_csv([table.head], dialect))
        for rows in table.batches:
            file.writelines(as_csv(rows, dialect))
            done += len(rows)
            tell(done)


def write_workbook(table: Table, path: Path, tell: Tell) -> None:
    """A table as a workbook of one sheet, row by row; a text is a text, whatever it looks like."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - every process starts later for it

    with Workbook(str(path), {**IN_ROWS, "tmpdir": str(path.parent)}) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 1)
        _write_row(sheet, 0, table.head, book.add_format(HEADING))
        widths = [min(len(str(each)), HEADING_AT_MOST) for each in table.head]
        done = 0
        for rows in table.batches:
            for row in rows:
                done += 1
                _write_row(sheet, done, row)
                widths = [max(pair) for pair in zip(widths, map(_signs, row), strict=True)]
            tell(done)
        sheet.autofilter(0, 0, done, len(widths) - 1)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, min(width, CELL_AT_MOST) + 2)


def _write_row(sheet: Any, number: int, row: Row, form: Any = None) -> None:
    for column, value in enumerate(row):
        if isinstance(value, int | float):
            sheet.write_number(number, column, value, form)
        elif isinstance(value, datetime):
            sheet.write_datetime(number, column, value, form)
        elif value is not None:
            sheet.write_string(number, column, guarded(str(value))[:LONGEST], form)


def _signs(value: object) -> int:
    """How many signs of a cell are to be in sight; of a fraction its first decimals."""
    return len("100.00" if isinstance(value, float) else str("" if value is None else value))


def write_markups(essay_set: EssaySet, owner: User, path: Path, tell: Tell) -> None:
    """All markups a person sees of a set: JSON, bracket text where it can be written, a manifest.

    ``manifest.json`` names every file, and why a text is missing.
    """
    manifest = []
    taken: set[str] = set()
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for records in _markups(essay_set, owner, tell):
            manifest += [_put(archive, record, _name(record, taken)) for record in records]
        head = {"essay_set": essay_set.name, "rules": str(essay_set.rules), "markups": manifest}
        archive.writestr("manifest.json", json.dumps(head, ensure_ascii=False, indent=1))


def write_training(essay_set: EssaySet, owner: User, path: Path, tell: Tell) -> None:
    """The experts' markups of a set as a participant sees them, of the latest versions of essays:
    a marked file a line.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for records in _markups(essay_set, owner, tell):
            for record in records:
                is_latest = record.essay.closed_at is None
                if is_latest and record.source == MarkupRecord.Source.EXPERT:
                    line = json.dumps(file_to_json(record.to_file()), ensure_ascii=False)
                    file.write(line + "\n")


def _markups(essay_set: EssaySet, owner: User, tell: Tell) -> Iterator[list[MarkupRecord]]:
    """Submitted markups that a person sees, those of some essays at once."""
    essays = essay_set.essays.order_by("number", "pk").values_list("pk", flat=True)
    done = 0
    for numbers in batched(essays, BATCH):
        seen = markups_seen_by(owner).filter(essay__in=numbers, state=MarkupRecord.State.SUBMITTED)
        yield list(seen.prefetch_related("fragments").order_by("essay__number", "pk"))
        done += len(numbers)
        tell(done)


def _put(archive: ZipFile, record: MarkupRecord, name: str) -> dict[str, object]:
    """Put a markup into the archive; what the manifest says of it."""
    file = record.to_file()
    content = json.dumps(file_to_json(file), ensure_ascii=False, indent=1)
    archive.writestr(f"{name}.json", content)
    line = {
        "essay": record.essay.number,
        "author": record.author.username,
        "source": record.source,
        "third": record.third,
        "json": f"{name}.json",
        "txt": None,
        "no_txt_because": None,
    }
    try:
        text = language.render(language.tidy(file).file)
    except CannotWriteError as error:
        return line | {"no_txt_because": describe_error(error, _)}
    archive.writestr(f"{name}.txt", text)
    return line | {"txt": f"{name}.txt"}


def _name(record: MarkupRecord, taken: set[str]) -> str:
    """``experts/0050051_exp106``, as an import reads it; a name that is ``taken`` already (by an
    earlier version of the essay, say) is told apart by the number of the row.
    """
    folder = "experts" if record.source == MarkupRecord.Source.EXPERT else "algorithms"
    words = f"{record.essay.number}_{record.author.username}"
    name = f"{folder}/{UNFIT.sub('-', words).lstrip('.')}"
    if name.casefold() in taken:
        name = f"{name}_{record.pk}"
    taken.add(name.casefold())
    return name
