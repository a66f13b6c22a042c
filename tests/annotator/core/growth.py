"""How run time grows with size, without absolute times (reliability.md S8)."""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Callable
from typing import Any, Final

LINEAR: Final = 2.8
"""time(2n) / time(n) of any input, however hostile, stays at or below this.

Half-way by ratio between what is linear (2) and what is quadratic (4): noise is a factor.
"""

STABLE_SECONDS: Final = 0.01 if os.environ.get("RAZBOR_TEST_TIER") == "fast" else 0.02
"""How long a run must last to be measured; noise costs more rounds where it is short."""
LARGEST: Final = 300_000
ROUNDS: Final = 25

Run = Callable[[Any], object]
Make = Callable[[int], Any]


def growth(run: Run, make: Make, size: int = 64, rounds: int = ROUNDS) -> float:
    """How many times as long twice as much takes: the mean of two doublings, each time the best.

    ``size`` is doubled until a run lasts long enough to be measured or grows past any body a
    server takes. Rounds end with the first ratio that is linear: noise only adds.
    """
    smaller = seconds(run, make(size))
    while smaller < STABLE_SECONDS and size <= LARGEST:
        size *= 2
        smaller = seconds(run, make(size))
    larger = seconds(run, make(4 * size))
    for _ in range(rounds - 1):
        if larger <= LINEAR**2 * smaller:
            break
        smaller = min(smaller, seconds(run, make(size)))
        larger = min(larger, seconds(run, make(4 * size)))
    return math.sqrt(larger / smaller)


def seconds(run: Run, value: object) -> float:
    """Processor time of one run, with the collector of garbage at rest."""
    gc.disable()
    try:
        start = time.process_time()
        run(value)
        return time.process_time() - start
    finally:
        gc.enable()
