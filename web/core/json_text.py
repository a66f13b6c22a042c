"""Bytes -> JSON values this project accepts: bounded depth, sound text, finite numbers.

What Python's own reader lets through and a database or a browser does not (a lone surrogate, a
NUL, nesting without end, NaN, numbers of thousands of digits) is refused here, with the place.

Nearly all that comes is sound and plain. What can be seen to be so is read without looking at each
sign, by orjson where that is installed; all else is read with care, and only there errors arise.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from web.core.errors import JsonTextError
from web.core.lines import Lines
from web.core.packed import why_not_utf8
from web.core.sound import SURROGATE

MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 300

BRACKETS_OR_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
"""A string, be it never closed, or a bracket; possessive, so that nothing is read twice."""
NUMBER_OR_STRING: Final = re.compile(
    BRACKETS_OR_STRING.pattern + r"|-?(?:NaN|Infinity|[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)",
    re.DOTALL,
)
"""As above, or a number as Python's reader takes one."""
PLAIN: Final = frozenset({str, int, bool, type(None), dict, list})
"""Types of values that need no second look; numbers with a point do."""
NESTING: Final = frozenset({dict, list})
SUSPECT: Final = (b"\\u0000", b"\\ud", b"\\uD", b"\\u003")
"""Escapes of a NUL, of half a pair, of a colon, and some others."""
COLON: Final = re.compile(r"\s*:")
"""What follows a key."""


class _RepeatedKeyError(Exception):
    """A key that stands twice in an object; where, only the text tells."""


class _BadNumberError(Exception):
    """A number as it is written; where it stands only the text tells."""


def read_json(
    data: bytes | str, *, max_depth: int = MAX_DEPTH, unique_keys: bool = False
) -> object:
    """Read one JSON document. Raises ``JsonTextError``; never anything else.

    ``data``: UTF-8 bytes, with or without a byte order mark, or text. ``unique_keys``: of a key
    that stands twice in an object the former value is not dropped, but the document refused.
    """
    if isinstance(data, bytes) and (plain := _read_plain(data, max_depth)) is not None:
        return plain
    text = _decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    _refuse_depth(text, max_depth)
    try:
        value = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_int=_int,
            parse_float=_float,
            object_pairs_hook=_unique if unique_keys else None,
        )
    except json.JSONDecodeError as error:
        raise JsonTextError("not-json", line=error.lineno, column=error.colno) from None
    except _RepeatedKeyError:
        raise _repeated_key(text) from None
    except _BadNumberError as number:
        raise _bad_number(text, str(number)) from None
    if "\\u" in text or SURROGATE.search(text):  # nothing else brings unsound text in
        _refuse_unsound_text(value)
    return value


def _read_plain(data: bytes, max_depth: int) -> object | None:
    """The value of a plain document, ``None`` when it is not plain for certain.

    A key that stands twice leaves fewer keys than there are colons outside of strings.
    """
    if b"\\" in data and any(each in data for each in SUSPECT):
        return None
    try:
        value = fast_loads(data.decode("utf-8"))
    except (ValueError, RecursionError, _BadNumberError):
        return None
    keys, levels = _plain_levels(value, max_depth)
    colons = data.count(b":")
    if colons > keys:
        colons -= sum([each.count(":") for level in levels for each in level if type(each) is str])
    return value if levels and colons == keys else None


def _plain_levels(value: object, max_depth: int) -> tuple[int, list[list[Any]]]:
    """How many keys there are, and all values by their depth; none unless all are plain."""
    keys, levels = 0, [[value]]
    while not NESTING.isdisjoint(types := {*map(type, levels[-1])}):
        if len(levels) > max_depth or not types <= PLAIN:
            return 0, []
        inner: list[Any] = []
        for each in levels[-1]:
            if type(each) is dict:
                keys += len(each)
                inner += each.values()
            elif type(each) is list:
                inner += each
        levels.append(inner)
    return (keys, levels) if types <= PLAIN else (0, [])


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mark = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
        found = why_not_utf8(data, mark + error.start)
        raise JsonTextError(found.code, **{"byte": 0, **found.fields}) from None


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


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _RepeatedKeyError
    return found


def _repeated_key(text: str) -> JsonTextError:
    """The error with its place: the first key that its object has had already."""
    objects: list[set[str]] = []
    for found in BRACKETS_OR_STRING.finditer(text):
        sign = found[0]
        if sign in ("[", "{"):
            objects.append(set())
        elif sign in ("]", "}"):
            objects.pop()
        elif COLON.match(text, found.end()):
            key = json.loads(sign)
            if key in objects[-1]:
                break
            objects[-1].add(key)
    line, column = Lines(text).place(found.start())
    return JsonTextError("json-repeated-key", name=key[:60], line=line, column=column)


def _refuse_constant(name: str) -> object:
    raise _BadNumberError(name)


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _BadNumberError(digits)
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits) if len(digits) <= MAX_DIGITS else float("inf")
    if value in (float("inf"), float("-inf")):
        raise _BadNumberError(digits)
    return value


def _python_loads(text: str) -> Any:
    return json.loads(text, parse_int=_int)


fast_loads: Callable[[str], Any] = _python_loads
with suppress(ImportError):
    import orjson

    fast_loads = orjson.loads


def _bad_number(text: str, number: str) -> JsonTextError:
    """The error with its place: the reader stopped at the first such number outside strings."""
    found = (each.start() for each in NUMBER_OR_STRING.finditer(text) if each[0] == number)
    line, column = Lines(text).place(next(found))
    shown = number if len(number) <= 20 else number[:20] + "…"
    return JsonTextError("json-bad-number", value=shown, line=line, column=column)


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
