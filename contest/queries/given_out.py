"""Which essays of a set programs have had, or will have in a planned run (R 2.8, 7.15.3)."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from contest.models import Delivery, Final, FinalFile, SessionFile


def opened_files() -> QuerySet[SessionFile]:
    """The files of all sessions that opened while their session was open, or were handed out.

    By the moments: a gateway that is killed right after it has pushed a file writes no hand-out.
    """
    in_time = Q(session__closed_at=None) | Q(opens_at__lte=F("session__closed_at"))
    opened = in_time & Q(due_at__gte=F("session__opened_at"))
    return SessionFile.objects.filter(
        opened | Exists(Delivery.objects.filter(slot=OuterRef("pk")))
    ).order_by()


def numbers_taken(final: Final) -> set[str]:
    """The essays of its set that a run does not get, by their numbers: another version of one is
    the same essay.

    Those of other runs, of cancelled ones what they gave out; of a final also what was given out
    in any other session. Rehearsals may share theirs with rehearsals.
    """
    opened = opened_files().filter(essay__essay_set=final.essay_set)
    in_finals = opened.filter(session__final__kind=Final.Kind.FINAL)
    planned = FinalFile.objects.filter(final__cancelled_at=None, final__essay_set=final.essay_set)
    if final.is_rehearsal:
        planned, opened = planned.filter(final__kind=Final.Kind.FINAL), in_finals
    numbers = (
        found.order_by().values_list("essay__number", flat=True) for found in (planned, opened)
    )
    return {number for found in numbers for number in found}
