"""Everything the SpaCE2022 scheme refuses.

* SchemeError                base of what the schemes refuse
  + Space2022Error           base of this package: catch this at the edge
    + UnusableFileError      nothing of a file can be used: not UTF-8, empty, a broken list
    + RecordError            one record cannot be used; the others are

A stable ``code`` names the sentence in ``messages.py`` and ``fields`` fill it.
"""

from __future__ import annotations

from schemes.core.errors import SchemeError


class Space2022Error(SchemeError):
    pass


class UnusableFileError(Space2022Error):
    pass


class RecordError(Space2022Error):
    def __init__(self, code: str, at: str, **fields: object) -> None:
        self.at = at
        super().__init__(code, **fields)

    def within(self, outer: str) -> RecordError:
        return RecordError(self.code, f"{outer}.{self.at}" if self.at else outer, **self.fields)
