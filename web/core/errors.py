"""What every core refuses with.

* CoreError                  a stable ``code`` names the sentence, ``fields`` fill it
  + JsonTextError            bytes that are not the JSON this project accepts
  + JsonValueError           a JSON value of another shape, with its ``path``

Each package has its own base below ``CoreError``; the words live in its ``messages.py`` and are
translated at the edge.
"""

from __future__ import annotations

from collections.abc import Mapping


class CoreError(Exception):
    """Base of the errors of all cores: ``code`` names the sentence, ``fields`` fill it."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields: Mapping[str, object] = fields
        super().__init__(f"{code} {dict(fields)}")


class JsonTextError(CoreError):
    pass


class JsonValueError(CoreError):
    """A value of another shape than is expected at ``path``."""

    def __init__(self, code: str, path: str = "", **fields: object) -> None:
        super().__init__(code, **fields)
        self.path = path
