"""How many examples Hypothesis draws: a share in the fast tier, all of them otherwise."""

from __future__ import annotations

import os
from typing import Final

SHARE: Final = 4
FEWEST: Final = 10


def examples(number: int) -> int:
    """So many examples; a share of them, but not too few, in the fast tier."""
    if os.environ.get("RAZBOR_TEST_TIER") != "fast":
        return number
    return min(number, max(FEWEST, number // SHARE))
