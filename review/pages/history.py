"""What happened to an essay and its checks, for those who see everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from accounts.queries import known_as
from annotator.models import Assignment, Essay, MarkupRecord
from review.models import FinalGrade
from review.models.plans import Plan
from review.queries.essays import (
    entries_about,
    import_entry_of,
    plans_named,
    replacement_by,
)

LEFT: Final = "expert left"
"""What is written down of checks whose expert has no account for them any more."""
LONGEST: Final = 100
"""So many of the latest events are told."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: when, who did it (the platform where nobody), in words.

    ``typed``: what of the words is a person's own. ``plan``: the plan of checks that did it.
    """

    at: datetime
    who: str
    words: str
    typed: str = ""
    plan: Plan | None = None


def history_of(essay: Essay) -> list[Event]:
    """The latest events first."""
    assignments = {str(each.pk): each for each in essay.assignments.select_related("expert")}
    markups = essay.markups.exclude(assignment=None).select_related("assignment__expert")
    records = {str(each.pk): each for each in markups}
    entries = list(entries_about(assignments.keys(), records.keys())[:LONGEST])
    told = [(each, check) for each in entries if (check := _check_of(each, assignments, records))]
    names = names_told(told)
    plans = plans_named(entries)
    events = [_event(*each, names, plans) for each in told]
    events += [event for grade in essay.final_grades.all() for event in _of_grade(grade)]
    events.append(_made(essay))
    return sorted(events, key=lambda event: event.at, reverse=True)[:LONGEST]


def _made(essay: Essay) -> Event:
    """How an essay came in, or who made this version of it and why."""
    made = replacement_by(essay) if essay.version > 1 else None
    if made is None:
        entry = import_entry_of(essay)
        who = str(entry.actor) if entry and entry.actor else ""
        return Event(essay.imported_at, who, _("The essay came in."))
    about = {"version": essay.version, "reason": reason_of(made)}
    said = _("Version %(version)d was made: “%(reason)s”") % about
    return Event(made.at, str(made.actor) if made.actor else "", said, reason_of(made))


def handed_back(essay: Essay) -> dict[str, Event]:
    """Who handed a check of the present round back and why, by its role, where nobody has it since.

    ``essay``: one of ``review.queries.essays.essays_with_checks``.
    """
    present = [each for each in essay.assignments.all() if each.round == essay.round]
    held = {each.role for each in present if each.is_active}
    back = {
        str(each.pk): each
        for each in present
        if each.state == Assignment.State.RETURNED and each.role not in held
    }
    told: dict[str, Event] = {}
    for entry in entries_about(back.keys(), ()).filter(action="assignment.returned"):
        check, reason = back[entry.object_id], reason_of(entry)
        words = _("handed back by %(expert)s: “%(reason)s”")
        said = words % {"expert": check.expert, "reason": reason}
        told.setdefault(check.role, Event(entry.at, str(check.expert), said, reason))
    return told


def reason_of(entry: AuditEntry) -> str:
    """Why it was done, in words of the reader's language where nobody wrote a reason."""
    reason: str = entry.details.get("reason", "")
    return _("marks no more") if reason == LEFT else reason


def names_told(told: Iterable[tuple[AuditEntry, Assignment | None]]) -> dict[int, str]:
    """What to call those who did something and those whose checks it was, no two alike."""
    people = (who for entry, check in told for who in (entry.actor, check and check.expert))
    return known_as(who for who in people if who)


def _check_of(
    entry: AuditEntry,
    assignments: Mapping[str, Assignment],
    records: Mapping[str, MarkupRecord],
) -> Assignment | None:
    record = records.get(entry.object_id) if entry.action.startswith("markup.") else None
    return record.assignment if record else assignments.get(entry.object_id)


def _event(
    entry: AuditEntry, check: Assignment, names: Mapping[int, str], plans: Mapping[int, Plan]
) -> Event:
    reason = reason_of(entry)
    about = {"check": check.get_role_display(), "expert": names[check.expert_id], "reason": reason}
    said = sentences_of_checks()[entry.action] % about
    plan = plans.get(entry.details.get("plan", 0))
    who = names[entry.actor_id] if entry.actor_id else ""
    return Event(entry.at, who, said, reason, plan)


def sentences_of_checks() -> dict[str, str]:
    """What is told of checks, by the action that was written down."""
    return {
        "expert.assigned": _("%(check)s: given to %(expert)s"),
        "assignment.withdrawn": _("%(check)s: taken away from %(expert)s"),
        "assignment.returned": _("%(check)s: handed back by %(expert)s: “%(reason)s”"),
        "assignment.overdue": _("%(check)s: late, given on by %(expert)s"),
        "assignment.restored": _("%(check)s: given back to %(expert)s"),
        "deadline.moved": _("%(check)s: another deadline for %(expert)s: “%(reason)s”"),
        "markup.submitted": _("%(check)s: submitted for %(expert)s"),
        "markup.reopened": _("%(check)s: reopened for %(expert)s: “%(reason)s”"),
    }


def _of_grade(grade: FinalGrade) -> Iterator[Event]:
    about: dict[str, Any] = {"total": grade.total, "reason": grade.reason}
    yield Event(grade.settled_at, "", _("final grade: %(total)s") % about)
    if grade.voided_at:
        about["because"] = grade.get_voided_because_display()
        said = _("the final grade %(total)s is void: %(because)s")
        if grade.reason:
            said = _("the final grade %(total)s is void: %(because)s: “%(reason)s”")
        yield Event(grade.voided_at, "", said % about, grade.reason)
