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
from scoring.pages import measured, points_of

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


@register.inclusion_tag("scoring/metrics.html")
def metrics(comparison: Comparison, left: MarkupRecord, right: MarkupRecord) -> dict[str, Any]:
    """M1 to M6 of the left markup against the right one, with the counts they come from."""
    rules = left.essay.essay_set.rules
    figures = measured(comparison, left.essay.core_subject, rules)
    names = [*figures.sheets[0].points]
    sheets = [(name, *(sheet.points[name] for sheet in figures.sheets)) for name in names]
    return {"figures": figures, "sheets": sheets, "left": left, "right": right}
