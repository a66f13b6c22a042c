"""Faults of a marked file, as the header and the scanner note them down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Fault = tuple[int, str, Mapping[str, object]]
"""Offset in the marked file, code of the problem, fields of its sentence."""

MANY: Final = 1000
"""Faults beyond this number are counted, not listed."""

NUMBERS: Final = {
    "unknown-field": 1,
    "bad-field-value": 1,
    "unknown-code": 2,
    "separator-forgotten": 2,
    "no-code": 3,
    "not-closed": 4,
    "nothing-to-close": 5,
    "other-bracket": 6,
    "no-correction": 7,
    "text-differs": 8,
}
"""Code of a problem -> number of the error in Appendix 3, 1.6."""
