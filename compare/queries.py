from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from django.db.models import Q, QuerySet

from accounts.models import User
from annotator.access import (
    markups_measured_for,
    markups_seen_by,
    sees_by_role,
    versions_seen_by,
)
from annotator.models import Essay, FragmentRecord, MarkupRecord, RuleSet
from annotator.queries.solutions import is_told_by_essays
from web.prepared import Given, Prepared


@dataclass(frozen=True, slots=True)
class Sides:
    """Two markups to compare; ``figures_only``: without a word of the essay, and without the points
    of the one that is not the reader's.
    """

    left: MarkupRecord
    right: MarkupRecord
    figures_only: bool = False

    @property
    def rules(self) -> RuleSet:
        return self.left.essay.essay_set.rules

    @property
    def are_of_one_essay(self) -> bool:
        return self.left.essay_id == self.right.essay_id

    @property
    def are_first_two(self) -> bool:
        """The rule of the third check is for the first two experts only."""
        expert = MarkupRecord.Source.EXPERT
        return all(each.source == expert and not each.third for each in (self.left, self.right))


def sides_seen_by(user: User, left: int, right: int) -> Sides | None:
    """Two markups as far as a person may lay them side by side; ``None`` if not at all."""
    wanted, these = {left, right}, Q(pk=left) | Q(pk=right)  # a number may be too big for IN
    found = {record.pk: record for record in _two_seen_by(user, left, right)}
    if wanted <= found.keys():
        return Sides(found[left], found[right])
    own = [record for record in found.values() if record.author_id == user.pk]
    measured = markups_measured_for(user).filter(these).prefetch_related("fragments")
    by_figures = {record.pk: record for record in (*measured, *own)}
    if not own or not wanted <= by_figures.keys():
        return None
    sides = Sides(by_figures[left], by_figures[right], figures_only=True)
    is_told = sides.are_of_one_essay and all(map(is_told_by_essays, own))
    return sides if is_told else None


def versions_of(user: User, essay: Essay) -> list[MarkupRecord]:
    """What a person may lay side by side of an essay: experts first, then by their authors.

    Who knows experts by aliases has them in the order of these: no account is to be guessed.
    """
    if sees_by_role(user):
        return _versions_for(user.role)(reader=user.pk, essay=essay.pk)
    return list(_versions_of(user, essay))


class _Reader(Given):
    """Whoever has a role, in a query that is prepared for all of them."""

    def __init__(self, role: str) -> None:
        super().__init__("reader")
        self.role = role


def _two_seen_by(user: User, left: int, right: int) -> list[MarkupRecord]:
    """Those of two markups that a person may open, with their fragments."""
    if sees_by_role(user):
        found = _two_for(user.role)(reader=user.pk, left=left, right=right)
    else:
        found = list(versions_seen_by(user).filter(Q(pk=left) | Q(pk=right)))
    rows = _FRAGMENTS(left=left, right=right)
    for record in found:
        record.known = [row for row in rows if row.markup_id == record.pk]
    return found


_FRAGMENTS: Final = Prepared(
    lambda: FragmentRecord.objects.filter(Q(markup=Given("left")) | Q(markup=Given("right")))
)


@cache
def _two_for(role: str) -> Prepared[MarkupRecord]:
    these = Q(pk=Given("left")) | Q(pk=Given("right"))
    return Prepared(lambda: versions_seen_by(_Reader(role)).filter(these))  # type: ignore[arg-type]


@cache
def _versions_for(role: str) -> Prepared[MarkupRecord]:
    return Prepared(lambda: _versions_of(_Reader(role), Given("essay")))


def _versions_of(reader: User | _Reader, essay: Essay | Given) -> QuerySet[MarkupRecord]:
    return (
        versions_seen_by(reader)  # type: ignore[arg-type]
        .filter(essay=essay)
        .order_by("-source", "assignment__round", "alias", "author_id", "pk")
    )


def checks_beside(user: User, record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """The experts' markups of an essay that a person may lay a markup against."""
    return (
        markups_seen_by(user)
        .filter(
            essay=record.essay,
            source=MarkupRecord.Source.EXPERT,
            state=MarkupRecord.State.SUBMITTED,
        )
        .exclude(pk=record.pk)
        .prefetch_related("fragments")
        .order_by("assignment__round", "pk")
    )
