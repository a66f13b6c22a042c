"""How much of a long test is run: a share in the fast tier, all of it otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final, TypeVar

SHARE: Final = 10
FEWEST: Final = 10
Each = TypeVar("Each")


def is_fast() -> bool:
    return os.environ.get("RAZBOR_TEST_TIER") == "fast"


def examples(number: int, fewest: int = FEWEST) -> int:
    """So many examples of Hypothesis; some of them, but not too few, in the fast tier."""
    if not is_fast():
        return number
    return min(number, max(fewest, number // SHARE))


def share(rows: Iterable[Each], of: int, turn: int = 0) -> list[Each]:
    """The rows of a table that is walked; in the fast tier one of so many, and which ones by turn.

    A row that must be asked in every tier is not given here.
    """
    walked = list(rows)
    return walked[turn % of :: of] if is_fast() else walked
