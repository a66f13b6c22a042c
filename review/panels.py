"""What this app shows on the pages of the apps below: the three checks, ways to the desk."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, QueryDict

from accounts import panels as people_places
from accounts.models import User
from accounts.pages.people import PeoplePage
from accounts.roles import Visit
from annotator import panels as below
from annotator.import_models import EssayImport
from annotator.models import Essay, MarkupRecord
from annotator.pages.marks import text_language
from annotator.pages.neighbours import list_of_essays
from annotator.queries import reopened_beside, third_markup_beside
from review.access import may_hand_out, may_read_decisions, may_see_grade
from review.core.desk import asked_of
from review.desk_queries import essays_listed
from review.pages.deadlines import letters_of, limit_of, pressing_for
from review.pages.history import history_of
from review.pages.outcome import shown_outcome
from review.pages.people import headings, minutes_of
from review.pages.third_desk import third_desk


@below.ABOVE_QUEUE.fill("review/deadlines/pressing.html")
def what_presses(request: Visit) -> dict[str, Any]:
    """Late, due today and due soon, and what somebody else has now."""
    return {"pressing": pressing_for(request.user)}


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
def renewed_time_limit(_request: Visit, *, record: MarkupRecord, **_: object) -> dict[str, Any]:
    return {"limit": limit_of(record), "swap": True}


@below.CALLED.fill("review/to_desk.html")
def way_to_desk(_request: HttpRequest, *, batch: EssayImport) -> dict[str, Any]:
    return {"batch": batch}


@below.CHECK_DONE.fill("review/settled_in.html")
def way_to_what_was_decided(_request: HttpRequest, *, check: Any) -> dict[str, Any] | None:
    """Of a check of ``done_by``, once the third one of its essay came."""
    return {"third": check.settled_in} if check.settled_in else None


@below.MARKUP_LINE.fill("review/to_settled.html")
def what_was_decided(request: Visit, *, markup: MarkupRecord, **_: object) -> dict[str, Any] | None:
    """Of a submitted third check."""
    is_third = markup.third and markup.assignment is not None
    is_submitted = markup.state == MarkupRecord.State.SUBMITTED
    may_read = may_read_decisions(request.user)
    return {"markup": markup} if is_third and is_submitted and may_read else None


@below.ESSAY_TOOLS.fill("review/essay_tools.html")
def ways_on(request: Visit, *, essay: Essay) -> dict[str, Any] | None:
    """For staff: the checks on the desk, and what is made of an essay for paper."""
    kept = request.GET.urlencode()
    may = may_hand_out(request.user)
    return {"essay": essay, "kept": f"?{kept}" if kept else ""} if may else None


@below.ESSAY_SIDE.fill("review/outcome.html")
def outcome(request: Visit, *, essay: Essay, **_: object) -> dict[str, Any] | None:
    """The checks with their points, the gap and the final grade, once there are checks."""
    if not may_see_grade(request.user, essay):
        return None
    shown = shown_outcome(essay)
    return shown if shown["outcome"].lines else None


@below.ESSAY_SIDE.fill("review/history.html", order=2)
def history(request: Visit, *, essay: Essay, **_: object) -> dict[str, Any] | None:
    return {"events": history_of(essay)} if may_hand_out(request.user) else None


@list_of_essays("desk")
def on_the_desk(asked: QueryDict) -> Q:
    """Which essays the desk shows, as it was asked."""
    listed = essays_listed(asked_of(asked)).order_by()
    return Q(pk__in=listed.values("pk"))


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


@people_places.FIGURES_HEAD.fill("review/figures_head.html")
def headings_of_figures(request: HttpRequest, *, people: PeoplePage) -> dict[str, Any]:
    """Each leads to the list in its order."""
    return {"headings": headings(request, people.sort)}


@people_places.FIGURES.fill("review/figures.html")
def figures(_request: HttpRequest, *, person: User, people: PeoplePage) -> dict[str, Any]:
    """What an expert was given and did; nothing of others."""
    minutes = people.once(minutes_of).get(person.pk)
    return {"person": person, "minutes": minutes, "has_work": bool(person.given)}  # type: ignore[attr-defined]
