"""Places on the pages of this app for panels of the apps above, and its panels on those below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest

from annotator import panels as below
from annotator.models import Essay, MarkupRecord
from web.panels import Place

BACK: Final = Place("compare:back")
"""Where the page of figures alone leads back to."""

ABOVE: Final = Place("compare:above")
"""Above two markups that are compared: ``page``, a ``ComparisonPage``."""

BELOW: Final = Place("compare:below")
"""Below them: ``page``."""

VIEWS: Final = Place("compare:views")
"""Other views of the two: ``page``."""

SEVERAL: Final = Place("compare:several")
"""In the bar of the page of several markups: ``essay``."""

AGAINST: Final = Place("compare:against")
"""A markup against one of the others there: ``record``, ``comparison``."""


@below.EARLIER.fill("compare/both.html")
def both_side_by_side(
    _request: HttpRequest, *, earlier: Sequence[MarkupRecord]
) -> dict[str, Any] | None:
    """Both earlier checks, once both may be seen."""
    return {"earlier": earlier} if len(earlier) == 2 else None


@below.TRIED.fill("compare/to_key.html")
def beside_the_key(_request: HttpRequest, *, essay: Essay) -> dict[str, Any] | None:
    """Of ``practice_essays``, once the expert's try of it was submitted."""
    is_submitted = essay.own_state == MarkupRecord.State.SUBMITTED  # type: ignore[attr-defined]
    return {"essay": essay} if is_submitted else None
