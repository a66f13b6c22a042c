"""What is said to everybody is said in both languages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Both:
    """A text in Russian and the same in English."""

    ru: str
    en: str
