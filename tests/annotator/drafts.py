"""Drafts for tests of the marking page."""

from __future__ import annotations

from annotator.models import FragmentRecord
from annotator.services.markup import row_of
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory, EssaySetFactory

MISSING = (
    "Semantic blocks are missing: ПРОБЛЕМА Problem, ЛМНЕНИЕ Own opinion, "
    "ПРМНЕНИЕ Opposing opinion, ОБОСНОВАНИЕ Rebuttal, ВЫВОД Conclusion."
)
"""What the checklist says of an English essay no block is marked in."""


def draft_of(text="Some people think.", *fragments, role="first", rules=None, **fields):
    """A draft of an assigned essay with this text and these fragments."""
    if rules:
        fields["essay_set"] = EssaySetFactory(**{f"rules__{key}": rules[key] for key in rules})
    essay = EssayFactory(text=text, **fields)
    assignment = AssignmentFactory(essay=essay, role=role, state="working")
    record = DraftFactory(assignment=assignment, third=role == "third")
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in fragments)
    return record
