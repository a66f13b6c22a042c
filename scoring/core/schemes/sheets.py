"""Cells of a CSV that no spreadsheet computes."""

from __future__ import annotations

import re
from typing import Final

NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
FORMULA: Final = re.compile(r"'*[=+\-@\t\r\0＝＋－＠]")
"""What a spreadsheet may take for a formula, with the quotes that stand before it by now."""


def guarded(cell: str) -> str:
    """A quote before what looks like a formula; a number stays one, so that "-5" is not changed.

    Nothing is lost: a cell that begins with a quote and looks like a formula had one quote less.
    """
    return f"'{cell}" if FORMULA.match(cell) and not NUMBER.fullmatch(cell) else cell
