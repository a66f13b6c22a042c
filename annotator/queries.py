from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Now

from accounts.models import User
from annotator.change_models import NotCarried
from annotator.import_models import EssayImport, ImportedFile
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord, Phrase

UNFINISHED = [Assignment.State.WAITING, Assignment.State.WORKING]
FIRST_TWO = [Assignment.Role.FIRST, Assignment.Role.SECOND]


LATEST = Q(closed_at=None)
"""Essays no other version has taken the place of."""
LISTED = LATEST & ~Q(essay_set__state=EssaySet.State.ARCHIVED)
"""The essays of lists: latest versions, and none from the archive."""
TAKES_CHECKS = LATEST & Q(essay_set__state=EssaySet.State.OPEN)
"""The essays checks may be given of."""


def latest_of(essay: Essay) -> Essay:
    """The version of an essay that counts."""
    return Essay.objects.get(LATEST, essay_set=essay.essay_set_id, number=essay.number)


def versions_of_essay(essays: QuerySet[Essay], essay: Essay) -> QuerySet[Essay]:
    """Those of these essays that are versions of one, first to last."""
    same = essays.filter(essay_set=essay.essay_set_id, number=essay.number)
    return same.order_by("version")


def not_carried(record: MarkupRecord) -> QuerySet[NotCarried]:
    """What the essay's new version had no place for, and its expert has not seen yet."""
    return record.not_carried.filter(dismissed_at=None)


def sets_with_counts(*, archived: bool) -> QuerySet[EssaySet]:
    """Essay sets with the number of their essays and the subjects these have, newest first."""
    counted = Count("essays", filter=Q(essays__closed_at=None))
    in_archive = Q(state=EssaySet.State.ARCHIVED)
    found = EssaySet.objects.filter(in_archive if archived else ~in_archive)
    return found.select_related("rules").annotate(count=counted, now=Now()).order_by("-pk")


def subjects_of(sets: Sequence[EssaySet]) -> dict[int, list[tuple[str, int]]]:
    """How many essays of which subject each set has, in one query."""
    essays = Essay.objects.filter(LATEST, essay_set__in=[each.pk for each in sets])
    counted = essays.values_list("essay_set", "subject").annotate(Count("pk"))
    found: dict[int, list[tuple[str, int]]] = {each.pk: [] for each in sets}
    for set_id, subject, count in counted.order_by("subject"):
        found[set_id].append((subject, count))
    return found


def scored_by_rules(essay_set: EssaySet) -> bool:
    """Was anything handed in under the rules of a set? Scores and decisions name them then."""
    handed_in = MarkupRecord.objects.exclude(state=MarkupRecord.State.DRAFT)
    return handed_in.filter(essay__essay_set=essay_set).exists()


def unfinished_in(essay_set: EssaySet) -> QuerySet[Assignment]:
    """Checks of a set that are given and not submitted."""
    return Assignment.objects.filter(essay__essay_set=essay_set, state__in=UNFINISHED)


def work_of(expert: User) -> QuerySet[Assignment]:
    """An expert's checks that are not submitted, most urgent first."""
    own = MarkupRecord.objects.filter(assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT)
    return (
        Assignment.objects.filter(expert=expert, state__in=UNFINISHED)
        .select_related("essay__essay_set")
        .annotate(
            now=Now(),
            reopened_because=Subquery(own.values("reopened_because")[:1]),
            is_earlier_reopened=Exists(
                reopened_since(OuterRef("created_at")).filter(
                    essay=OuterRef("essay"), assignment__round=OuterRef("round")
                )
            ),
        )
        .order_by("deadline_at", "pk")
    )


def done_by(expert: User) -> QuerySet[Assignment]:
    """An expert's submitted checks, latest first; ``settled_in``: the third check's markup."""
    third = third_markups().filter(essay=OuterRef("essay"), assignment__round=OuterRef("round"))
    return (
        Assignment.objects.filter(expert=expert, state=Assignment.State.SUBMITTED)
        .select_related("essay__essay_set")
        .annotate(settled_in=Subquery(third.values("pk")[:1]))
        .order_by("-submitted_at", "-pk")
    )


def third_markups() -> QuerySet[MarkupRecord]:
    """Submitted markups of third checks."""
    return MarkupRecord.objects.filter(
        state=MarkupRecord.State.SUBMITTED, assignment__role=Assignment.Role.THIRD
    )


def third_markup_beside(record: MarkupRecord) -> MarkupRecord | None:
    """The submitted third check of the round in which a first or second check was made."""
    if record.assignment is None or record.assignment.role not in FIRST_TWO:
        return None
    found = third_markups().filter(essay=record.essay_id)
    return found.filter(assignment__round=record.assignment.round).first()


def reopened_since(moment: Any) -> QuerySet[MarkupRecord]:
    """First and second checks that are open again, or were submitted again after a moment."""
    is_open = Q(state=MarkupRecord.State.DRAFT)
    is_back = Q(state=MarkupRecord.State.SUBMITTED, submitted_at__gt=moment)
    return MarkupRecord.objects.filter(
        is_open | is_back, assignment__role__in=FIRST_TWO, reopened_at__isnull=False
    )


