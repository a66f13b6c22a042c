"""What a protocol of a set holds: its rules, and of every essay the checks and the final grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Prefetch

from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.sets import idle_essays
from review.models import FinalGrade
from review.queries.grades import standing_grades
from web.core.batches import batched

FORM: Final = "razbor set protocol 1"
"""What the file says it is; another number when its keys change."""

AT_ONCE: Final = 500
"""Essays that are in memory at once."""


def contents_of(essay_set: EssaySet) -> dict[str, Any]:
    """The set as it is now, as values of JSON, without idle essays, of which nothing is verified;
    the same statements for each 500 essays.
    """
    latest = Essay.objects.filter(LATEST, essay_set=essay_set).exclude(idle_essays())
    numbers = list(latest.order_by("number", "pk").values_list("pk", flat=True))
    rules = essay_set.rules
    return {
        "form": FORM,
        "set": {"id": essay_set.pk, "name": essay_set.name},
        "rules": {"id": rules.pk, "name": rules.name, "version": rules.version},
        "essays": [each for some in batched(numbers, AT_ONCE) for each in _essays(some)],
    }


def tells_as_it_is(told: Mapping[str, Any], essay_set: EssaySet) -> bool:
    """True where a protocol tells a set as it is now, but for its name, and for idle essays, which
    the first protocols told too.
    """
    now = contents_of(essay_set)
    idle = Essay.objects.filter(idle_essays(), essay_set=essay_set).values_list("pk", flat=True)
    left_out = set(idle)
    essays = [each for each in told["essays"] if each["id"] not in left_out]
    return {**told, "essays": essays, "set": now["set"]} == now


def _essays(numbers: Sequence[int]) -> list[dict[str, Any]]:
    checks = Assignment.objects.filter(state__in=Assignment.ACTIVE).select_related("expert")
    markups = MarkupRecord.objects.filter(
        state=MarkupRecord.State.SUBMITTED, assignment__isnull=False
    )
    essays = Essay.objects.filter(pk__in=numbers).prefetch_related(
        Prefetch("assignments", checks.order_by("pk")),
        Prefetch("markups", markups.select_related("criteria")),
        "third_checks",
    )
    grades = {each.essay_id: each for each in standing_grades().filter(essay__in=numbers)}
    found = essays.defer("text", "task_text").order_by("number", "pk")
    return [_essay(each, grades.get(each.pk)) for each in found]


def _essay(essay: Essay, grade: FinalGrade | None) -> dict[str, Any]:
    held = {each.role: each for each in essay.assignments.all() if each.round == essay.round}
    markups = {each.assignment_id: each for each in essay.markups.all()}
    decided = [each for each in essay.third_checks.all() if each.round == essay.round]
    return {
        "id": essay.pk,
        "number": essay.number,
        "subject": essay.subject,
        "version": essay.version,
        "round": essay.round,
        "checks": [
            _check(held[role], markups.get(held[role].pk))
            for role in Assignment.Role.values
            if role in held
        ],
        "third": {"needed": decided[0].needed, "reasons": decided[0].reasons} if decided else None,
        "grade": _grade(grade) if grade else None,
    }


def _check(check: Assignment, markup: MarkupRecord | None) -> dict[str, Any]:
    sheet = getattr(markup, "criteria", None)
    return {
        "role": check.role,
        "expert": check.expert.username,
        "state": check.state,
        "markup": markup.pk if markup else None,
        "submitted_at": _moment(markup.submitted_at) if markup else None,
        "points": dict(sheet.points) if sheet else None,
        "total": sheet.total if sheet else None,
    }


def _grade(grade: FinalGrade) -> dict[str, Any]:
    return {
        "total": grade.total,
        "points": grade.points,
        "rule": grade.rule,
        "counted": grade.counted,
        "settled_at": _moment(grade.settled_at),
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
