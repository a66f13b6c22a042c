"""JSON values of a stated shape: each is read, or refused with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from web.core.errors import JsonValueError

Choice = TypeVar("Choice", bound=StrEnum)


def object_with(found: Any, names: Iterable[str], path: str = "") -> Mapping[str, Any]:
    """An object that has these keys. Raises ``JsonValueError``, as all of these."""
    if not isinstance(found, Mapping):
        raise JsonValueError("not-an-object", path)
    for name in names:
        if name not in found:
            raise JsonValueError("key-missing", path, name=name)
    return found


def refuse_others(found: Mapping[str, Any], names: Iterable[str], path: str) -> None:
    """Refuse keys that are none of these: a misspelt one would be read as left out."""
    for name in found:
        if name not in names:
            raise JsonValueError("key-unknown", path, name=name)


def items(found: Any, path: str) -> list[Any]:
    """A list."""
    if not isinstance(found, list):
        raise JsonValueError("not-a-list", path)
    return found


def string(value: Any, path: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str):
        raise JsonValueError("not-a-string", path)
    if not value:
        raise JsonValueError("empty-string", path)
    return value


def one_of(choices: Iterable[Choice], value: Any, path: str) -> Choice:
    """One of these words."""
    known = {each.value: each for each in choices}
    if isinstance(value, str) and value in known:
        return known[value]
    raise JsonValueError("not-one-of", path, value=str(value), known=", ".join(known))


def is_number(value: Any, least: float, most: float) -> bool:
    """Whether a value is a finite number between these, ends included; no truth value is one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) and least <= value <= most
