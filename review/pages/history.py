"""What happened to an essay and its checks, for those who see everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from annotator.models import Assignment, Essay, MarkupRecord
from review.models import FinalGrade
from review.queries.essays import entries_about

LONGEST: Final = 100
"""So many of the latest events are told."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: when, who did it (the platform where nobody), in words."""

    at: datetime
    who: str
    words: str


def history_of(essay: Essay) -> list[Event]:
    """The latest events first."""
    assignments = {str(each.pk): each for each in essay.assignments.select_related("expert")}
    markups = essay.markups.exclude(assignment=None).select_related("assignment", "author")
    records = {str(each.pk): each for each in markups}
    entries = entries_about(assignments.keys(), records.keys())[:LONGEST]
    events = [event for each in entries for event in _told(each, assignments, records)]
    events += [event for grade in essay.final_grades.all() for event in _of_grade(grade)]
    events.append(Event(essay.imported_at, "", _("The essay came in.")))
    return sorted(events, key=lambda event: event.at, reverse=True)[:LONGEST]


def _told(
    entry: AuditEntry,
    assignments: Mapping[str, Assignment],
    records: Mapping[str, MarkupRecord],
) -> Iterator[Event]:
    record = records.get(entry.object_id) if entry.action.startswith("markup.") else None
    check = record.assignment if record else assignments.get(entry.object_id)
    if check is None:
        return
    said = sentences_of_checks()[entry.action] % {
        "check": check.get_role_display(),
        "expert": check.expert,
        "reason": entry.details.get("reason", ""),
    }
    yield Event(entry.at, str(entry.actor) if entry.actor else "", said)


def sentences_of_checks() -> dict[str, str]:
    """What is told of checks, by the action that was written down."""
    return {
        "expert.assigned": _("%(check)s: given to %(expert)s"),
        "assignment.withdrawn": _("%(check)s: taken away from %(expert)s"),
        "assignment.returned": _("%(check)s: handed back by %(expert)s: “%(reason)s”"),
        "markup.submitted": _("%(check)s: submitted for %(expert)s"),
        "markup.reopened": _("%(check)s: reopened for %(expert)s: “%(reason)s”"),
    }


def _of_grade(grade: FinalGrade) -> Iterator[Event]:
    about: dict[str, Any] = {"total": grade.total, "reason": grade.reason}
    yield Event(grade.settled_at, "", _("final grade: %(total)s") % about)
    if grade.voided_at:
        about["because"] = grade.get_voided_because_display()
        said = _("the final grade %(total)s is void: %(because)s") % about
        yield Event(grade.voided_at, "", f"{said}: “{grade.reason}”" if grade.reason else said)
