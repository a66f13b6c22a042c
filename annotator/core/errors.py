"""Everything the markup core refuses.

* MarkupError                base: catch this at the edge, never a bare Exception
  + SpanError                a span is empty, reversed or outside its text
  + CannotWriteError         the bracket language has no way to write this markup
  + JsonTextError            bytes that are not the JSON this project accepts

A core error carries a stable ``code`` and the ``fields`` of its sentence; the words live in
``messages.py`` and are translated at the edge. What can be read in part is not refused but
reported: see ``problems.Problem``.
"""

from __future__ import annotations

from collections.abc import Mapping


class MarkupError(Exception):
    """Base of the package: ``code`` names the sentence, ``fields`` fill it."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields: Mapping[str, object] = fields
        super().__init__(f"{code} {dict(fields)}")


class SpanError(MarkupError):
    pass


class CannotWriteError(MarkupError):
    pass


class JsonTextError(MarkupError):
    pass
