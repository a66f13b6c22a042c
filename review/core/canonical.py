"""Values as JSON that is the same for the same values, and the digest it is known by."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> str:
    """JSON in one line: keys by code point, no blanks, letters as they are, no NaN.

    Raises ``ValueError`` for a number that JSON does not have, ``TypeError`` for other values.
    """
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def digest_of(text: str) -> str:
    """SHA-256 of a text in UTF-8, in 64 hexadecimal digits: what ``sha256sum`` says of the file."""
    return sha256(text.encode()).hexdigest()
