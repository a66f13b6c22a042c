"""Which of the two languages whoever types a command reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """``ru`` when the first set variable of the usual four says so, else ``en``."""
    said = next((value for name in VARIABLES if (value := environment.get(name))), "")
    return "ru" if said.lower().startswith("ru") else "en"
