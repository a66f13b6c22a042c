"""What this app shows on the pages of the apps below: the three checks, ways to the desk."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, QueryDict

from accounts import panels as people_places
from accounts.models import User
from accounts.pages.people import PeoplePage
from accounts.roles import Visit
from annotator import panels as below
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.pages.marks import text_language
from annotator.pages.neighbours import list_of_essays, order_of_essays
from annotator.pages.parts import Parts
from annotator.pages.queue import QueuePage
from annotator.queries.third_checks import earlier_checks, reopened_beside, third_markup_beside
from review.access import (
    may_assign,
    may_hand_out,
    may_read_decisions,
    may_see_desk,
    may_see_grade,
)
from review.core.desk import asked_of
from review.models.deadlines import DEFAULT_ZONE
from review.models.notes import LONGEST
from review.pages.deadlines import (
    letters_of,
    limit_of,
    local_deadline,
    pressing_for,
    zone_on,
    zones_on,
)
from review.pages.history import history_of
from review.pages.notes import answers_for, notes_about
from review.pages.outcome import shown_outcome
from review.pages.people import headings, minutes_of
from review.pages.third_desk import decided_in, third_desk
from review.pages.verdicts import set_verdicts
from review.queries.desk import essays_asked, numbers_between
from review.queries.grades import grades_for_pupils, grades_resting_on
from review.queries.own import done_by, with_outcomes
from review.queries.verdicts import has_standing_verdict
from web.paging import page_of
from web.panels import Place

WAITING: Final = Place("review:waiting")
"""Above the desk and the list of verification: what else waits for whoever looks."""

DESK_NEWS: Final = Place("review:desk-news")
"""Above the desk and the problems: what coordinators should know first."""


@below.ABOVE_QUEUE.fill("review/deadlines/pressing.html")
def what_presses(request: Visit) -> dict[str, Any]:
    """Late, due today and due soon, and what somebody else has now."""
    return {"pressing": pressing_for(request.user)}


@below.ABOVE_QUEUE.fill("review/notes/answers.html", order=1)
def what_was_answered(request: Visit) -> dict[str, Any] | None:
    """What coordinators answered lately."""
    answers = answers_for(request.user)
    return {"answers": answers} if answers else None


@below.ESSAY_SIDE.fill("review/notes/panel.html", order=3)
def notes(request: Visit, *, essay: Essay, **_: object) -> dict[str, Any] | None:
    """Messages of experts about an essay, where somebody may read or write them."""
    found = notes_about(request.user, essay)
    return {"notes": found, "longest": LONGEST} if found else None


@below.ABOVE_PALETTE.fill("review/notes/way.html", order=1)
def way_to_notes(request: Visit, *, record: MarkupRecord, **_: object) -> dict[str, Any] | None:
    """From an expert's own check to the page it is written about on."""
    is_own = record.author_id == request.user.pk and record.assignment is not None
    return {"record": record} if is_own else None


@below.CHECK_DUE.fill("review/deadlines/due.html")
def when_it_is_due(
    _request: Visit, *, check: Assignment, queue: QueuePage
) -> dict[str, Any] | None:
    """The deadline in the time zone of the check's set, which is named where they differ."""
    zone = queue.once(zones_on).get(check.essay.essay_set_id, DEFAULT_ZONE)
    due = local_deadline(check, zone)
    return {"due": due, "zone": "" if queue.once(zone_on) else zone} if due else None


@below.QUEUE_ORDER.fill("review/deadlines/zone.html")
def where_it_is_due(_request: Visit, *, queue: QueuePage) -> dict[str, Any] | None:
    """The one time zone of all deadlines of a queue."""
    zone = queue.once(zone_on)
    return {"zone": zone} if zone else None


@below.BELOW_QUEUE.fill("review/own/done.html", order=-1)
def what_is_done(request: Visit) -> dict[str, Any] | None:
    """An expert's submitted checks: when, with which points, and what came of them."""
    done = page_of(request, done_by(request.user), "done")
    done.object_list = with_outcomes(request.user, done.object_list)
    sets = {each.essay.essay_set_id for each in done}
    return {"done": done, "has_several_sets": len(sets) > 1} if done else None


@below.BELOW_QUEUE.fill("review/deadlines/letters.html")
def letters(request: Visit) -> dict[str, Any]:
    """How reminders reach an expert."""
    shown = letters_of(request.user, settings.MAIL_LANGUAGE)
    return {"letters": shown, "languages": settings.LANGUAGES}


@below.ABOVE_PALETTE.fill("review/deadlines/limit.html", order=-1)
def time_limit(_request: Visit, *, record: MarkupRecord, editable: bool) -> dict[str, Any] | None:
    """The limit in minutes beside a draft; renewed with every change of it."""
    return {"limit": limit_of(record)} if editable else None


@below.RENEWED.fill("review/deadlines/limit.html")
def renewed_time_limit(_request: Visit, *, parts: Parts) -> dict[str, Any]:
    return {"limit": limit_of(parts.record), "swap": True}


@below.CALLED.fill("review/to_desk.html")
def way_to_desk(_request: HttpRequest, *, batch: EssayImport) -> dict[str, Any]:
    return {"batch": batch}


