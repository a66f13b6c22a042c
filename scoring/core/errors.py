"""Everything the scoring core refuses.

* ScoringError               base: catch this at the edge, never a bare Exception
  + WeightsError             weights that no accuracy can be averaged with
  + MissingCriteriaError     a sheet lacks points that a decision depends on

As in ``annotator.core.errors``, a stable ``code`` names the sentence and ``fields`` fill it.
"""

from __future__ import annotations

from collections.abc import Mapping


class ScoringError(Exception):
    """Base of the package: ``code`` names the sentence, ``fields`` fill it."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields: Mapping[str, object] = fields
        super().__init__(f"{code} {dict(fields)}")


class WeightsError(ScoringError):
    pass


class MissingCriteriaError(ScoringError):
    pass
