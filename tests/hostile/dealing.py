"""Which inputs a door gets: all of them in the long tier, a hand of them in the others.

Doors take their hands in turn, and each group of doors begins with another one: so every door
gets texts of every kind. What is meant for one door is not dealt, and every text goes into a
markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

HANDS = 12
Each = TypeVar("Each")


@dataclass
class Dealer:
    """Deals inputs out in ``hands``; ``turn`` tells which hand is next."""

    hands: int = 1
    turn: int = 0

    def deal(self, inputs: tuple[Each, ...]) -> tuple[Each, ...]:
        self.turn += 1
        return inputs[self.turn % self.hands :: self.hands]
