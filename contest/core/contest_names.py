"""Words that contests are described by, wherever they are read: rows, files, pages."""

from __future__ import annotations

from enum import StrEnum


class Scheme(StrEnum):
    """The other scoring systems a contest may go by (docs/schemes)."""

    USE = "use"
    COSCORE = "coscore"
    SPACE2022 = "space2022"
    QAC = "qac"
