"""A contest as programs read it: values, not words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from accounts.models import User
from contest.access import upload_phases_seen_by
from contest.core.parameter_values import session_values
from contest.core.schedule import Change, Lit
from contest.models import Contest, ParameterSet
from contest.pages.lines import ContestLine
from contest.queries.contests import board_sets_of
from contest.queries.parameters import parameters_in_force
from scoring.access import boards_seen_by
from scoring.models import StandingBoard


@dataclass(frozen=True, slots=True)
class PublishedBoard:
    """A board everybody reads: of which kind of set, since when, where; ``json``: as a file."""

    kind: str
    essay_set: str
    published_at: datetime | None
    page: str
    json: str


@dataclass(frozen=True, slots=True)
class PlaceOfUploads:
    """Where the board of uploads is read; ``json``: as a file."""

    page: str
    json: str


@dataclass(frozen=True, slots=True)
class ReportOfContest:
    """A contest with its steps, its parameters in force and its boards, as somebody sees them."""

    line: ContestLine
    parameters: dict[str, Any] | None
    boards: Sequence[PublishedBoard]
    upload_board: PlaceOfUploads | None

    @property
    def contest(self) -> Contest:
        return self.line.contest

    @property
    def step(self) -> Lit | None:
        return self.line.step

    @property
    def is_waiting(self) -> bool:
        return self.line.is_waiting

    @property
    def change(self) -> Change | None:
        return self.line.change

    @property
    def schedule(self) -> Sequence[Lit]:
        return self.line.steps


def report_of(line: ContestLine, reader: User | AnonymousUser) -> ReportOfContest:
    """The report of a contest; so many queries, however many boards and versions it has."""
    in_force = None if line.contest.scheme else parameters_in_force(line.contest)
    boards = _boards_of(line.contest, reader)
    uploads = _board_of_uploads(line.contest, reader)
    return ReportOfContest(line, _values_of(in_force) if in_force else None, boards, uploads)


def _board_of_uploads(contest: Contest, reader: User | AnonymousUser) -> PlaceOfUploads | None:
    if not contest.scheme or not upload_phases_seen_by(reader, contest).exists():
        return None
    names = ("contest:upload_board", "contest:upload_board_json")
    return PlaceOfUploads(*(reverse(name, args=[contest.slug]) for name in names))


def _values_of(found: ParameterSet) -> dict[str, Any]:
    rules = found.rules
    return {
        "version": found.version,
        "since": found.in_force_at,
        "rules": str(rules),
        "weights": [getattr(rules, f"w{number}") for number in range(1, 8)],
        "hardness": rules.hardness,
        "third_total": rules.third_total,
        **session_values(found.session),
        "star_to_qualify": found.star_to_qualify,
        "annulled_to_qualify": found.annulled_to_qualify,
    }


def _boards_of(contest: Contest, reader: User | AnonymousUser) -> list[PublishedBoard]:
    found = board_sets_of(contest, boards_seen_by(reader))
    sets = [each.essay_set_id for each, _run in found]
    boards = StandingBoard.objects.filter(essay_set__in=sets).select_related("essay_set")
    known = {each.essay_set_id: each for each in boards}
    page = reverse("contest:contest_board", args=[contest.slug])
    return [
        PublishedBoard(
            each.role,
            known[each.essay_set_id].essay_set.name,
            known[each.essay_set_id].published_at,
            f"{page}?set={each.pk}",
            reverse("scoring:board_json", args=[each.essay_set_id]),
        )
        for each, _run in found
    ]
