"""Everything the scoring core refuses.

* ScoringError               base: catch this at the edge, never a bare Exception
  + WeightsError             weights that no accuracy can be averaged with
  + MissingCriteriaError     a sheet lacks points that a decision depends on
"""

from __future__ import annotations

from web.core.errors import CoreError


class ScoringError(CoreError):
    pass


class WeightsError(ScoringError):
    pass


class MissingCriteriaError(ScoringError):
    pass
