from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from annotator.access import markups_measured_for, markups_seen_by
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.solutions import is_told_by_essays, solutions_untold
from scoring.core.entries import Annulment
from scoring.core.standings import Present, Score, Table, essays_in_want, table
from scoring.models import CriteriaRecord, PairScore
from scoring.queries.annulments import annulments_among

MANY_ESSAYS: Final = 1000
"""More than so many are not listed in a query: all are asked for."""


def graded_markups(
    *, essay_set: EssaySet | None = None, subject: str | None = None
) -> QuerySet[CriteriaRecord]:
    """The stored points of submitted markups, with all that is needed to compute them anew."""
    found = CriteriaRecord.objects.filter(markup__state=MarkupRecord.State.SUBMITTED)
    if essay_set:
        found = found.filter(markup__essay__essay_set=essay_set)
    if subject:
        found = found.filter(markup__essay__subject=subject)
    return (
        found.select_related("markup__essay__essay_set", "markup__author")
        .prefetch_related("markup__fragments")
        .order_by("markup__essay__essay_set__name", "markup__essay__number", "pk")
    )


def points_of_checks(essay: Essay) -> dict[str, CriteriaRecord]:
    """The points of the submitted checks of an essay's present round, by check."""
    found = CriteriaRecord.objects.filter(
        markup__essay=essay,
        markup__state=MarkupRecord.State.SUBMITTED,
        markup__assignment__round=essay.round,
        markup__assignment__state=Assignment.State.SUBMITTED,
    ).select_related("markup__assignment")
    return {each.markup.assignment.role: each for each in found if each.markup.assignment}


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a STAR table; figures in percent, not rounded, ``None`` where undefined.

    ``essays`` count; who has fewer than the table measures has no ``place``. ``origin``: the
    session the answers come from, empty where they were sent freely.
    """

    participant: User
    essays: int
    star: float | None
    otar: float | None
    place: int | None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Annulled:
    """A solution that does not stand: it has neither figures nor a place and moves no other."""

    participant: User
    origin: str
    annulment: Annulment


@dataclass(frozen=True, slots=True)
class StarTable:
    """STAR of every solution of an essay set, best first, and STER of its experts.

    ``essays`` have two experts, ``measured`` ones at least one; ``apart``: annulled solutions.
    """

    standings: tuple[Standing, ...]
    ster: float | None
    essays: int
    measured: int
    apart: tuple[Annulled, ...] = ()


def star_table(essay_set: EssaySet) -> StarTable:
    """The accuracies of an essay set, from its pair scores under the set's rules."""
    (found,) = star_tables([essay_set])
    return found


def star_tables(essay_sets: Sequence[EssaySet]) -> list[StarTable]:
    """The tables of several essay sets, in a constant number of queries."""
    present = _present(essay_sets)
    annulled = annulments_among(
        {number: set(map(solution_of, markups)) for number, markups in present.items()}
    )
    standing = {
        number: [each for each in markups if solution_of(each) not in annulled[number]]
        for number, markups in present.items()
    }
    scores = _scores(essay_sets, standing)
    tables = [
        table(standing[each.pk], scores.get(each.pk, ()), each.rules.hardness)
        for each in essay_sets
    ]
    authors = {line.author for each in tables for line in each.lines}
    authors |= {author for each in annulled.values() for author, _origin in each}
    people = User.objects.in_bulk(authors)
    return [
        _star_table(found, people, _apart(annulled[each.pk], people))
        for each, found in zip(essay_sets, tables, strict=True)
    ]


def solution_of(markup: Present) -> tuple[int, str]:
    """The author and the origin of a markup: what belongs together."""
    return markup.author, markup.origin


def _apart(
    annulled: Mapping[tuple[int, str], Annulment],
    people: Mapping[int, User],
) -> tuple[Annulled, ...]:
    found = [
        Annulled(people[author], origin, annulment)
        for (author, origin), annulment in annulled.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.participant.username, each.origin)))


def _present(essay_sets: Sequence[EssaySet]) -> dict[int, list[Present]]:
    """The submitted markups of the latest versions by essay set."""
    found: dict[int, list[Present]] = {essay_set.pk: [] for essay_set in essay_sets}
    markups = MarkupRecord.objects.filter(
        essay__essay_set__in=essay_sets,
        essay__closed_at=None,
        state=MarkupRecord.State.SUBMITTED,
    )
    fields = ("essay__essay_set_id", "source", "origin", "essay_id", "pk", "author_id")
    for set_id, source, origin, *values in markups.order_by("pk").values_list(*fields):
        is_expert = source == MarkupRecord.Source.EXPERT
        found[set_id].append(Present(*values, is_expert, origin))
    return found


