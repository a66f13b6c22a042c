"""A table of answers (CSV) -> answers with their blanks, and whatever cannot be read, by line.

The first line names the columns: ``text``, or ``text`` and ``score`` in any order, separated by
commas, semicolons or tabs. Source: schemes.md 2.3, 21 to 23 and 2.4. One bad row costs that row;
only what makes the rows after it doubtful costs the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final

from schemes.core.collecting import delimiter_of
from schemes.core.coscore.problems import Problem, shown
from schemes.core.coscore.values import Number

SEPARATOR: Final = "-"
"""Between the blanks of an answer, unless somebody chose another."""
TEXT: Final = "text"
LABEL: Final = "score"
LABELLED: Final = re.compile(r"[0-9]{1,2}(\.[0-9]{0,20})?")


@dataclass(frozen=True, slots=True)
class Row:
    """An answer of the table.

    ``line``: where it begins, counted from 1. ``label``: the score somebody gave it, from 0 to 10.
    A row with a blocking problem has no blanks and cannot be scored.
    """

    line: int
    text: str
    blanks: tuple[str, ...]
    label: Number | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a table; none when a problem blocks."""

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    separator: str

    @property
    def refused(self) -> bool:
        """Is the whole table unusable?"""
        return any(problem.blocks for problem in self.problems)


def read_answers(table: str, *, separator: str = SEPARATOR) -> Sheet:
    """Read a table. An empty ``separator`` leaves every text one blank."""
    problems: list[Problem] = []
    records = _records(table.removeprefix("\ufeff"), problems)
    heading = next(records, None)
    names = [name.strip().lower() for name in heading.cells] if heading else []
    problems += _of_heading(names)
    rows: list[Row] = []
    if not any(problem.blocks for problem in problems):
        rows = [_row(record, names, separator) for record in records]
    refused = any(problem.blocks for problem in problems)
    return Sheet(() if refused else tuple(rows), tuple(problems), separator)


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    cells: Sequence[str]
    readable: bool = True


def _records(table: str, problems: list[Problem]) -> Iterator[_Record]:
    """The records of the table. Empty lines are noted, unless nothing follows them."""
    reader = csv.reader(StringIO(table, newline=""), delimiter=delimiter_of(table), strict=True)
    empty: list[int] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            if reader.line_num > line:  # a quote swallowed lines that may have been answers
                problems.append(Problem("quote-not-closed", line=line))
                return
            yield _Record(line, (), readable=False)
            continue
        if not cells:
            empty.append(line)
            continue
        problems += [Problem("line-is-empty", line=each, blocks=False) for each in empty]
        empty.clear()
        yield _Record(line, cells)


def _of_heading(names: Sequence[str]) -> Iterator[Problem]:
    if TEXT not in names:
        yield Problem("no-text-column", line=1)
    for name in (TEXT, LABEL):
        if names.count(name) > 1:
            yield Problem("column-twice", line=1, fields={"name": name})
    others = [name for name in names if name not in (TEXT, LABEL)]
    if others:
        fields = {"name": shown(", ".join(others))}
        yield Problem("columns-ignored", line=1, blocks=False, fields=fields)


def _row(record: _Record, names: Sequence[str], separator: str) -> Row:
    problem = _unreadable(record, names)
    if problem:
        return Row(record.line, ",".join(record.cells), (), problems=(problem,))
    text = record.cells[names.index(TEXT)]
    blanks = tuple(text.split(separator)) if separator else (text,)
    given = record.cells[names.index(LABEL)].strip() if LABEL in names else ""
    label = _label(given)
    if given and label is None:
        problem = Problem("label-not-a-score", blocks=False, fields={"value": shown(given)})
        return Row(record.line, text, blanks, problems=(problem,))
    return Row(record.line, text, blanks, label)


def _unreadable(record: _Record, names: Sequence[str]) -> Problem | None:
    if not record.readable:
        return Problem("bad-cells")
    if len(record.cells) != len(names):
        fields = {"count": len(record.cells), "expected": len(names)}
        return Problem("cell-count", fields=fields)
    return Problem("answer-has-nul") if any("\0" in cell for cell in record.cells) else None


def _label(given: str) -> Number | None:
    if not LABELLED.fullmatch(given):
        return None
    label = float(given) if "." in given else int(given)
    return label if label <= 10 else None
