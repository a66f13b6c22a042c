"""Points and metrics for pages of the apps below, which must not know this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import ngettext

from annotator.core.values import Markup
from annotator.models import Essay, MarkupRecord
from compare.core.comparison import Comparison
from scoring.core.criteria.tally import Tally
from scoring.pages import Measured, measured, points_of

register = template.Library()


@register.inclusion_tag("scoring/points.html")
def points(record: MarkupRecord, *, editable: bool = False, swap: bool = False) -> dict[str, Any]:
    """The criteria of a markup as they stand; ``swap`` renews them within an htmx answer."""
    found = points_of(record)
    return {"points": found, "record": record, "editable": editable, "swap": swap}


@register.filter
def at(values: Mapping[str, Any], name: str) -> Any:
    """What a mapping holds under a name; nothing where it holds nothing."""
    return values.get(name, "")


@register.simple_tag
def word_count(essay: Essay) -> str:
    """W, the words of an essay as the criteria count them."""
    count = len(Tally(Markup(essay.text)).words)
    return ngettext("%d word", "%d words", count) % count


@register.simple_tag
def figures_of(comparison: Comparison, left: MarkupRecord) -> Measured:
    """Metrics and points of the left markup against the right one, with where they come from."""
    return measured(comparison, left.essay.core_subject, left.essay.essay_set.rules)


@register.filter
def accuracy_of(comparison: Comparison, left: MarkupRecord) -> float | None:
    """M of the left markup against the right one, in percent."""
    return figures_of(comparison, left).accuracy
