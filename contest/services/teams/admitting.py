"""Who takes part in the runs of a contest that are to come: also who was not there when they were
planned, or not admitted (R 7.2).
"""

from __future__ import annotations

from django.db.models.functions import Now

from accounts.models import User
from accounts.services.audit import audit_all, entry
from contest.models import Admission, Contest, Final


def admit_to_runs_ahead(contest: Contest, *, actor: User | None) -> None:
    """Let every team take part in the runs that have not begun: in finals those that are admitted,
    in rehearsals all; none that is excluded. Safe to repeat.

    The caller holds the contest: a run that is planned at this moment is seen, or sees the team.
    """
    teams = contest.teams.filter(excluded_at=None).order_by("pk")
    runs = Final.objects.filter(
        essay_set__data_set__contest=contest, cancelled_at=None, starts_at__gt=Now()
    )
    for run in runs.order_by("pk"):
        known = set(run.admissions.values_list("participant", flat=True))
        wanted = teams if run.is_rehearsal else teams.filter(admitted_at__isnull=False)
        added = [each for each in wanted.values_list("account", flat=True) if each not in known]
        Admission.objects.bulk_create(Admission(final=run, participant_id=each) for each in added)
        told = (
            entry(actor=actor, action="final.admitted", target=run, participant=each)
            for each in added
        )
        audit_all(told)
