"""What needs a coordinator's eye: work that stands still, points that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now

from accounts.models import User
from accounts.queries import WITHOUT_PASSWORD
from annotator.core.problems import Problem
from annotator.core.stated import frozen
from annotator.core.validation import compare_criteria
from annotator.models import Assignment, MarkupRecord
from annotator.queries.work import HANDED_IN, UNFINISHED
from jobs.queries import failed_jobs, standstill, waiting_long
from review.queries.notes import notes_to_answer
from review.queries.settling import thirds_nobody_has
from review.queries.verdicts import sets_given_back
from scoring.models import CriteriaRecord
from web.prepared import Prepared

SILENT_DAYS: Final = 3
"""A check that was begun and not touched for so many days is a problem."""

UNUSED_DAYS: Final = 3
"""Who was given checks so many days ago and never was here since is a problem."""

MOST_READ: Final = 2000
"""Of so many markups with stated points, the latest ones, those are told that differ."""


def silent_checks(days: int) -> QuerySet[Assignment]:
    """Checks that were begun and not touched for so many days, the longest untouched first.

    A check that was given since then is none, though its expert's draft may be older.
    """
    since = Now() - timedelta(days=days)
    drafts = MarkupRecord.objects.filter(assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT)
    drafts = drafts.order_by()
    touched = Exists(drafts.filter(active_at__gte=since))
    return (
        Assignment.objects.filter(
            Q(state__in=UNFINISHED),  # whose index is short, while most checks are done
            state=Assignment.State.WORKING,
            created_at__lt=since,
            round=F("essay__round"),
        )
        .annotate(
            seen_at=Coalesce(Subquery(drafts.values("active_at")[:1]), F("created_at")), now=Now()
        )
        .filter(~HANDED_IN, ~touched)
        .select_related("expert", "essay__essay_set")
        .defer("essay__text", "essay__task_text")
        .order_by("seen_at", "pk")
    )


def unused_accounts() -> QuerySet[User]:
    """Experts who were never here though they have held open checks for ``UNUSED_DAYS``, those with
    the most of these first.
    """
    since = Now() - timedelta(days=UNUSED_DAYS)
    mine = Assignment.objects.filter(expert=OuterRef("pk"), created_at__lt=since)
    held = mine.filter(state__in=UNFINISHED).order_by()
    count = Subquery(held.values("expert").annotate(n=Count("pk")).values("n"))
    never = WITHOUT_PASSWORD | Q(last_login=None)
    found = User.objects.filter(never, Exists(held), role=User.Role.EXPERT)
    return found.annotate(held=count, now=Now()).order_by("-held", "full_name", "username")


class Matters(NamedTuple):
    """How many rows of each kind somebody has to do something about.

    ``waiting``: jobs that wait long, which matter together, and only where they stand still.
    """

    notes: int
    waiting: int
    failed: int
    silent: int
    unused: int
    thirds: int
    returned: int

    @property
    def all(self) -> int:
        """How much there is to do; asks once more where jobs wait."""
        return sum(self) - self.waiting + bool(standstill(self.waiting))


def matters_to_solve() -> Matters:
    """The matters of the page that are to be solved, in one query.

    Points that were stated otherwise are facts.
    """
    counts = dict(_COUNTS())
    return Matters(*(counts.get(part, 0) for part in range(len(_MATTERS))))


_MATTERS: Final[Sequence[Callable[[], QuerySet[Any]]]] = (
    notes_to_answer,
    waiting_long,
    failed_jobs,
    partial(silent_checks, SILENT_DAYS),
    unused_accounts,
    thirds_nobody_has,
    sets_given_back,
)
"""Those of ``Matters``."""


def _counts() -> QuerySet[Any, tuple[int, int]]:
    """Of each of ``_MATTERS`` its place and how many rows it has; none where it has none."""
    first, *others = (
        found().order_by().values_list(Value(part)).annotate(rows=Count("pk"))
        for part, found in enumerate(_MATTERS)
    )
    return first.union(*others, all=True)


_COUNTS: Final = Prepared(_counts)


def stated_otherwise() -> list[tuple[int, tuple[Problem, ...]]]:
    """The submitted markups whose stated points are not the computed ones, latest first.

    The numbers of the markups, and what differs; two columns of each are read, no fragment.
    """
    graded = CriteriaRecord.objects.filter(
        markup__state=MarkupRecord.State.SUBMITTED, markup__source=MarkupRecord.Source.EXPERT
    ).exclude(markup__stated={})
    lines = graded.order_by("-markup__submitted_at", "-pk").values_list(
        "markup", "markup__stated", "points"
    )
    compared = (
        (markup, compare_criteria(frozen(stated), points, {}))
        for markup, stated, points in lines[:MOST_READ]
    )
    return [(markup, problems) for markup, problems in compared if problems]


def markups_told(numbers: list[int]) -> dict[int, MarkupRecord]:
    """These markups with their essays and authors."""
    found = MarkupRecord.objects.select_related("author", "essay__essay_set", "assignment")
    return found.defer("essay__text", "essay__task_text").in_bulk(numbers)
