"""Counts, shares and spans of a session's case: each read exactly, or refused with its place."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from contest.core.errors import SessionCaseError
from web.core.json_values import is_number

DECIMALS: Final = 12
"""So fine may a time be."""
LARGEST: Final = 10**12
"""Seconds: no time is further from its zero."""


def count(value: Any, path: str) -> int:
    """A whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SessionCaseError("not-a-count", path, least=1)
    return value


def share(value: Any, path: str) -> Fraction:
    """A share from 0 to 1, exactly as it is written."""
    if not is_number(value, 0, 1):
        raise SessionCaseError("not-a-share", path)
    return Fraction(Decimal(repr(value)))


def seconds(value: Any, path: str) -> Decimal:
    """Seconds, exactly as they are written."""
    if not is_number(value, -LARGEST, LARGEST):
        raise SessionCaseError("not-a-moment", path, most=DECIMALS)
    exact = Decimal(repr(value))
    if decimals_of(exact) > DECIMALS:
        raise SessionCaseError("not-a-moment", path, most=DECIMALS)
    return exact


def decimals_of(exact: Decimal) -> int:
    """How many decimals a number has."""
    exponent = exact.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
