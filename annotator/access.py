"""Who may see and do what with an essay and a markup: the one place that decides (R 2.19, 7.9).

How much is seen stands in the table of ``annotator.core.visibility``; here it becomes queries.
Everything else asks these predicates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, Final, TypeVar

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
from annotator.core.visibility import Relation, Sight, Stage, stages_measuring, stages_showing
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.models.aliases import ExpertAlias
from annotator.models.imports import EssayImport
from annotator.queries.sets import CHECKED_SETS, kept_back
from annotator.queries.work import UNFINISHED
from web.prepared import Given, Prepared

State = EssaySet.State
Stages = TypeVar("Stages")
EVERY_STAGE: Final = frozenset(Stage)
SOURCES_SHOWN: Final = {
    Sight.EVERYTHING: Q(),
    Sight.CHECKS: Q(source__in=[MarkupRecord.Source.EXPERT, MarkupRecord.Source.KEY]),
    Sight.KEY: Q(source=MarkupRecord.Source.KEY),
}
"""Whose submitted markups each sight shows, the widest first."""
STAGES_OF: Final = {
    EssaySet.Access.OPEN: {Stage.TRAINING},
    EssaySet.Access.CLOSED: {Stage.TEST},
    EssaySet.Access.FINAL: {Stage.FINALS, Stage.PUBLISHED},
    EssaySet.Access.PRACTICE: {Stage.PRACTICE},
}
"""The stages an essay set of each kind goes through."""
_hand_outs: Final[list[Callable[[User], QuerySet[Any, Any]]]] = []


def hands_out(essays_of: Callable[[User], QuerySet[Any, Any]]) -> None:
    """An app above gives essays to participants: ``essays_of`` one, a column of their numbers."""
    _hand_outs.append(essays_of)


def has_queue(user: User) -> bool:
    """True for those who are given checks."""
    return user.role == User.Role.EXPERT


def may_practise(user: User) -> bool:
    """True for those who try essays that have a key."""
    return user.role == User.Role.EXPERT


def has_training(user: User) -> bool:
    """True for those who train algorithms on open essays."""
    return user.role == User.Role.PARTICIPANT


def may_send_markups(user: User) -> bool:
    """True for those whose algorithms' markups come in through the API."""
    return user.role == User.Role.PARTICIPANT


def sees_by_role(user: User) -> bool:
    """True where the role alone says what is seen; what participants are given, apps above know."""
    return user.role in STAFF or user.role == User.Role.EXPERT


def may_import(user: User) -> bool:
    """True for those who bring essays and markups in by files."""
    return user.role in MANAGERS


def may_manage_sets(user: User) -> bool:
    """True for those who make and lead essay sets, and correct their essays."""
    return user.role in MANAGERS


def may_see_sets(user: User) -> bool:
    """True for those who know of every essay set, be it empty."""
    return user.role in STAFF


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
    return _markups(user).filter(_own(user) | _submitted(user))


def own_markups(user: User | Given) -> QuerySet[MarkupRecord]:
    """Those of ``markups_seen_by`` a person whose author the person is, found by nothing else.

    Without an ``alias``: the own name is known.
    """
    return _with_readers_needs().filter(_own(user))


_OWN: Final = Prepared(lambda: own_markups(Given("author")).filter(pk=Given("pk")).order_by())


def own_markup(user: User, pk: int) -> MarkupRecord | None:
    """One of ``own_markups``, if it is; of a participant ``markups_seen_by`` says more."""
    return None if has_training(user) else next(iter(_OWN(author=user.pk, pk=pk)), None)


