"""What the pages of an essay's versions show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.models import Essay, MarkupRecord
from annotator.models.changes import NotCarried
from annotator.queries.essays import versions_of_essay
from annotator.queries.markups import not_carried
from annotator.queries.work import UNFINISHED


@dataclass(frozen=True, slots=True)
class AtStake:
    """What a new version would take along, and what would stay with this one."""

    checks: int
    drafts: int
    markups: int


@dataclass(frozen=True, slots=True)
class Left:
    """Why a draft stands over a new version of its essay, and what that has no place for."""

    because: str
    fragments: Sequence[NotCarried]


def at_stake(essay: Essay) -> AtStake:
    """What a new version of an essay means for its checks and markups."""
    checks = essay.assignments.filter(state__in=UNFINISHED)
    state = MarkupRecord.State
    drafts = essay.markups.filter(state=state.DRAFT, assignment__in=checks)
    markups = essay.markups.filter(state=state.SUBMITTED)
    return AtStake(checks.count(), drafts.count(), markups.count())


def left_of(record: MarkupRecord) -> Left | None:
    """Of a draft over a version that is not the first; asks nothing of any other."""
    essay = record.essay
    if essay.version == 1:
        return None
    former = versions_of_essay(Essay.objects.all(), essay).get(version=essay.version - 1)
    return Left(former.replaced_because, tuple(not_carried(record)))
