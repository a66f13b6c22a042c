"""Contests as everybody reads of them: their dates, teams, sets, archives and boards."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db.models import Case, Count, F, OuterRef, Prefetch, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Now

from annotator.models import Essay
from contest.models import (
    Announcement,
    Consent,
    Contest,
    DataSet,
    ParameterSet,
    Publication,
    Team,
)
from scoring.models import ScoreRun, StandingBoard

ORDER: Final = (DataSet.Role.FINAL, DataSet.Role.TEST, DataSet.Role.TRAINING)
"""Which board of a contest is read first."""


def with_what_lines_say(contests: QuerySet[Contest]) -> QuerySet[Contest]:
    """With phases, ``teams_count`` and the database's ``now``; those that run stand first."""
    teams = Team.objects.filter(contest=OuterRef("pk"), excluded_at=None).order_by()
    count = teams.values("contest").annotate(n=Count("pk")).values("n")
    found = contests.annotate(teams_count=Coalesce(Subquery(count), 0), now=Now())
    is_final = Case(When(final_at=None, then=0), default=1)
    order = (is_final.asc(), F("announced_at").desc(nulls_first=True), "-pk")
    return found.prefetch_related("phases").order_by(*order)


def now_of(contest: Contest) -> datetime:
    """The database's ``now``, of a contest whose query asked for it."""
    found: datetime = contest.now  # type: ignore[attr-defined] - of the query
    return found


def running(contests: QuerySet[Contest]) -> QuerySet[Contest]:
    """Those whose results are not final yet."""
    return contests.filter(final_at=None)


def parameters_of(contest: Contest) -> list[ParameterSet]:
    """The versions that are or were in force, the first one first, with who agreed."""
    consents = Consent.objects.filter(agrees=True).select_related("who")
    found = contest.parameter_sets.filter(in_force_at__isnull=False)
    found = found.select_related("rules", "proposed_by").order_by("version")
    return list(found.prefetch_related(Prefetch("consents", consents)))


def sizes_of(contest: Contest) -> dict[str, int]:
    """How many essays there are by the role of their data set."""
    found = Essay.objects.filter(essay_set__data_set__contest=contest, closed_at=None)
    by_role = found.order_by().values_list("essay_set__data_set__role")
    return dict(by_role.annotate(Count("pk")))


def publications_of(contest: Contest) -> dict[str, Publication]:
    """The latest archive of each kind."""
    return {each.kind: each for each in contest.publications.order_by("pk")}


def latest_announcements(contests: QuerySet[Contest]) -> QuerySet[Announcement]:
    """Those of several contests, the latest first."""
    found = Announcement.objects.filter(contest__in=contests).select_related("contest")
    return found.order_by("-published_at", "-pk")


def board_sets_of(contest: Contest, seen: QuerySet[ScoreRun]) -> list[tuple[DataSet, ScoreRun]]:
    """The data sets whose published board is one of the runs seen, each with that run.

    Finals come first, then test sets, then training sets; the newest of a kind first.
    """
    found = contest.data_sets.filter(essay_set__board__public__isnull=False)
    sets = {each.essay_set_id: each for each in found.order_by("-pk")}
    boards = StandingBoard.objects.filter(essay_set__in=sets).values_list("essay_set", "public")
    numbers = dict(boards)
    runs = seen.in_bulk(list(numbers.values()))
    shown = [
        (each, runs[numbers[number]]) for number, each in sets.items() if numbers[number] in runs
    ]
    return sorted(shown, key=lambda pair: ORDER.index(DataSet.Role(pair[0].role)))


def latest_board(
    contests: QuerySet[Contest], seen: QuerySet[ScoreRun]
) -> tuple[DataSet, ScoreRun] | None:
    """The board of these contests that was published last, of those among the runs seen."""
    boards = StandingBoard.objects.filter(
        public__in=seen.order_by().values("pk"), essay_set__data_set__contest__in=contests
    )
    board = boards.order_by("-published_at", "-pk").first()
    if board is None:
        return None
    sets = DataSet.objects.select_related("contest")
    return sets.get(essay_set=board.essay_set_id), seen.get(pk=board.public_id)


def subject_of_set(set_id: int | None) -> str:
    """The subject of the contest an essay set belongs to; empty where it has none."""
    found = DataSet.objects.filter(essay_set=set_id)
    return found.values_list("contest__subject", flat=True).first() or ""


def names_of_sets(sets: Collection[int]) -> dict[int, dict[int, str]]:
    """What boards of these essay sets call the accounts of teams, by set."""
    found: dict[int, dict[int, str]] = {}
    teams = Team.objects.filter(contest__data_sets__essay_set__in=sets).order_by()
    for number, account, name in teams.values_list(
        "contest__data_sets__essay_set", "account", "name"
    ):
        found.setdefault(number, {})[account] = name
    return found
