"""Which items of a key are public: drawn once by a seed, the same for every upload.

Each name is drawn by itself, so that both parts of a short key may be empty by most seeds: the seed
of a new key is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import fsum
from typing import Final

SCALE: Final = 2**64


@dataclass(frozen=True, slots=True)
class Parts:
    """Means over the items of each part, from 0 to 1, and how many items have a value."""

    public: float | None
    final: float | None
    public_items: int
    final_items: int


def is_public(name: str, *, seed: int, share: float) -> bool:
    """Whether an item is of the public part: a share from 0 to 1 of all names.

    Each name is drawn by itself, so that no upload moves another item from part to part.
    """
    drawn = int.from_bytes(sha256(f"{seed}:{name}".encode()).digest()[:8], "big")
    return drawn < share * SCALE


def seed_of_both_parts(names: Iterable[str], *, share: float, seeds: Iterable[int]) -> int | None:
    """The first of these seeds by which neither part of the items is empty; ``None``: no one."""
    known = frozenset(names)
    for seed in seeds:
        drawn = [is_public(name, seed=seed, share=share) for name in known]
        if any(drawn) and not all(drawn):
            return seed
    return None


def parts_of(
    items: Iterable[tuple[str, float | None, float | None]], *, seed: int, share: float
) -> Parts:
    """Name, points and maximum of each item -> means of points as a share of their maximum.

    An item without points or without a maximum says nothing and is left out; ``None`` where a
    part has no others.
    """
    public: list[float] = []
    final: list[float] = []
    for name, points, maximum in items:
        if points is not None and maximum:
            part = public if is_public(name, seed=seed, share=share) else final
            part.append(points / maximum)
    return Parts(_mean(public), _mean(final), len(public), len(final))


def _mean(values: list[float]) -> float | None:
    return fsum(values) / len(values) if values else None
