"""Where markups of an algorithm come from, as their rows, programs and addresses name it."""

from __future__ import annotations

from typing import Final

OF_SESSION: Final = "session-"
"""What the origin of a session's markups begins with; its number follows."""


def session_number(origin: str) -> int | None:
    """The number of the session that markups of this origin come from, if they come from one."""
    number = origin.removeprefix(OF_SESSION)
    return int(number) if number != origin and number.isdecimal() else None
