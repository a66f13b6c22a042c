"""What is decided of an essay's checks, and what is not yet."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.core.values import Markup
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.markups import know_sources
from annotator.queries.sets import idle_essays
from annotator.queries.third_checks import FIRST_TWO, earlier_checks
from review.core.settling import Decisions, pairs
from review.models import Ruling, ThirdCheck
from scoring.models import CriteriaRecord
from scoring.queries.tables import points_of_checks


def sheets_of_first_two(essay: Essay) -> tuple[CriteriaRecord, CriteriaRecord] | None:
    """The graded markups of the first and the second check; ``None`` until both are there."""
    sheets = points_of_checks(essay)
    first, second = sheets.get(Assignment.Role.FIRST), sheets.get(Assignment.Role.SECOND)
    return (first, second) if first and second else None


def earlier_reopened(essay: Essay) -> bool:
    """Was the first or the second check of the present round ever reopened?"""
    ever = MarkupRecord.objects.filter(essay=essay, reopened_at__isnull=False)
    return ever.filter(assignment__role__in=FIRST_TWO, assignment__round=essay.round).exists()


def is_open_because(check: Assignment, reason: str) -> bool:
    """Is a check open at this moment that was reopened for this reason?"""
    draft = MarkupRecord.State.DRAFT
    return check.markups.filter(state=draft, reopened_because=reason).exists()


def standing_decisions(
    *, essay_set: EssaySet | None = None, subject: str | None = None
) -> QuerySet[ThirdCheck]:
    """The decisions of the present rounds whose two checks are both submitted."""
    found = ThirdCheck.objects.filter(
        round=F("essay__round"),
        essay__closed_at=None,
        first__state=MarkupRecord.State.SUBMITTED,
        second__state=MarkupRecord.State.SUBMITTED,
    )
    if essay_set:
        found = found.filter(essay__essay_set=essay_set)
    if subject:
        found = found.filter(essay__subject=subject)
    return (
        found.select_related("essay__essay_set__rules", "first__essay", "second__essay")
        .prefetch_related("first__fragments", "second__fragments")
        .order_by("essay__essay_set__name", "essay__number", "pk")
    )


def thirds_nobody_has() -> QuerySet[ThirdCheck]:
    """Decisions for a third expert while nobody has been free, the longest untried first; of idle
    essays none is wanted.
    """
    held = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
    )
    # conditions, not joins: the few decisions are looked through, not all essays
    present = Essay.objects.filter(
        ~idle_essays(),
        pk=OuterRef("essay"),
        round=OuterRef("round"),
        closed_at=None,
        essay_set__state=EssaySet.State.OPEN,
    )
    # a reopened check is decided about again
    submitted = MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)
    first, second = (submitted.filter(pk=OuterRef(side)) for side in ("first", "second"))
    return ThirdCheck.objects.filter(
        ~Exists(held),
        Exists(present.order_by()),
        Exists(first.order_by()),
        Exists(second.order_by()),
        needed=True,
    ).order_by(F("tried_at").asc(nulls_first=True), "pk")


def sides_beside(third: MarkupRecord) -> tuple[Markup, Markup]:
    """The first and the second check for their third expert; empty where one may not be seen."""
    earlier = earlier_checks(third).prefetch_related("fragments")
    found = {each.assignment.role: each.to_core() for each in earlier if each.assignment}
    empty = Markup(third.essay.text)
    return found.get(Assignment.Role.FIRST, empty), found.get(Assignment.Role.SECOND, empty)


def partners_beside(third: MarkupRecord) -> dict[int, int]:
    """To each fragment of the earlier checks that of the other check in its pair, if any."""
    found = pairs(*sides_beside(third))
    return {one: other for pair in found for one in pair for other in pair - {one}}


def taken_in(third: MarkupRecord) -> dict[int, int]:
    """The fragments of the earlier checks that a markup has taken, with the numbers of its own."""
    rows = sorted(third.rows(), key=lambda row: row.taken_from_id or 0)
    return {row.taken_from_id: row.pk for row in rows if row.taken_from_id}


def edited_in(third: MarkupRecord) -> list[int]:
    """The fragments of the earlier checks whose copies were changed since they were taken."""
    rows = know_sources(third.rows())
    return [row.taken_from_id for row in rows if row.taken_from_id and not row.is_as_taken]


def rulings_of(third: MarkupRecord) -> tuple[list[int], dict[int, str]]:
    """The fragments of the earlier checks a third expert said to take neither of; the reasons."""
    rows = Ruling.objects.filter(markup=third).order_by("pk")
    found = list(rows.values_list("fragment_id", "neither", "reason"))
    reasons = {number: reason for number, _neither, reason in found if reason}
    return [number for number, neither, _reason in found if neither], reasons


def reasons_of(third: MarkupRecord) -> dict[int, str]:
    """What a third expert has written about fragments of the earlier checks."""
    return rulings_of(third)[1]


def neither_of(third: MarkupRecord) -> list[int]:
    """The fragments of the earlier checks a third expert said to take neither of."""
    return rulings_of(third)[0]


def decisions_of(third: MarkupRecord) -> Decisions:
    """What a third expert has decided about the pairs of the earlier checks."""
    taken, neither = taken_in(third), set(neither_of(third))
    found = pairs(*sides_beside(third))
    decided = {each for pair in found if pair & {*taken, *neither} for each in pair}
    dropped = {each for pair in found if pair & neither and not pair & {*taken} for each in pair}
    return Decisions(taken, frozenset(dropped), frozenset(decided))


def undecided_pairs(third: MarkupRecord) -> list[frozenset[int]]:
    """The pairs of the earlier checks the third expert has decided nothing about."""
    touched = {*taken_in(third), *neither_of(third)}
    return [pair for pair in pairs(*sides_beside(third)) if not pair & touched]
