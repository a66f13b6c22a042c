"""Finals and rehearsals that are ahead, as a participant hears of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When

from accounts.models import User
from contest.models import Admission, DataSet, FinalFile
from contest.models import Final as PlannedFinal
from contest.queries.run_moments import counted

REMEMBERED: Final = timedelta(days=1)
"""So long after its start a final may be open to somebody still, or be missed."""


def finals_ahead(participant: User, now: datetime) -> QuerySet[PlannedFinal, Any]:
    """Finals that start or started lately, the next one first; ``is_admitted``, ``size``.

    Those that were cancelled for who is admitted alone; those of a contest for its teams alone.
    """
    own = Exists(Admission.objects.filter(final=OuterRef("pk"), participant=participant))
    admitted = Case(When(own, then=Value(True)), default=False, output_field=BooleanField())
    found = PlannedFinal.objects.filter(starts_at__gt=now - REMEMBERED)
    found = counted(found).annotate(is_admitted=admitted)
    for_all = Q(cancelled_at=None) & told_to(participant)
    return found.filter(for_all | Q(is_admitted=True)).order_by("starts_at", "pk")


def told_to(participant: User) -> Q:
    """Finals a participant hears of, admitted or not: those of no contest, and of the own one."""
    of_contest = DataSet.objects.filter(essay_set=OuterRef("essay_set"))
    return ~Exists(of_contest) | Exists(of_contest.filter(contest__teams__account=participant))


def subjects_of(finals: Iterable[PlannedFinal]) -> dict[int, list[str]]:
    """The subjects of each final's essays, in words."""
    rows = FinalFile.objects.filter(final__in=finals).order_by()
    found: dict[int, set[str]] = defaultdict(set)
    for final, subject in rows.values_list("final", "essay__subject").distinct():
        found[final].add(subject)
    named = dict(settings.SUBJECTS)
    return {
        final: [str(named[each]) for each in named if each in subjects]
        for final, subjects in found.items()
    }
