from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from annotator.access import markups_measured_for, markups_seen_by
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.models import CriteriaRecord, PairScore, ThirdCheck


def sheets_of_first_two(essay: Essay) -> tuple[CriteriaRecord, CriteriaRecord] | None:
    """The graded markups of the first and the second check; ``None`` until both are there."""
    sheets = {
        sheet.markup.assignment.role: sheet
        for sheet in CriteriaRecord.objects.filter(
            markup__essay=essay,
            markup__state=MarkupRecord.State.SUBMITTED,
            markup__assignment__round=essay.round,
            markup__assignment__state=Assignment.State.SUBMITTED,
        ).select_related("markup__assignment")
    }
    first, second = sheets.get(Assignment.Role.FIRST), sheets.get(Assignment.Role.SECOND)
    return (first, second) if first and second else None


def essays_waiting_for_third_expert() -> QuerySet[Essay]:
    """Essays that need a third expert while nobody has been free."""
    needed = ThirdCheck.objects.filter(
        essay=OuterRef("pk"),
        round=OuterRef("round"),
        needed=True,
        first__state=MarkupRecord.State.SUBMITTED,  # not reopened: else it is decided again
        second__state=MarkupRecord.State.SUBMITTED,
    )
    held = Assignment.objects.filter(
        essay=OuterRef("pk"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
    )
    return Essay.objects.filter(Exists(needed), ~Exists(held)).order_by("pk")


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a STAR table; figures in percent, not rounded, ``None`` where undefined."""

    participant: User
    essays: int
    star: float | None
    otar: float | None


@dataclass(frozen=True, slots=True)
class StarTable:
    """STAR of every participant of an essay set, best first, and STER of its experts."""

    standings: tuple[Standing, ...]
    ster: float | None
    essays: int


def star_table(essay_set: EssaySet) -> StarTable:
    """The accuracies of an essay set, from its pair scores under the set's rules."""
    (table,) = star_tables([essay_set])
    return table


def star_tables(essay_sets: Sequence[EssaySet]) -> list[StarTable]:
    """The tables of several essay sets, in a constant number of queries."""
    scores: dict[int, list[Score]] = defaultdict(list)
    for set_id, *score in _scores(essay_sets):
        scores[set_id].append(Score(*score))
    people = User.objects.in_bulk(
        {score.author_id for found in scores.values() for score in found if score.is_algorithm}
    )
    return [
        _table(scores[essay_set.pk], people, essay_set.rules.hardness) for essay_set in essay_sets
    ]


class Score(NamedTuple):
    """How exactly a markup repeats an expert's one."""

    essay_id: int
    author_id: int
    source: str
    accuracy: float

    @property
    def is_algorithm(self) -> bool:
        return self.source == MarkupRecord.Source.ALGORITHM


def _scores(essay_sets: Sequence[EssaySet]) -> QuerySet:
    counts = MarkupRecord.State.SUBMITTED
    return (
        PairScore.objects.filter(
            rules=F("assessed__essay__essay_set__rules"),
            assessed__essay__essay_set__in=essay_sets,
            assessed__state=counts,
            reference__state=counts,
            accuracy__isnull=False,
        )
        .order_by("assessed__essay_id", "pk")
        .values_list(
            "assessed__essay__essay_set_id",
            "assessed__essay_id",
            "assessed__author_id",
            "assessed__source",
            "accuracy",
        )
    )


def _table(scores: list[Score], people: Mapping[int, User], hardness: float) -> StarTable:
    experts: dict[int, list[float]] = defaultdict(list)
    algorithms: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        if score.is_algorithm:
            algorithms[score.author_id][score.essay_id].append(score.accuracy)
        else:
            experts[score.essay_id].append(score.accuracy)
    standings = [
        _standing(people[author_id], essays, experts, hardness)
        for author_id, essays in algorithms.items()
    ]
    standings.sort(key=lambda line: (-(line.star or 0), line.participant.pk))
    between = [EssayAccuracy((), tuple(pairs)) for pairs in experts.values()]
    return StarTable(tuple(standings), ster(between), len(experts))


def _standing(
    participant: User,
    essays: dict[int, list[float]],
    experts: dict[int, list[float]],
    hardness: float,
) -> Standing:
    accuracies = [
        EssayAccuracy(tuple(values), tuple(experts.get(essay_id, ())))
        for essay_id, values in essays.items()
    ]
    return Standing(participant, len(essays), star(accuracies, hardness), otar(accuracies))


def essays_on_desk(essay_set: EssaySet | None) -> QuerySet[Essay]:
    """Essays with their checks, points and decisions, in a constant number of queries."""
    submitted = MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)
    essays = Essay.objects.select_related("essay_set__rules").prefetch_related(
        Prefetch("assignments", Assignment.objects.select_related("expert")),
        Prefetch("markups", submitted.select_related("criteria", "author", "assignment")),
        "third_checks",
    )
    if essay_set is not None:
        essays = essays.filter(essay_set=essay_set)
    return essays.order_by("essay_set__name", "number", "pk")


def scores_seen_by(user: User, record: MarkupRecord) -> QuerySet[PairScore]:
    """The scores of a markup against those markups a person may see, or be measured by."""
    seen = Q(reference__in=markups_seen_by(user).filter(essay=record.essay))
    if record.author_id == user.pk:
        seen |= Q(reference__in=markups_measured_for(user).filter(essay=record.essay))
    return (
        PairScore.objects.filter(seen, assessed=record)
        .select_related("rules")
        .order_by("reference_id")
    )


def own_scores(user: User) -> QuerySet[PairScore]:
    """The scores of a person's own markups by those they may be measured by, newest first."""
    return (
        PairScore.objects.filter(
            assessed__author=user,
            assessed__state=MarkupRecord.State.SUBMITTED,
            reference__in=markups_measured_for(user),
            rules=F("assessed__essay__essay_set__rules"),
        )
        .select_related("assessed__essay__essay_set", "rules")
        .order_by("assessed__essay__essay_set__name", "assessed__essay__number", "reference_id")
    )


def accuracies_of(markups: Sequence[MarkupRecord]) -> dict[tuple[int, int], float | None]:
    """M of pairs of markups of one essay under its rules, as far as scored: assessed, reference."""
    numbers = [record.pk for record in markups]
    scores = PairScore.objects.filter(
        rules=F("assessed__essay__essay_set__rules"),
        assessed__in=numbers,
        reference__in=numbers,
    ).values_list("assessed_id", "reference_id", "accuracy")
    return {(assessed, reference): accuracy for assessed, reference, accuracy in scores}
