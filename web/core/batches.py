"""Rows by so many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Value = TypeVar("Value")


def batched(values: Iterable[Value], size: int) -> Iterator[list[Value]]:
    """Lists of ``size`` values, the last one perhaps shorter; none is empty."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch
