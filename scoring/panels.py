"""What this app shows on the pages of the apps below: points, metrics, ways to the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.roles import Visit
from annotator import panels as marking
from annotator.models import Essay, MarkupRecord
from annotator.pages.palette import english_name
from annotator.pages.parts import Parts, doubt
from compare import panels as comparing
from compare.core.comparison import Comparison
from compare.pages.comparison import ComparisonPage
from scoring.core.criteria.reasons import missing_blocks
from scoring.core.criteria.tally import TOKEN
from scoring.core.words import words_of
from scoring.pages.figures import (
    Measured,
    Points,
    matrix_of,
    measured,
    points_of,
    shown_points,
    tries_measured,
)
from web.panels import Place

REPORT_TOOLS = Place("scoring:report_tools")
"""Beside the head of a report: ``author_id`` and ``origin`` of its solution."""


@marking.FACTS.fill("scoring/word_count.html")
def word_count(_request: HttpRequest, *, essay: Essay) -> dict[str, Any]:
    """W, the words of an essay as the criteria count them."""
    count = len(words_of(essay.text, TOKEN))
    return {"words": ngettext("%d word", "%d words", count) % count}


@marking.BELOW_PALETTE.fill("scoring/points.html")
def points(_request: HttpRequest, *, parts: Parts) -> dict[str, Any]:
    return shown_points(parts.record, parts.once(_points), editable=parts.editable)


@marking.RENEWED.fill("scoring/points.html")
def renewed_points(_request: HttpRequest, *, parts: Parts) -> dict[str, Any]:
    return shown_points(parts.record, parts.once(_points), editable=True, swap=True)


@doubt
def blocks_are_missing(parts: Parts) -> str:
    """Those the criteria ask for and do not find."""
    missing = missing_blocks(parts.essay.core_subject, parts.once(_points).criteria)
    told = ", ".join(f"{code} {english_name(code)}".strip() for code in missing)
    return _("Semantic blocks are missing: %s.") % told if missing else ""


@marking.ESSAY_SIDE.fill("scoring/matrix.html", order=1)
def matrix(
    _request: HttpRequest, *, essay: Essay, markups: Sequence[MarkupRecord]
) -> dict[str, Any] | None:
    """Of the markups of the list that were submitted, where there are two to compare.

    Tries of a practice essay are measured by its key alone.
    """
    if essay.essay_set.is_practice:
        return None
    listed = [each for each in markups if each.state == MarkupRecord.State.SUBMITTED]
    return {"essay": essay, "matrix": matrix_of(listed)} if len(listed) > 1 else None


@marking.ESSAY_SIDE.fill("scoring/tries.html", order=1)
def tries(
    request: Visit, *, essay: Essay, markups: Sequence[MarkupRecord]
) -> dict[str, Any] | None:
    """The submitted tries of the list against the key, for those who see it."""
    if not essay.essay_set.is_practice:
        return None
    found = tries_measured(request.user, essay, markups)
    return {"tries": found, "essay": essay} if found else None


@marking.MARKUPS_FOOT.fill("scoring/to_accuracy.html")
@comparing.SEVERAL.fill("scoring/to_accuracy_in_bar.html")
def accuracy_of_all(_request: HttpRequest, *, essay: Essay) -> dict[str, Any] | None:
    return None if essay.essay_set.is_practice else {"essay": essay}


@comparing.BACK.fill("scoring/to_scores.html")
def way_back(_request: HttpRequest) -> dict[str, Any]:
    return {}


@comparing.ABOVE.fill("scoring/metrics.html")
def metrics(_request: HttpRequest, *, page: ComparisonPage) -> dict[str, Any]:
    shown = {"figures": page.once(_figures), "left": page.left, "right": page.right}
    return {**shown, "figures_only": page.figures_only}


@comparing.BELOW.fill("scoring/gap.html")
def gap(_request: HttpRequest, *, page: ComparisonPage) -> dict[str, Any]:
    return {"figures": page.once(_figures)}


@comparing.VIEWS.fill("scoring/views.html")
def files_and_accuracy(_request: HttpRequest, *, page: ComparisonPage) -> dict[str, Any]:
    return {"page": page}


@comparing.AGAINST.fill("scoring/against.html")
def accuracy(
    _request: HttpRequest, *, record: MarkupRecord, comparison: Comparison
) -> dict[str, Any]:
    """M of a markup against another one."""
    return {"accuracy": _measured(comparison, record).accuracy}


def _points(parts: Parts) -> Points:
    return points_of(parts.record, parts.markup)


def _figures(page: ComparisonPage) -> Measured:
    return _measured(page.comparison, page.left)


def _measured(comparison: Comparison, left: MarkupRecord) -> Measured:
    """Metrics and points of the left markup against the right one, with where they come from."""
    return measured(comparison, left.essay.core_subject, left.essay.essay_set.rules)
