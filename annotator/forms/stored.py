"""Words of a form as they are stored."""

from __future__ import annotations

from typing import Any

from web.forms import refuse_surrogates


def as_stored(values: dict[str, Any]) -> dict[str, Any]:
    """What was typed, with line ends of one character. Raises ``ValidationError``."""
    refuse_surrogates(each for each in values.values() if isinstance(each, str))
    return {
        name: each.replace("\r\n", "\n") if isinstance(each, str) else each
        for name, each in values.items()
    }
