"""Points that were stated otherwise than computed, in sentences; third checks nobody can have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from annotator.core import messages
from annotator.core.problems import Problem
from annotator.models import Essay, MarkupRecord
from review.models import ThirdCheck
from review.queries.problems import markups_told
from review.services.plan_reading import why_no_third


@dataclass(frozen=True, slots=True)
class ThirdLine:
    """A third check nobody has, why, and the people it is about.

    ``reason``: ``None`` where somebody could have it by now.
    """

    essay: Essay
    reason: str | None
    people: tuple[User, ...]
    more: int


def third_lines(checks: Iterable[ThirdCheck]) -> list[ThirdLine]:
    """Third checks nobody has, of one page; as many queries for one as for all."""
    essays = [check.essay_id for check in checks]
    if not essays:
        return []
    found = Essay.objects.select_related("essay_set").defer("text", "task_text").in_bulk(essays)
    why = why_no_third(essays)
    people = User.objects.in_bulk({each for line in why.values() for each in line.people[:3]})
    return [
        ThirdLine(
            essay=found[essay],
            reason=why[essay].reason if essay in why else None,
            people=tuple(people[each] for each in why[essay].people[:3]) if essay in why else (),
            more=max(0, len(why[essay].people) - 3) if essay in why else 0,
        )
        for essay in essays
        if essay in found
    ]


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