def _scores(
    essay_sets: Sequence[EssaySet], present: Mapping[int, Sequence[Present]]
) -> dict[int, list[Score]]:
    """The scores of submitted markups by essay set, and the former ones where some are missing."""
    pairs = PairScore.objects.filter(
        rules=F("assessed__essay__essay_set__rules"),
        assessed__essay__essay_set__in=essay_sets,
        assessed__essay__closed_at=None,
    )
    counts = MarkupRecord.State.SUBMITTED
    found = _by_set(pairs.filter(assessed__state=counts, reference__state=counts))
    wanting = {
        essay
        for set_id, markups in present.items()
        for essay in essays_in_want(markups, found[set_id])
    }
    if wanting:
        draft, former = MarkupRecord.State.DRAFT, MarkupRecord.State.SUPERSEDED
        pairs = pairs.filter(Q(assessed__state=former) | Q(reference__state=former))
        pairs = pairs.exclude(assessed__state=draft).exclude(reference__state=draft)
        if len(wanting) <= MANY_ESSAYS:
            pairs = pairs.filter(assessed__essay__in=wanting)
        for set_id, scores in _by_set(pairs).items():
            found[set_id] += scores
    return found


def _by_set(pairs: QuerySet[PairScore]) -> dict[int, list[Score]]:
    found: dict[int, list[Score]] = defaultdict(list)
    for set_id, *values in pairs.values_list(
        "assessed__essay__essay_set_id",
        "assessed__essay_id",
        "assessed_id",
        "assessed__author_id",
        "reference_id",
        "reference__author_id",
        "accuracy",
        "assessed__origin",
    ):
        found[set_id].append(Score(*values))
    return found


def _star_table(found: Table, people: Mapping[int, User], apart: tuple[Annulled, ...]) -> StarTable:
    standings = [
        Standing(people[line.author], line.essays, line.star, line.otar, line.place, line.origin)
        for line in found.lines
    ]
    standings.sort(
        key=lambda line: (
            line.place is None,
            -(line.star or 0),
            line.participant.username,
            line.origin,
        )
    )
    return StarTable(tuple(standings), found.ster, found.essays, found.measured, apart)


def scores_seen_by(user: User, record: MarkupRecord) -> QuerySet[PairScore]:
    """The scores of a markup against those markups a person may see, or be measured by.

    Of a test set none of a solution of few essays, as in its report.
    """
    seen = Q(reference__in=markups_seen_by(user).filter(essay=record.essay))
    if record.author_id == user.pk and is_told_by_essays(record):
        seen |= Q(reference__in=markups_measured_for(user).filter(essay=record.essay))
    return (
        PairScore.objects.filter(seen, assessed=record)
        .select_related("rules")
        .order_by("reference_id")
    )


def own_scores(user: User) -> QuerySet[PairScore]:
    """The scores of a person's own markups by those they may be measured by.

    Of the latest versions of essays; of test sets none of solutions of few essays, as in their
    reports. ``alias``: the number the person knows the expert by.
    """
    measuring = markups_measured_for(user)
    untold = Q(pk__in=[])
    for number, origins in solutions_untold(user.pk).items():
        untold |= Q(assessed__essay__essay_set=number, assessed__origin__in=origins)
    return (
        PairScore.objects.filter(
            Exists(measuring.filter(pk=OuterRef("reference")).order_by()),
            assessed__author=user,
            assessed__source=MarkupRecord.Source.ALGORITHM,
            assessed__essay__closed_at=None,
            assessed__state=MarkupRecord.State.SUBMITTED,
            rules=F("assessed__essay__essay_set__rules"),
        )
        .exclude(untold)
        .annotate(alias=Subquery(measuring.filter(pk=OuterRef("reference")).values("alias")))
        .select_related("assessed__essay__essay_set", "reference__author", "rules")
        .order_by(
            *("assessed__essay__essay_set__name", "assessed__essay__number"),
            *("assessed_id", "reference_id"),
        )
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
