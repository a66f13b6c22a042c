"""Which checks are compared: those of two experts, made apart from each other."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotator.models import Assignment, EssaySet, MarkupRecord


def checks_apart() -> QuerySet[MarkupRecord]:
    """Graded checks of the latest versions and their present rounds, the third ones left out: their
    experts saw the others.

    Those beside the checks, which came in with an import, are of every round.
    """
    own = Q(assignment=None) | Q(assignment__round=F("essay__round"))
    return MarkupRecord.objects.filter(
        own,
        essay__closed_at=None,
        state=MarkupRecord.State.SUBMITTED,
        source=MarkupRecord.Source.EXPERT,
        third=False,
        criteria__isnull=False,
    ).exclude(assignment__role=Assignment.Role.THIRD)


def sets_with_pairs() -> QuerySet[EssaySet]:
    """Sets with two such checks of one essay, by different experts."""
    other = checks_apart().filter(essay=OuterRef("essay"), author__gt=OuterRef("author"))
    paired = checks_apart().filter(Exists(other), essay__essay_set=OuterRef("pk"))
    return EssaySet.objects.filter(Exists(paired))
