"""Essays of tests: two drafts that are ready, and points so far apart that a third is called."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models.functions import Now

from accounts.models import User
from annotator.core.values import Fragment, Span
from annotator.models import Assignment, Essay, FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)

GAP = [
    *(Fragment(Span(start, start + 1), "А.грамм") for start in range(8)),
    *(Fragment(Span(start, start + 1), "А.лекс") for start in range(5)),
]
"""So many mistakes that K3 and K4 are 0: 6 points below a markup without any."""


@dataclass(frozen=True)
class Checks:
    """An essay in work: the drafts of its first and its second check."""

    essay: Essay
    first: MarkupRecord
    second: MarkupRecord

    def thirds(self):
        return Assignment.objects.filter(essay=self.essay, role=Assignment.Role.THIRD)


def people(count, role=User.Role.EXPERT):
    return [PersonFactory(role=role) for _ in range(count)]


def two_checks(one, other, essay_set=None):
    """Two drafts of these experts for a new essay; the two together call a third expert."""
    essay = EssayFactory(essay_set=essay_set or EssaySetFactory())
    return Checks(
        essay,
        draft(essay, Assignment.Role.FIRST, one),
        draft(essay, Assignment.Role.SECOND, other, GAP),
    )


def draft(essay, role, expert, fragments=()):
    assignment = AssignmentFactory(
        essay=essay, role=role, expert=expert, state=Assignment.State.WORKING
    )
    record = DraftFactory(assignment=assignment)
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in fragments)
    return record


def submit_unheard(record):
    """Submit a markup without announcing it: nobody orders work."""
    MarkupRecord.objects.filter(pk=record.pk).update(
        state=MarkupRecord.State.SUBMITTED, submitted_at=Now()
    )
    Assignment.objects.filter(pk=record.assignment_id).update(state=Assignment.State.SUBMITTED)
