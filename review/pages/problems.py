"""Points that were stated otherwise than computed, in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from annotator.core import messages
from annotator.core.problems import Problem
from annotator.models import MarkupRecord
from review.problem_queries import markups_told


def told_otherwise(
    differing: Iterable[tuple[int, tuple[Problem, ...]]],
) -> list[tuple[MarkupRecord, list[str]]]:
    """Markups with what was stated otherwise of them; one query."""
    lines = list(differing)
    records = markups_told([number for number, _problems in lines])
    return [
        (records[number], [messages.describe(problem, _) for problem in problems])
        for number, problems in lines
        if number in records
    ]