def reopened_beside(record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """Earlier checks that were reopened while a third expert has had the essay."""
    assignment = record.assignment
    if assignment is None or assignment.role != Assignment.Role.THIRD:
        return MarkupRecord.objects.none()
    return (
        reopened_since(assignment.created_at)
        .filter(essay=record.essay_id, assignment__round=assignment.round)
        .select_related("assignment")
        .order_by("assignment__role")
    )


def submitted_markups(essay: Essay) -> QuerySet[MarkupRecord]:
    """The markups of an essay that count, experts before algorithms."""
    return (
        essay.markups.filter(state=MarkupRecord.State.SUBMITTED)
        .select_related("author", "assignment", "essay")
        .prefetch_related("fragments")
        .order_by("-source", "pk")
    )


def earlier_checks(record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """The first and the second check of an essay, for the markup of its third expert (R 7.9)."""
    found = record.essay.markups.filter(
        state=MarkupRecord.State.SUBMITTED,
        assignment__role__in=FIRST_TWO,
        assignment__round=record.essay.round,
    )
    is_draft = record.state == MarkupRecord.State.DRAFT
    is_given = record.assignment is not None and record.assignment.is_active
    is_blind = record.essay.essay_set.rules.blind_first
    if not record.third or (is_draft and (is_blind or not is_given)):
        return found.none()
    return found.select_related("assignment").order_by("assignment__role")


def takeable(record: MarkupRecord) -> QuerySet[FragmentRecord]:
    """The fragments a third expert may take into this draft."""
    return FragmentRecord.objects.filter(markup__in=earlier_checks(record))


def phrases_of(expert: User, code: str, field: Phrase.Field) -> QuerySet[Phrase]:
    """What an expert has written in a field of a code before, most used first."""
    return expert.phrases.filter(code=code, field=field)


def essays_with_markups(essays: QuerySet[Essay], participant: User) -> QuerySet[Essay]:
    """Essays with the numbers of their markups by experts and of the participant's own."""
    submitted = Q(markups__state=MarkupRecord.State.SUBMITTED)
    by_experts = Q(markups__source=MarkupRecord.Source.EXPERT)
    return (
        essays.select_related("essay_set")
        .annotate(
            expert_markups=Count("markups", filter=submitted & by_experts),
            own_markups=Count("markups", filter=submitted & Q(markups__author=participant)),
        )
        .order_by("essay_set__name", "number")
    )


def import_that_replaced(record: MarkupRecord) -> EssayImport | None:
    """The import that brought another markup in the place of this one, if one did."""
    found = EssayImport.objects.exclude(begun_at=None).exclude(state=EssayImport.State.UNDONE)
    return found.filter(files__replaced=record).order_by("-pk").first()


def files_of(batch: EssayImport, outcome: str) -> QuerySet[ImportedFile]:
    """The files of an import, or those of one outcome; what surprised and was refused is first."""
    refused = When(outcome=ImportedFile.Outcome.REFUSED, then=Value(0))
    surprising = When(~Q(foreseen=""), then=Value(0))
    files = batch.files.filter(outcome=outcome) if outcome else batch.files.all()
    return files.order_by(Case(surprising, default=Value(1)), Case(refused, default=1), "name")


def authors_of(batch: EssayImport) -> QuerySet[ImportedFile, dict[str, Any]]:
    """Whose markups an import brings, how many, and whether an account is made for them."""
    brought = batch.files.filter(outcome=ImportedFile.Outcome.MARKUP)
    made = Count("pk", filter=Q(makes_account=True))
    return brought.values("author").annotate(markups=Count("pk"), made=made).order_by("author")


def outcomes_of(batch: EssayImport) -> list[tuple[str, str, int]]:
    """Every outcome of a file, its name, and how many files of an import had it."""
    counted = batch.files.order_by().values_list("outcome").annotate(Count("pk"))
    counts = dict(counted)
    return [(each.value, str(each.label), counts.get(each, 0)) for each in ImportedFile.Outcome]


def third_checks_called_by(batch: EssayImport) -> QuerySet[Assignment]:
    """Third checks that were given since an import, of essays it brought one of the two of."""
    brought = MarkupRecord.objects.filter(
        pk__in=batch.files.order_by().values("markup"), assignment__role__in=FIRST_TWO
    )
    came_along = batch.files.exclude(check_made=None).order_by().values("check_made")
    return (
        Assignment.objects.filter(essay__in=brought.values("essay"), role=Assignment.Role.THIRD)
        .filter(created_at__gte=batch.begun_at)
        .exclude(pk__in=came_along)
    )


def surprising_in(batch: EssayImport) -> QuerySet[ImportedFile]:
    """The files of an import that came out otherwise than its preview said."""
    return batch.files.exclude(foreseen="")
