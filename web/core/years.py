"""Of which years the days are that people name."""

from __future__ import annotations

from typing import Final

YEARS: Final = range(2000, 2200)
"""What is reckoned from the first or the last day of the calendar has no date."""
