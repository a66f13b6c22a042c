"""How the final grade of an essay comes from its checks: what a rule set may say.

The regulation states no such rule: the policies are the platform's, each under its name. What
they compute stands in ``review.core.final_grade``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.core.values import Subject


class Policy(StrEnum):
    """Which points count. The values are stable codes.

    ``MEAN_THIRD``: the mean of the first two; a third check is final. ``NEAREST_TWO``: the mean of
    the two that are nearest to each other. ``MEDIAN``: the middle one of three, the mean of two.
    Every mean is rounded up.
    """

    MEAN_THIRD = "mean-third"
    NEAREST_TWO = "nearest-two"
    MEDIAN = "median"


class Basis(StrEnum):
    """What a policy is applied to: the totals, or each criterion by itself."""

    TOTAL = "total"
    CRITERIA = "criteria"


@dataclass(frozen=True, slots=True)
class FinalRule:
    """A policy, and what it is applied to."""

    policy: Policy
    basis: Basis

    @property
    def code(self) -> str:
        """The rule as a rule set keeps it: ``mean-third/total``."""
        return f"{self.policy}/{self.basis}"


def rule_of_code(code: str) -> FinalRule:
    """The rule of a code. Raises ``ValueError`` for any other word."""
    policy, _, basis = code.partition("/")
    return FinalRule(Policy(policy), Basis(basis))


def final_rules(kept: Any) -> dict[Subject, FinalRule]:
    """The rules by subject from ``{"eng": "mean-third/total"}``; a subject left out has none.

    Raises ``ValueError`` for anything that is no such table.
    """
    if kept is None:
        return {}
    if not isinstance(kept, Mapping):
        raise ValueError(kept)
    return {Subject(subject): rule_of_code(str(code)) for subject, code in kept.items()}
