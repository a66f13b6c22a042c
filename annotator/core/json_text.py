"""Bytes -> JSON values this project accepts: bounded depth, sound text, finite numbers.

What Python's own reader lets through and a database or a browser does not (a lone surrogate, a
NUL, nesting without end, NaN, numbers of thousands of digits) is refused here, with the place.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from typing import Final

from annotator.core.errors import JsonTextError
from annotator.core.problems import Lines

MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 300

BRACKETS_OR_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
"""A string, be it never closed, or a bracket; possessive, so that nothing is read twice."""
SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_json(data: bytes | str, *, max_depth: int = MAX_DEPTH) -> object:
    """Read one JSON document. Raises ``JsonTextError``; never anything else.

    ``data``: UTF-8 bytes, with or without a byte order mark, or text.
    """
    text = _decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    _refuse_depth(text, max_depth)
    try:
        value = json.loads(
            text, parse_constant=_refuse_constant, parse_int=_int, parse_float=_float
        )
    except json.JSONDecodeError as error:
        raise JsonTextError("not-json", line=error.lineno, column=error.colno) from None
    _refuse_unsound_text(value)
    return value


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mark = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
        raise JsonTextError("not-utf8", byte=mark + error.start) from None


def _refuse_depth(text: str, limit: int) -> None:
    """Count brackets outside strings, before the recursive reader meets them."""
    if text.count("[") + text.count("{") <= limit:
        return
    depth = 0
    for found in BRACKETS_OR_STRING.finditer(text):
        sign = found[0]
        if sign in ("[", "{"):
            depth += 1
            if depth > limit:
                line, column = Lines(text).place(found.start())
                raise JsonTextError("json-too-deep", limit=limit, line=line, column=column)
        elif sign in ("]", "}"):
            depth -= 1


def _refuse_constant(name: str) -> object:
    raise JsonTextError("json-bad-number", value=name)


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonTextError("json-bad-number", value=digits[:20] + "…")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits) if len(digits) <= MAX_DIGITS else float("inf")
    if value in (float("inf"), float("-inf")):
        raise JsonTextError("json-bad-number", value=digits[:20] + "…")
    return value


Way = tuple["Way", str] | None
"""How to come to a value: the way to what holds it, and the last step; ``None`` at the root."""


def _refuse_unsound_text(value: object) -> None:
    """No NUL and no half of a surrogate pair, in keys and in strings."""
    waiting: list[tuple[Way, object]] = [(None, value)]
    while waiting:
        way, item = waiting.pop()
        if isinstance(item, str):
            _refuse_unsound_string(way, item)
        elif isinstance(item, list):
            waiting += [((way, f"[{index}]"), each) for index, each in enumerate(item)]
        elif isinstance(item, dict):
            for key, each in item.items():
                _refuse_unsound_string(way, key)
                waiting.append(((way, f".{key}"), each))


def _refuse_unsound_string(way: Way, text: str) -> None:
    if "\0" in text:
        raise JsonTextError("text-has-nul", path=_path(way))
    if SURROGATE.search(text):
        raise JsonTextError("text-has-surrogate", path=_path(way))


def _path(way: Way) -> str:
    steps: list[str] = []
    while way:
        way, step = way
        steps.append(step)
    return "".join(reversed(steps)).lstrip(".")
