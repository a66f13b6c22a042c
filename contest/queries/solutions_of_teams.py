"""The solutions of a contest's teams: sessions by which its phases are told (R 6.3, 7.11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Exists, F, Model, OuterRef, Prefetch, QuerySet

from contest.models import (
    Annulment,
    Contest,
    DataSet,
    ExchangeSession,
    Final,
    Phase,
    SessionFile,
    Upload,
)

Solution = TypeVar("Solution", bound=Model)


def sessions_of_phase(contest: Contest, kind: str) -> QuerySet[ExchangeSession]:
    """The sessions of a contest's teams in one of its phases, with their annulments that stand.

    Of the qualification those with files of its test sets, of the finals those of all their runs.
    """
    return _told(sessions_in_phases([contest.pk], kind)).order_by("pk")


def sessions_in_phases(contests: Iterable[int], kind: str) -> QuerySet[ExchangeSession]:
    """The sessions of the teams of several contests, each in that phase of the own one."""
    found = ExchangeSession.objects.filter(participant__team__contest__in=list(contests))
    own = "participant__team__contest"
    if kind == Phase.Kind.FINALS:
        return found.filter(
            final__kind=Final.Kind.FINAL, final__essay_set__data_set__contest=F(own)
        )
    of_tests = SessionFile.objects.filter(
        session=OuterRef("pk"),
        essay__essay_set__data_set__contest=OuterRef(own),
        essay__essay_set__data_set__role=DataSet.Role.TEST,
    )
    return found.filter(Exists(of_tests), mode=ExchangeSession.Mode.ALGORITHMIC)


def is_of_approved_phase(session: ExchangeSession, contest: Contest) -> bool:
    """True where the results of the phase a session of a contest was held in are approved."""
    approved = contest.phases.filter(closed_at__isnull=False).values_list("kind", flat=True)
    return any(
        sessions_in_phases([contest.pk], kind).filter(pk=session.pk).exists() for kind in approved
    )


def solutions_listed(contest: Contest) -> QuerySet[ExchangeSession]:
    """All sessions of a contest's teams that may be annulled, the latest first."""
    found = ExchangeSession.objects.filter(participant__team__contest=contest)
    found = found.exclude(mode=ExchangeSession.Mode.TECHNICAL)
    return _told(found).order_by("-pk")


def uploads_listed(contest: Contest) -> QuerySet[Upload]:
    """All uploads of a contest's teams that may be annulled, the latest first."""
    found = Upload.objects.filter(phase__contest=contest, state__in=Upload.COUNTED)
    found = found.select_related("team__account", "phase").order_by("-pk")
    return with_annulments(found)


def with_annulments(solutions: QuerySet[Solution]) -> QuerySet[Solution]:
    """Sessions or uploads, with what organisers said of each that is annulled (``annulled_by``)."""
    standing = Annulment.objects.filter(lifted_at=None).select_related("who").order_by("-pk")
    return solutions.prefetch_related(
        Prefetch("annulments", queryset=standing, to_attr="annulled_by")
    )


def annulled_by(solution: Model) -> list[Annulment]:
    """What organisers said of a solution of ``with_annulments`` that is annulled."""
    found: list[Annulment] = solution.annulled_by  # type: ignore[attr-defined] - of the query
    return found


def _told(sessions: QuerySet[ExchangeSession]) -> QuerySet[ExchangeSession]:
    return with_annulments(sessions.select_related("participant__team", "final"))
