"""Tables as CSV whose cells no spreadsheet computes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
FORMULA: Final = re.compile(r"'*[=+\-@\t\r\0＝＋－＠]")
"""What a spreadsheet may take for a formula, with the quotes that stand before it by now."""


def guarded(cell: str) -> str:
    """A quote before what looks like a formula; a number stays one, so that "-5" is not changed.

    Nothing is lost: a cell that begins with a quote and looks like a formula had one quote less.
    """
    return f"'{cell}" if FORMULA.match(cell) and not NUMBER.fullmatch(cell) else cell


def unguarded(cell: str) -> str:
    """What ``guarded`` made the cell of."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


class _Line:
    """A file that gives back the line it was just given."""

    def write(self, line: str) -> str:
        return line


@dataclass(frozen=True, slots=True)
class Dialect:
    """What stands between two cells, and what before the decimals of a number."""

    separator: str = ","
    decimal: str = "."


COMMAS: Final = Dialect()
RUSSIAN_EXCEL: Final = Dialect(";", ",")
"""What Excel reads where the decimals follow a comma."""


def as_csv(rows: Iterable[Sequence[object]], dialect: Dialect = COMMAS) -> Iterator[str]:
    """The lines of a table with their ends, RFC 4180; every text in it guarded."""
    lines = csv.writer(_Line(), delimiter=dialect.separator, lineterminator="\r\n")
    for row in rows:
        yield lines.writerow([_cell(each, dialect) for each in row])


def _cell(value: object, dialect: Dialect) -> object:
    if isinstance(value, str):
        return guarded(value)
    return str(value).replace(".", dialect.decimal) if isinstance(value, float) else value
