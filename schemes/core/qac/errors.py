"""Everything the QAC scheme refuses.

* SchemeError                base of what the schemes refuse
  + QacError                 base of this package: catch this at the edge
    + UnusableFileError      nothing of a file can be used: no text, too large, no question
    + LineError              one line cannot be used; the others are
    + ExtractionError        this task does not have this extraction

A stable ``code`` names the sentence in ``messages.py`` and ``fields`` fill it.
"""

from __future__ import annotations

from schemes.core.errors import SchemeError


class QacError(SchemeError):
    pass


class UnusableFileError(QacError):
    pass


class LineError(QacError):
    def __init__(self, code: str, *, column: int | None = None, **fields: object) -> None:
        self.column = column
        super().__init__(code, **fields)


class ExtractionError(QacError):
    pass
