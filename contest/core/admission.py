"""The order in which a team is admitted: judges, commission, organisers (R 8.1.1 to 8.1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final


class Step(StrEnum):
    """What a team waits for; ``ADMITTED``: nothing more."""

    JUDGES = "judges"
    COMMISSION = "commission"
    ORGANISERS = "organisers"
    ADMITTED = "admitted"


AFTER: Final = {
    "": Step.JUDGES,
    "returned": Step.JUDGES,
    "checked": Step.COMMISSION,
    "verified": Step.ORGANISERS,
    "admitted": Step.ADMITTED,
}
"""What a team waits for after its last verdict."""

CLAUSES: Final = {Step.JUDGES: "8.1.1", Step.COMMISSION: "8.1.2", Step.ORGANISERS: "8.1.3"}


def step_after(kinds: Sequence[str]) -> Step:
    """What a team waits for after these verdicts, in their order."""
    return AFTER[kinds[-1] if kinds else ""]


def round_after(kinds: Sequence[str]) -> int:
    """Which round the next verdict is of, from 1 on: each return ends one."""
    return 1 + sum(kind == "returned" for kind in kinds)
