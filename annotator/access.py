"""Who may see and do what with an essay and a markup: the one place that decides (R 2.19, 7.9).

How much is seen stands in the table of ``annotator.core.visibility``; here it becomes queries.
Everything else asks these predicates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db.models import (
    Case,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Now

from accounts.models import User
from accounts.roles import MANAGERS, STAFF
from annotator.alias_models import ExpertAlias
from annotator.core.visibility import (
    Sight,
    Stage,
    Standing,
    stages_measuring,
    stages_showing,
)
from annotator.import_models import EssayImport
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries import UNFINISHED

State = EssaySet.State
EVERY_STAGE: Final = frozenset(Stage)


def has_queue(user: User) -> bool:
    """True for those who are given checks."""
    return user.role == User.Role.EXPERT


def has_training(user: User) -> bool:
    """True for those who train algorithms on open essays."""
    return user.role == User.Role.PARTICIPANT


def may_send_markups(user: User) -> bool:
    """True for those whose algorithms' markups come in through the API."""
    return user.role == User.Role.PARTICIPANT


def may_import(user: User) -> bool:
    """True for those who bring essays and markups in by files."""
    return user.role in MANAGERS


def may_manage_sets(user: User) -> bool:
    """True for those who make and lead essay sets, and correct their essays."""
    return user.role in MANAGERS


def essays_seen_by(user: User) -> QuerySet[Essay]:
    """The essays a person may open; who has a markup of an essay as an expert may always."""
    essays = Essay.objects.select_related("essay_set__rules")
    seen = _showing(user, Sight.TEXT)
    if user.role == User.Role.EXPERT:
        seen |= Q(pk__in=MarkupRecord.objects.filter(author=user).values("essay"))
    return essays.filter(seen)


def sees_everything(user: User, essay: Essay) -> bool:
    """True for those who see every markup of an essay, and what came of them."""
    return Essay.objects.filter(_showing(user, Sight.EVERYTHING), pk=essay.pk).exists()


def markups_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The markups a person may open, as they count now; nobody but its author sees a draft."""
    return _markups(user).filter(Q(author=user) | _submitted(user))


def versions_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The same and what was superseded, for comparison with what came later."""
    superseded = Q(state=MarkupRecord.State.SUPERSEDED) & _of_essays(user, Sight.HISTORY)
    return _markups(user).filter(Q(author=user) | _submitted(user) | superseded)


def markups_measured_for(user: User) -> QuerySet[MarkupRecord]:
    """Markups by which a person's own may be measured: figures, not a word of text."""
    measured = _essays_in(user, stages_measuring, "essay__")
    return _markups(user).filter(
        measured,
        state=MarkupRecord.State.SUBMITTED,
        source=MarkupRecord.Source.EXPERT,
    )


def sets_measured_for(user: User, *, archived: bool = False) -> QuerySet[EssaySet]:
    """Essay sets whose tables of figures a person may read: those of the archive, or all others.

    Open ones; those of which figures are shown, to participants whose markups are among them.
    """
    in_archive = Q(state=State.ARCHIVED)
    sets = EssaySet.objects.filter(in_archive if archived else ~in_archive)
    sets = sets.select_related("rules").order_by("name")
    if user.role in STAFF:
        return sets
    sets = sets.exclude(state=State.PREPARING)
    is_open = stage_of_set(stages_showing(Standing.PARTICIPANT, Sight.CHECKS))
    if user.role != User.Role.PARTICIPANT:
        return sets.filter(is_open)
    has_own = Exists(
        MarkupRecord.objects.filter(
            essay__essay_set=OuterRef("pk"),
            essay__closed_at=None,
            author=user,
            state=MarkupRecord.State.SUBMITTED,
        )
    )
    figures = stage_of_set(stages_measuring(Standing.PARTICIPANT))
    return sets.filter(is_open | (figures & has_own))


def imports_seen_by(user: User) -> QuerySet[EssayImport]:
    """Imports that were begun, for all who manage them; what waits for a word, for its sender."""
    state = EssayImport.State
    waits = Q(state__in=[state.PREVIEW, state.EXPIRED, state.DROPPED])
    found = EssayImport.objects.select_related("actor", "undone_by")
    return found.filter(~waits | Q(actor=user))


def may_see_rivals(user: User, essay_set: EssaySet) -> bool:
    """True when a table of figures is shown with everybody in it, not with one's own line alone."""
    is_open = essay_set.access == EssaySet.Access.OPEN
    return user.role != User.Role.PARTICIPANT or is_open or essay_set.shows_rivals


def may_read_names(user: User) -> bool:
    """True for those who read whose an expert's markup is; everybody else reads an alias, unless
    the set names its experts.
    """
    return user.role in STAFF or user.role == User.Role.EXPERT


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


def stage_of_set(stages: frozenset[Stage], prefix: str = "") -> Q:
    """Essay sets in any of these stages; ``prefix`` leads to the set, as in ``essay_set__``."""
    if stages == EVERY_STAGE:
        return Q()
    access, published = f"{prefix}access", f"{prefix}published_at__lte"
    finals = Q(**{access: EssaySet.Access.FINAL})
    is_published = Q(**{published: Now()})
    conditions = {
        Stage.TRAINING: Q(**{access: EssaySet.Access.OPEN}),
        Stage.TEST: Q(**{access: EssaySet.Access.CLOSED}),
        Stage.FINALS: finals & (~is_published | Q(**{f"{prefix}published_at": None})),
        Stage.PUBLISHED: finals & is_published,
    }
    found = Q(pk__in=[])
    for stage in sorted(stages):
        found |= conditions[stage]
    return found


def _markups(user: User) -> QuerySet[MarkupRecord]:
    """Markups with what their readers need; ``alias``: the number they know an expert by."""
    found = MarkupRecord.objects.select_related("essay__essay_set__rules", "author", "assignment")
    if may_read_names(user):
        return found.annotate(alias=Value(None, IntegerField()))
    numbers = ExpertAlias.objects.filter(
        essay_set=OuterRef("essay__essay_set"), expert=OuterRef("author")
    )
    by_alias = When(
        source=MarkupRecord.Source.EXPERT,
        essay__essay_set__names_experts=False,
        then=Coalesce(Subquery(numbers.values("number")), 0),
    )
    return found.annotate(alias=Case(by_alias, default=None, output_field=IntegerField()))


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
    return _essays_in(user, lambda standing: stages_showing(standing, sight), prefix)


def _essays_in(
    user: User, stages_of: Callable[[Standing], frozenset[Stage]], prefix: str = ""
) -> Q:
    """Essays in those stages that somebody of the person's standing there may see."""
    found = Q(pk__in=[])
    for standing, essays in _standings(user, prefix).items():
        stages = stages_of(standing)
        if stages:
            found |= essays & stage_of_set(stages, f"{prefix}essay_set__")
    return found


def _standings(user: User, prefix: str) -> dict[Standing, Q]:
    """What a person is to which essays."""
    if user.role in STAFF:
        return {Standing.STAFF: ~Q(pk__in=[])}
    if user.role == User.Role.PARTICIPANT:
        return {Standing.PARTICIPANT: ~Q(**{f"{prefix}essay_set__state": State.PREPARING})}
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
