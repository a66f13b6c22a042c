"""Everything the scoring core refuses.

* ScoringError               base: catch this at the edge, never a bare Exception
  + WeightsError             weights that no accuracy can be averaged with
  + MissingCriteriaError     a sheet lacks points that a decision depends on
  + BoardCaseError           a case of a board that cannot be used, and where
"""

from __future__ import annotations

from web.core.errors import CoreError, JsonValueError


class ScoringError(CoreError):
    pass


class WeightsError(ScoringError):
    pass


class MissingCriteriaError(ScoringError):
    pass


class BoardCaseError(ScoringError, JsonValueError):
    pass
