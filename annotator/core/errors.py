"""Everything the markup core refuses.

* MarkupError                base: catch this at the edge, never a bare Exception
  + SpanError                a span is empty, reversed or outside its text
  + CannotWriteError         the bracket language has no way to write this markup

What can be read in part is not refused but reported: see ``problems.Problem``.
"""

from __future__ import annotations

from web.core.errors import CoreError


class MarkupError(CoreError):
    pass


class SpanError(MarkupError):
    pass


class CannotWriteError(MarkupError):
    pass
