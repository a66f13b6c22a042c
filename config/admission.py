"""What the server asks of the pages before it reads a body; knows neither of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ANONYMOUS: Final = 64 * 1024
"""Bytes everybody may send everywhere; nobody is asked about them."""
ADMISSION: Final = "razbor.admission"
"""The key of the WSGI environment under which the question stands."""


@dataclass(slots=True)
class Admission:
    """May this body come in, and how long may it be? ``None``: it may not."""

    limit: int | None = None
