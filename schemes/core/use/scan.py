"""Where the values of a JSON text begin and end, found without reading them.

A file of many records is read one record at a time: its memory is that of a record, and one that
is no JSON does not spoil the others. Time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from schemes.core.use.errors import UnusableFileError
from web.core.json_text import BRACKETS_OR_STRING

BLANKS: Final = re.compile(r"[ \t\r\n]*+")
_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
STRING: Final = re.compile(_STRING, re.DOTALL)
SHALLOW: Final = re.compile(
    rf'\{{(?:[^{{}}\[\]"]++|{_STRING}|\{{(?:[^{{}}\[\]"]++|{_STRING})*+\}})*+\}}', re.DOTALL
)
"""An object that holds at most objects of strings and numbers: nearly every record."""
SCALAR: Final = re.compile(r'[^\s,:\[\]{}"]++')


MAX_DEPTH: Final = 1000
"""Deeper values end the reading of the file; records of more than 64 levels only their own."""
MAX_KEYS: Final = 1000
"""So many keys an object has at most whose members are visited."""


class JsonScan:
    """A cursor in a JSON text. Raises ``UnusableFileError`` with line and column."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def members(self) -> Iterator[str]:
        """The keys of an object; whoever asks must pass the value before the next key."""
        self._pass("{")
        if self._next() == "}":
            self.at += 1
            return
        for _ in range(MAX_KEYS):
            key = self._key()
            self._pass(":")
            yield key
            if self._next() == "}":
                self.at += 1
                return
            self._pass(",")
        raise UnusableFileError("too-many-keys", limit=MAX_KEYS)

    def elements(self) -> Iterator[tuple[int, int]]:
        """Begin and end of each value of a list."""
        self._pass("[")
        if self._next() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self._next() == "]":
                self.at += 1
                return
            self._pass(",")

    def value(self) -> tuple[int, int]:
        """Pass one value; returns its begin and end."""
        sign = self._next()
        start = self.at
        if sign == "{" and (shallow := SHALLOW.match(self.text, start)):
            self.at = shallow.end()
        elif sign in ("{", "["):
            self.at = self._closed(start)
        else:
            found = (STRING if sign == '"' else SCALAR).match(self.text, start)
            if not found:
                raise self._refusal(start)
            self.at = found.end()
        return start, self.at

    def is_next(self, sign: str) -> bool:
        """Whether the next value or sign begins so."""
        return self._next() == sign

    def end(self) -> None:
        """Nothing but blanks may follow."""
        if self._next():
            raise self._refusal(self.at)

    def _closed(self, start: int) -> int:
        depth = 0
        for found in BRACKETS_OR_STRING.finditer(self.text, start):
            sign = found[0]
            if sign in ("{", "["):
                depth += 1
                if depth > MAX_DEPTH:
                    raise self._refusal(found.start(), "json-too-deep", limit=MAX_DEPTH)
            elif sign in ("}", "]"):
                depth -= 1
                if not depth:
                    return found.end()
        raise self._refusal(len(self.text))

    def _key(self) -> str:
        self._next()
        found = STRING.match(self.text, self.at)
        if not found:
            raise self._refusal(self.at)
        self.at = found.end()
        try:
            return str(json.loads(found[0]))
        except json.JSONDecodeError:
            raise self._refusal(found.start()) from None

    def _pass(self, sign: str) -> None:
        if self._next() != sign:
            raise self._refusal(self.at)
        self.at += 1

    def _next(self) -> str:
        found = BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def _refusal(self, at: int, code: str = "not-json", **fields: object) -> UnusableFileError:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return UnusableFileError(code, line=line, column=column, **fields)
