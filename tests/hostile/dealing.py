"""Which inputs a door gets: all of them in the long tier, a hand of them in the others, a small
one in the fast tier.

Doors take their hands in turn, and each group of doors begins with another one: so every door
gets texts of every kind. What is meant for one door is not dealt; every text and every body goes
into a markup and every file into an import, in the fast tier some of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, TypeVar

FEW_HANDS: Final = 12
HANDS: Final = {"fast": 96, "long": 1}.get(os.environ.get("RAZBOR_TEST_TIER", ""), FEW_HANDS)
MORE_HANDS: Final = HANDS if HANDS == 1 else max(HANDS, 4 * FEW_HANDS)
"""For a world a group of doors: a larger hand goes to both databases (test_databases.py)."""
HANDS_OF_BOTH: Final = HANDS if HANDS == 1 else max(HANDS, 3 * FEW_HANDS)
Each = TypeVar("Each")


@dataclass
class Dealer:
    """Deals inputs out in ``hands``; ``turn`` tells which hand is next."""

    hands: int = 1
    turn: int = 0

    def deal(self, inputs: tuple[Each, ...]) -> tuple[Each, ...]:
        self.turn += 1
        return inputs[self.turn % self.hands :: self.hands]

    def deal_widely(self, inputs: tuple[Each, ...]) -> tuple[Each, ...]:
        """All of them where others get a hand, some where others get next to nothing."""
        hands = max(1, self.hands // FEW_HANDS)
        return inputs[self.turn % hands :: hands]
