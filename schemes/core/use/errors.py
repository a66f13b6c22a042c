"""Everything the USE scheme refuses.

* SchemeError                base of what the schemes refuse
  + UseError                 base of this package: catch this at the edge
    + UnusableFileError      nothing of a file can be used: not JSON, no such split, too large
    + RecordError            one record cannot be used; the others are

A stable ``code`` names the sentence in ``messages.py`` and ``fields`` fill it.
"""

from __future__ import annotations

from schemes.core.errors import SchemeError


class UseError(SchemeError):
    pass


class UnusableFileError(UseError):
    pass


class RecordError(UseError):
    def __init__(self, code: str, at: str, **fields: object) -> None:
        self.at = at
        super().__init__(code, **fields)
