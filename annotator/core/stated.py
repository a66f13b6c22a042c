"""Points as an expert states them (Appendix 3, 1.5 and 2): 3, a half as 3.5, or several at once.

Real files hold all three. They are kept and shown as they came, and never used instead of the
computed ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

Points = int | float
Stated = Points | tuple[Points, ...]
"""What is stated of one criterion; several values where the expert left the choice open."""

NUMBER: Final = re.compile(r"-?[0-9]{1,10}(?:[.,][0-9]{1,4})?")
BETWEEN: Final = re.compile(r";|,\s")
"""Several points are written «2; 3» or «2, 3»; a comma between digits is a decimal sign."""
BIGGEST: Final = 2**31 - 1


def read_points(written: str) -> Stated | None:
    """Points from words such as ``3``, ``3.5``, ``3,5``, ``2; 3``, ``[2, 3]``.

    ``None`` for what are no points.
    """
    bare = written.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    values = [_number(part.strip()) for part in BETWEEN.split(bare)]
    known = [value for value in values if value is not None]
    return together(known) if len(known) == len(values) else None


def points_of(value: object) -> Points | None:
    """Points from a number of JSON; ``None`` for what are no points."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or abs(value) > BIGGEST:  # type: ignore[arg-type]
        return None
    return _number(str(value))


def together(values: Sequence[Points]) -> Stated:
    """Several points as one value; one alone stands for itself."""
    return values[0] if len(values) == 1 else tuple(values)


def each_of(stated: Stated) -> tuple[Points, ...]:
    """The points as a tuple, be it of one."""
    return stated if isinstance(stated, tuple) else (stated,)


def write_points(stated: Stated) -> str:
    """Points in words that ``read_points`` reads back: ``3``, ``3.5``, ``2; 3``."""
    return "; ".join(map(str, each_of(stated)))


def frozen(kept: Mapping[str, Any]) -> dict[str, Stated]:
    """Stated points as a JSON column gives them back: its lists become tuples."""
    return {
        name: tuple(points) if isinstance(points, list) else points for name, points in kept.items()
    }


def _number(written: str) -> Points | None:
    if NUMBER.fullmatch(written) is None:
        return None
    value = float(written.replace(",", "."))
    if abs(value) > BIGGEST:
        return None
    return int(value) if value.is_integer() else value