@below.SET_TOOLS.fill("review/set_tools.html")
def ways_from_set(_request: HttpRequest, *, essay_set: EssaySet) -> dict[str, Any] | None:
    """Of practice nothing is checked: there is no desk and no deadline."""
    return None if essay_set.is_practice else {"set": essay_set}


@below.MARKUP_LINE.fill("review/to_settled.html")
def what_was_decided(request: Visit, *, markup: MarkupRecord, **_: object) -> dict[str, Any] | None:
    """Of a submitted third check."""
    is_third = markup.third and markup.assignment is not None
    is_submitted = markup.state == MarkupRecord.State.SUBMITTED
    may_read = may_read_decisions(request.user)
    return {"markup": markup} if is_third and is_submitted and may_read else None


@below.ESSAY_TOOLS.fill("review/essay_tools.html")
def ways_on(request: Visit, *, essay: Essay) -> dict[str, Any] | None:
    """For staff: the checks on the desk, and what is made of an essay for paper; a page for the
    pupil once there is a grade to tell.
    """
    if not may_hand_out(request.user) or essay.essay_set.is_practice:
        return None
    kept = request.GET.urlencode()
    has_grade = grades_for_pupils().filter(essay=essay).exists()
    return {"essay": essay, "kept": f"?{kept}" if kept else "", "has_grade": has_grade}


@below.ESSAY_SIDE.fill("review/outcome.html")
def outcome(request: Visit, *, essay: Essay, **_: object) -> dict[str, Any] | None:
    """The checks with their points, the gap and the final grade, once there are checks."""
    if not may_see_grade(request.user, essay):
        return None
    shown = shown_outcome(essay, to_staff=may_hand_out(request.user))
    return shown if shown["outcome"].lines else None


@below.ESSAY_SIDE.fill("review/history.html", order=2)
def history(request: Visit, *, essay: Essay, **_: object) -> dict[str, Any] | None:
    return {"events": history_of(essay)} if may_hand_out(request.user) else None


@below.SET_SIDE.fill("review/verdicts/panel.html")
def verdicts_of_set(_request: HttpRequest, *, essay_set: EssaySet) -> dict[str, Any] | None:
    """How far the results of a set are: verified, approved, returned and why; not of practice."""
    if essay_set.access == EssaySet.Access.PRACTICE:
        return None
    (shown,) = set_verdicts([essay_set])
    return {"shown": shown}


@below.BEFORE_UNDOING.fill("review/verdicts/undoing.html")
def results_undoing_takes(_request: HttpRequest, *, batch: EssayImport) -> dict[str, Any]:
    """The final grades that go with an import, and the verdict that is void then."""
    found = batch.essay_set
    verified = found if found and has_standing_verdict(found) else None
    return {"essay_set": verified, "grades": grades_resting_on(batch).count()}


@list_of_essays("desk", is_shown_to=may_see_desk)
def on_the_desk(asked: QueryDict) -> Q:
    """Which essays the desk shows, as it was asked."""
    return Q(pk__in=essays_asked(asked_of(asked)).values("pk"))


@order_of_essays("desk")
def places_of_the_desk(asked: QueryDict, first: int, stop: int) -> list[int]:
    """Which essays stand between two places of the desk, as it was asked."""
    return numbers_between(asked_of(asked), first, stop)


@below.ABOVE_PALETTE.fill("review/settling/beside.html")
def three_checks(request: Visit, *, record: MarkupRecord, editable: bool) -> dict[str, Any]:
    """Beside a draft: why it is open again, and the third expert's desk; else what was decided."""
    may_read = not editable and may_read_decisions(request.user)
    return {
        "record": record,
        "editable": editable,
        "reopened": reopened_beside(record) if editable else [],
        "desk": third_desk(record) if editable and record.third else None,
        "third": third_markup_beside(record) if may_read else None,
        "text_language": text_language(record.essay.subject),
    }


@below.RENEWED.fill("review/settling/taken.html")
def renewed_decisions(_request: Visit, *, parts: Parts) -> dict[str, Any] | None:
    """What the third expert has decided by now: an undo may have changed it."""
    is_third = parts.editable and parts.record.third
    has_desk = is_third and earlier_checks(parts.record).exists()
    return {**decided_in(parts.record), "swap": True} if has_desk else None


@below.ON_SHEET.fill("review/settling/on_sheet.html")
def undecided_on_sheet(_request: Visit, *, record: MarkupRecord) -> dict[str, Any] | None:
    """Of a third check; how many there are, the page counts itself."""
    return {} if record.third else None


@people_places.FIGURES_HEAD.fill("review/figures_head.html")
def headings_of_figures(request: HttpRequest, *, people: PeoplePage) -> dict[str, Any]:
    """Each leads to the list in its order."""
    return {"headings": headings(request, people.sort)}


@people_places.FIGURES.fill("review/figures.html")
def figures(_request: HttpRequest, *, person: User, people: PeoplePage) -> dict[str, Any]:
    """What an expert was given and did; nothing of others."""
    minutes = people.once(minutes_of).get(person.pk)
    return {"person": person, "minutes": minutes, "has_work": bool(person.given)}  # type: ignore[attr-defined]


@people_places.TICKED.fill("review/deadlines/remind.html")
def reminding_of_checks(request: Visit) -> dict[str, Any] | None:
    """A letter to each of the ticked people about their open checks."""
    return {} if may_assign(request.user) else None