def versions_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The same and what was superseded, for comparison with what came later."""
    superseded = Q(state=MarkupRecord.State.SUPERSEDED) & _of_essays(user, Sight.HISTORY)
    return _markups(user).filter(_own(user) | _submitted(user) | superseded)


def may_read_history(user: User, record: MarkupRecord) -> bool:
    """True for the log of a submitted check they may see: for its author and for staff."""
    is_done = record.state == MarkupRecord.State.SUBMITTED
    is_check = record.source == MarkupRecord.Source.EXPERT
    return is_done and is_check and (user.role in STAFF or record.author_id == user.pk)


def drafts_counted_for(user: User) -> QuerySet[MarkupRecord]:
    """Checks at work of which a person may know how much is marked and in what time, not what."""
    drafts = MarkupRecord.objects.filter(
        state=MarkupRecord.State.DRAFT,
        source=MarkupRecord.Source.EXPERT,
        assignment__state__in=Assignment.ACTIVE,
    )
    return drafts if user.role in STAFF else drafts.none()


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

    Open ones; those of which figures are shown, to participants whose markups are among them. None
    for practice.
    """
    in_archive = Q(state=State.ARCHIVED)
    sets = EssaySet.objects.filter(CHECKED_SETS, in_archive if archived else ~in_archive)
    sets = sets.select_related("rules").order_by("name")
    if user.role in STAFF:
        return sets
    sets = sets.exclude(state=State.PREPARING)
    is_open = stage_of_set(stages_showing(Relation.PARTICIPANT, Sight.CHECKS))
    if user.role != User.Role.PARTICIPANT:
        return sets.filter(is_open)
    own = MarkupRecord.objects.filter(_own(user), state=MarkupRecord.State.SUBMITTED)
    has_own = Exists(own.filter(essay__essay_set=OuterRef("pk"), essay__closed_at=None))
    figures = stage_of_set(stages_measuring(Relation.PARTICIPANT))
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
    """True for an expert's own draft that is not handed in: a try, or a check the expert has."""
    assignment = record.assignment
    is_at_hand = record.is_try or (assignment is not None and assignment.is_active)
    return (
        user.role == User.Role.EXPERT
        and record.author_id == user.pk
        and record.state == MarkupRecord.State.DRAFT
        and record.final_at is None
        and is_at_hand
    )


def stage_of_set(stages: frozenset[Stage], prefix: str = "") -> Q:
    """Essay sets in any of these stages; ``prefix`` leads to the set, as in ``essay_set__``."""
    if stages == EVERY_STAGE:
        return Q()
    access, published = f"{prefix}access", f"{prefix}published_at"
    whole = [kind for kind, its in STAGES_OF.items() if its <= stages]
    found = Q(**{f"{access}__in": whole})
    if len(stages & STAGES_OF[EssaySet.Access.FINAL]) == 1:
        is_published = Q(**{f"{published}__lte": Now()})
        is_waiting = ~is_published | Q(**{published: None})
        moment = is_published if Stage.PUBLISHED in stages else is_waiting
        found |= Q(**{access: EssaySet.Access.FINAL}) & moment
    return found


def _markups(user: User) -> QuerySet[MarkupRecord]:
    """Markups with what their readers need; ``alias``: the number they know an expert by."""
    found = _with_readers_needs()
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


def _own(user: User | Given) -> Q:
    """Own markups; who takes part reads none that were made before as an expert (R 2.7)."""
    own, by_algorithm = Q(author=user), Q(source=MarkupRecord.Source.ALGORITHM)
    return own & by_algorithm if isinstance(user, User) and has_training(user) else own


def _with_readers_needs() -> QuerySet[MarkupRecord]:
    return MarkupRecord.objects.select_related("essay__essay_set__rules", "author", "assignment")


def _submitted(user: User) -> Q:
    """Submitted markups: all of some essays, the experts' ones of others, of some the key.

    What a person is to which essays stands in the query once, not once a sight.
    """
    found = Q(pk__in=[])
    for stages, essays in _alike(user, "essay__", _stages_of_sources).items():
        found |= essays & _sources_shown(stages)
    return Q(state=MarkupRecord.State.SUBMITTED) & found


def _stages_of_sources(relation: Relation) -> tuple[frozenset[Stage], ...]:
    stages = tuple(stages_showing(relation, sight) for sight in SOURCES_SHOWN)
    return stages if any(stages) else ()


def _sources_shown(stages: tuple[frozenset[Stage], ...]) -> Q:
    """Markups of each source, as far as its stages go; those of all in all are no condition."""
    found, covered = [], frozenset[Stage]()
    for source, shown in zip(SOURCES_SHOWN.values(), stages, strict=True):
        if shown - covered:
            found.append(stage_of_set(shown - covered, "essay__essay_set__") & source)
            covered |= shown
    return reduce(or_, found)


