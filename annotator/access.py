"""Who may see and do what with an essay and a markup: the one place that decides (R 2.19, 7.9).

How much is seen stands in the table of ``annotator.core.visibility``; here it becomes queries.
Everything else asks these predicates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.roles import STAFF
from annotator.core.visibility import Phase, Sight, Standing, phases_measuring, phases_showing
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord

EVERY_PHASE: Final = frozenset(Phase)
UNFINISHED: Final = (Assignment.State.WAITING, Assignment.State.WORKING)


def essays_seen_by(user: User) -> QuerySet[Essay]:
    """The essays a person may open; who has a markup of an essay as an expert may always."""
    essays = Essay.objects.select_related("essay_set__rules")
    seen = _showing(user, Sight.TEXT)
    if user.role == User.Role.EXPERT:
        seen |= Q(pk__in=MarkupRecord.objects.filter(author=user).values("essay"))
    return essays.filter(seen)


def markups_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The markups a person may open, as they count now; nobody but its author sees a draft."""
    return _markups().filter(Q(author=user) | _submitted(user))


def versions_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The same and what was superseded, for comparison with what came later."""
    superseded = Q(state=MarkupRecord.State.SUPERSEDED) & _of_essays(user, Sight.HISTORY)
    return _markups().filter(Q(author=user) | _submitted(user) | superseded)


def markups_measured_for(user: User) -> QuerySet[MarkupRecord]:
    """Markups by which a person's own may be measured: figures, not a word of text."""
    measured = _essays_in(user, phases_measuring, "essay__")
    return _markups().filter(
        measured,
        state=MarkupRecord.State.SUBMITTED,
        source=MarkupRecord.Source.EXPERT,
    )


def sets_measured_for(user: User) -> QuerySet[EssaySet]:
    """Essay sets whose tables of figures a person may read.

    Open ones; those of which figures are shown, to participants whose markups are among them.
    """
    sets = EssaySet.objects.select_related("rules").order_by("name")
    if user.role in STAFF:
        return sets
    is_open = phase_of_set(phases_showing(Standing.PARTICIPANT, Sight.CHECKS))
    if user.role != User.Role.PARTICIPANT:
        return sets.filter(is_open)
    has_own = Exists(
        MarkupRecord.objects.filter(
            essay__essay_set=OuterRef("pk"), author=user, state=MarkupRecord.State.SUBMITTED
        )
    )
    figures = phase_of_set(phases_measuring(Standing.PARTICIPANT))
    return sets.filter(is_open | (figures & has_own))


def may_mark(user: User, record: MarkupRecord) -> bool:
    """True for an expert's own draft whose assignment is still the expert's."""
    assignment = record.assignment
    return (
        user.role == User.Role.EXPERT
        and record.author_id == user.pk
        and record.state == MarkupRecord.State.DRAFT
        and assignment is not None
        and assignment.is_active
    )


def phase_of_set(phases: frozenset[Phase], prefix: str = "") -> Q:
    """Essay sets in any of these phases; ``prefix`` leads to the set, as in ``essay_set__``."""
    if phases == EVERY_PHASE:
        return Q()
    access, published = f"{prefix}access", f"{prefix}published_at__lte"
    finals = Q(**{access: EssaySet.Access.FINAL})
    is_published = Q(**{published: timezone.now()})
    conditions = {
        Phase.TRAINING: Q(**{access: EssaySet.Access.OPEN}),
        Phase.TEST: Q(**{access: EssaySet.Access.CLOSED}),
        Phase.FINALS: finals & (~is_published | Q(**{f"{prefix}published_at": None})),
        Phase.PUBLISHED: finals & is_published,
    }
    found = Q(pk__in=[])
    for phase in sorted(phases):
        found |= conditions[phase]
    return found


def _markups() -> QuerySet[MarkupRecord]:
    return MarkupRecord.objects.select_related("essay__essay_set__rules", "author", "assignment")


def _submitted(user: User) -> Q:
    """Submitted markups: all of some essays, the experts' ones of others."""
    everything = _of_essays(user, Sight.EVERYTHING)
    checks = _of_essays(user, Sight.CHECKS) & Q(source=MarkupRecord.Source.EXPERT)
    return Q(state=MarkupRecord.State.SUBMITTED) & (everything | checks)


def _of_essays(user: User, sight: Sight) -> Q:
    """Markups of essays of which a person sees at least so much."""
    return _showing(user, sight, "essay__")


def _showing(user: User, sight: Sight, prefix: str = "") -> Q:
    """Essays of which a person sees at least so much; ``prefix`` leads to the essay."""
    return _essays_in(user, lambda standing: phases_showing(standing, sight), prefix)


def _essays_in(
    user: User, phases_of: Callable[[Standing], frozenset[Phase]], prefix: str = ""
) -> Q:
    """Essays in those phases that somebody of the person's standing there may see."""
    found = Q(pk__in=[])
    for standing, essays in _standings(user, prefix).items():
        phases = phases_of(standing)
        if phases:
            found |= essays & phase_of_set(phases, f"{prefix}essay_set__")
    return found


def _standings(user: User, prefix: str) -> dict[Standing, Q]:
    """What a person is to which essays."""
    if user.role in STAFF:
        return {Standing.STAFF: ~Q(pk__in=[])}
    if user.role == User.Role.PARTICIPANT:
        return {Standing.PARTICIPANT: ~Q(pk__in=[])}
    mine = Assignment.objects.filter(expert=user)
    given = mine.exclude(state=Assignment.State.WITHDRAWN)
    at_work = mine.filter(state__in=UNFINISHED)
    first_markings = at_work.exclude(role=Assignment.Role.THIRD)
    third = mine.filter(
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
        essay__essay_set__rules__blind_first=False,
    ).exclude(essay__in=first_markings.values("essay"))
    done = mine.filter(state=Assignment.State.SUBMITTED).exclude(essay__in=at_work.values("essay"))
    key = f"{prefix}pk__in"
    return {
        Standing.EXPERT: ~Q(pk__in=[]),
        Standing.GIVEN: Q(**{key: given.values("essay")}),
        Standing.THIRD: Q(**{key: third.values("essay")}),
        Standing.DONE: Q(**{key: done.values("essay")}),
    }
