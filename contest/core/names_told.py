"""Which essays are still to come in a session by the clock is told to nobody."""

from __future__ import annotations


def name_told(name: str, number: int, opens_at: int | None, now: int) -> str:
    """The name of the file of this number in its session; before it opens by the clock ``#number``.

    ``opens_at``, ``now``: moments of one clock; ``None``: it opens when it is asked for.
    """
    return number_told(number) if opens_at is not None and opens_at > now else name


def number_told(number: int) -> str:
    """What a file is called that is still to open."""
    return f"#{number}"
