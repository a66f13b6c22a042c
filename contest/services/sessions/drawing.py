"""Which essays a session gets: drawn by its seed, so that anybody can draw them again."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from contest.access import sets_for_sessions
from contest.models import ExchangeSession
from contest.models import Final as PlannedFinal
from contest.queries.uploads import sets_of_uploads

Pool = ExchangeSession.Pool
ACCESS: Final = {Pool.TRAINING: EssaySet.Access.OPEN, Pool.TEST: EssaySet.Access.CLOSED}
ENGLISH: Final = ("eng", "eng-free")
"""Subjects of the language ``eng``; ``rus`` is all that is not English."""
TECHNICAL_FILES: Final = 5
EXPERTS: Final = 2


def pool_of(
    pool: str,
    account: User,
    *,
    language: str = "all",
    subject: str = "",
    essay_set: EssaySet | None = None,
) -> QuerySet[Essay]:
    """The essays of a pool for an account that two experts have marked (original.md 1.5).

    Where none is named, a test set of the account's contest is never mixed with sets of none: a
    solution is over the whole set (R 2.7).
    """
    by_experts = Q(
        markups__source=MarkupRecord.Source.EXPERT, markups__state=MarkupRecord.State.SUBMITTED
    )
    found = _of_sets(pool, account, language, subject)
    if essay_set is not None:
        found = found.filter(essay_set=essay_set)
    marked = found.annotate(checks=Count("markups", filter=by_experts)).filter(checks__gte=EXPERTS)
    if essay_set is None and pool == Pool.TEST:
        of_contest = marked.filter(essay_set__data_set__isnull=False)
        return of_contest if of_contest.exists() else marked
    return marked


def technical_essays(account: User) -> QuerySet[Essay]:
    """The small fixed set by which a connection is tried: the first training essays."""
    return _of_sets(Pool.TRAINING, account, "all", "")


def draw(essays: QuerySet[Essay], *, count: int, seed: int) -> list[Essay]:
    """So many of these essays, fewer if there are fewer, in the order the seed gives.

    No two of them have the same number: it is the name of the file.
    """
    numbers = dict(essays.order_by("-pk").values_list("number", "pk"))
    drawn = _shuffled(sorted(numbers.values()), seed)[:count]
    return _in_this_order(drawn)


def first_of(essays: QuerySet[Essay], *, count: int) -> list[Essay]:
    """The first essays by their numbers in the files' names, the same for everybody."""
    numbers = dict(essays.order_by("-pk").values_list("number", "pk"))
    return _in_this_order([numbers[number] for number in sorted(numbers)[:count]])


def draw_final(
    final: PlannedFinal, *, count: int | None, given_out: Collection[str]
) -> list[Essay]:
    """The files of a final in their order: essays of its set, none of the numbers given out."""
    essays = Essay.objects.filter(LATEST, essay_set=final.essay_set).exclude(number__in=given_out)
    return draw(essays, count=count or essays.count(), seed=final.seed)


def _of_sets(pool: str, account: User, language: str, subject: str) -> QuerySet[Essay]:
    found = Essay.objects.filter(
        LATEST,
        essay_set__in=sets_for_sessions(account).values("pk"),
        essay_set__access=ACCESS[Pool(pool)],
    ).exclude(essay_set__in=sets_of_uploads().values("pk"))
    if language == "rus":
        found = found.exclude(subject__in=ENGLISH)
    elif language == "eng":
        found = found.filter(subject__in=ENGLISH)
    if subject:
        found = found.filter(subject=subject)
    return found


def _shuffled(numbers: list[int], seed: int) -> list[int]:
    # the seed draws them again: no secret
    random.Random(seed).shuffle(numbers)  # noqa: S311  # nosec B311
    return numbers


def _in_this_order(numbers: Sequence[int]) -> list[Essay]:
    found: dict[int, Essay] = {}
    for start in range(0, len(numbers), 500):
        found |= Essay.objects.in_bulk(numbers[start : start + 500])
    return [found[number] for number in numbers]