def _of_essays(user: User, sight: Sight) -> Q:
    """Markups of essays of which a person sees at least so much."""
    return _showing(user, sight, "essay__")


def _showing(user: User, sight: Sight, prefix: str = "") -> Q:
    """Essays of which a person sees at least so much; ``prefix`` leads to the essay."""
    return _essays_in(user, lambda relation: stages_showing(relation, sight), prefix)


def _essays_in(
    user: User, stages_of: Callable[[Relation], frozenset[Stage]], prefix: str = ""
) -> Q:
    """Essays in those stages that the person may see by a relation to them."""
    found = Q(pk__in=[])
    for stages, essays in _alike(user, prefix, stages_of).items():
        found |= essays & stage_of_set(stages, f"{prefix}essay_set__")
    return found


def _alike(user: User, prefix: str, stages_of: Callable[[Relation], Stages]) -> dict[Stages, Q]:
    """What a person is to which essays: those of the same stages together, others not asked."""
    found: dict[Stages, Q] = {}
    for relation, essays_of in _relations(user, prefix).items():
        stages = stages_of(relation)
        if stages:
            essays = essays_of()
            found[stages] = found[stages] | essays if stages in found else essays
    return found


def _relations(user: User, prefix: str) -> dict[Relation, Callable[[], Q]]:
    """What a person is, and to which essays when somebody asks: not every relation is asked."""
    if user.role in STAFF:
        return {Relation.STAFF: _all_essays}
    if user.role == User.Role.PARTICIPANT:
        sets_at_work = ~Q(**{f"{prefix}essay_set__state": State.PREPARING})
        return {
            Relation.PARTICIPANT: lambda: sets_at_work & ~kept_back(prefix),
            Relation.HANDED: lambda: _handed_out(user, prefix),
        }

    def among(rows: Callable[[User], QuerySet[Any]]) -> Callable[[], Q]:
        return lambda: Q(**{f"{prefix}pk__in": rows(user).values("essay")})

    return {Relation.EXPERT: _all_essays} | {
        relation: among(rows) for relation, rows in ROWS_OF_EXPERTS.items()
    }


def _all_essays() -> Q:
    return ~Q(pk__in=[])


def _handed_out(user: User, prefix: str) -> Q:
    """Essays the apps above gave to a participant."""
    found = Q(pk__in=[])
    for essays_of in _hand_outs:
        found |= Q(**{f"{prefix}pk__in": essays_of(user)})
    return found


def _given(user: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(expert=user).exclude(state=Assignment.State.WITHDRAWN)


def _at_work(user: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(expert=user, state__in=UNFINISHED)


def _third(user: User) -> QuerySet[Assignment]:
    first_markings = _at_work(user).exclude(role=Assignment.Role.THIRD)
    return Assignment.objects.filter(
        expert=user,
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
        essay__essay_set__rules__blind_first=False,
    ).exclude(essay__in=first_markings.values("essay"))


def _done(user: User) -> QuerySet[Assignment]:
    submitted = Assignment.objects.filter(expert=user, state=Assignment.State.SUBMITTED)
    return submitted.exclude(essay__in=_at_work(user).values("essay"))


def _trying(user: User) -> QuerySet[MarkupRecord]:
    return _tries(user).filter(state=MarkupRecord.State.DRAFT)


def _tried(user: User) -> QuerySet[MarkupRecord]:
    return _tries(user).filter(state=MarkupRecord.State.SUBMITTED)


def _tries(user: User) -> QuerySet[MarkupRecord]:
    return MarkupRecord.objects.filter(author=user, source=MarkupRecord.Source.PRACTICE)


ROWS_OF_EXPERTS: Final[dict[Relation, Callable[[User], QuerySet[Any]]]] = {
    Relation.GIVEN: _given,
    Relation.THIRD: _third,
    Relation.DONE: _done,
    Relation.TRYING: _trying,
    Relation.TRIED: _tried,
}
"""By which rows an expert has to do with an essay."""


def may_read_keys(user: User) -> bool:
    """True for those who see what tries of a practice essay are compared with before any try."""
    return user.role in STAFF
