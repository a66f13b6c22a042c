"""A criteria sheet: points by criterion, their sums, and the highest that can be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from annotator.core.values import Subject

ENGLISH: Final = {"K1": 3, "K2": 3, "K3": 3, "K4": 3, "K5": 2}

MAXIMA: Final[Mapping[Subject, Mapping[str, int]]] = {
    Subject.RUSSIAN: {
        "K1": 1,
        "K2": 5,
        "K3": 1,
        "K4": 1,
        "K5": 2,
        "K6": 2,
        "K7": 3,
        "K8": 3,
        "K9": 2,
        "K10": 2,
        "K11": 1,
        "K12": 1,
    },
    Subject.RUSSIAN_FREE: {"K1": 4, "K2": 4, "K3": 4, "K4": 3, "K5": 3, "K6": 3, "K7": 3},
    Subject.LITERATURE: {"K1": 3, "K2": 3, "K3": 2, "K4": 3, "K5": 3},
    Subject.SOCIAL_SCIENCE: {"K1": 1, "K2": 2, "K3": 1, "K4": 2},
    Subject.HISTORY: {"K1": 2, "K2": 2, "K3": 2, "K4": 1, "K5": 1, "K6": 3, "K7": 1},
    Subject.ENGLISH: ENGLISH,
    Subject.ENGLISH_FREE: ENGLISH,
}
"""The highest points of each criterion, which also names the criteria of each subject."""

K_MAX: Final = {subject: sum(maxima.values()) for subject, maxima in MAXIMA.items()}
"""The highest total of each subject, the K_max of M1."""


@dataclass(frozen=True, slots=True)
class CriteriaSheet:
    """Points by criterion, ``{"K1": 3, ...}``: graded from a markup or stated by an expert."""

    points: Mapping[str, int]

    @property
    def total(self) -> int:
        """K, the sum of all criteria given."""
        return sum(self.points.values())

    @property
    def nomination(self) -> int | None:
        """K = K3 + K4 of an English essay (Appendix 3, 3); ``None`` when one is not given."""
        k3, k4 = self.points.get("K3"), self.points.get("K4")
        return None if k3 is None or k4 is None else k3 + k4
