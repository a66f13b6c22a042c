"""What an expert has done: the submitted checks, and the figures of everybody in the same sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from statistics import median

from django.db.models import Avg, BooleanField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from annotator.access import markups_seen_by
from annotator.models import Assignment, EssaySet, MarkupRecord
from annotator.queries.third_checks import FIRST_TWO, third_markups
from review.core.own_figures import Work
from review.models import ThirdCheck
from scoring.models import CriteriaRecord, PairScore

State = Assignment.State
Place = tuple[int, str]
"""The number of an essay set and a subject."""


def done_by(expert: User) -> QuerySet[Assignment]:
    """An expert's submitted checks, latest first; what came of them is ``with_outcomes``."""
    done = Assignment.objects.filter(expert=expert, state=State.SUBMITTED)
    return done.only("pk").order_by("-submitted_at", "-pk")


def with_outcomes(expert: User, checks: Iterable[Assignment]) -> list[Assignment]:
    """Checks of an expert's list in its order, with what is shown of them and of nothing else.

    ``total``: its points; ``settled_in``: the third check's markup; ``third_needed``: what was
    decided about one; ``m1``: the mean M1 against those experts' checks the expert may see.
    """
    third = third_markups().filter(essay=OuterRef("essay"), assignment__round=OuterRef("round"))
    points = CriteriaRecord.objects.filter(
        markup__assignment=OuterRef("pk"), markup__state=MarkupRecord.State.SUBMITTED
    )
    pairs = _seen_pairs(expert).filter(assessed__assignment=OuterRef("pk"))
    m1 = pairs.order_by().values("assessed__assignment").annotate(mean=Avg("m1")).values("mean")
    return list(
        Assignment.objects.filter(pk__in=[each.pk for each in checks])
        .select_related("essay__essay_set")
        .defer("essay__text", "essay__task_text")
        .annotate(
            total=Subquery(points.values("total")[:1]),
            settled_in=Subquery(third.values("pk")[:1]),
            third_needed=_third_needed(),
            m1=Subquery(m1),
        )
        .order_by("-submitted_at", "-pk")
    )


def _third_needed() -> Subquery:
    decided = ThirdCheck.objects.filter(essay=OuterRef("essay"), round=OuterRef("round"))
    return Subquery(decided.values("needed")[:1], output_field=BooleanField())


def _pairs_of_experts() -> QuerySet[PairScore]:
    """Scores of experts' submitted markups against those of other experts."""
    expert, submitted = MarkupRecord.Source.EXPERT, MarkupRecord.State.SUBMITTED
    return PairScore.objects.filter(
        Q(assessed__source=expert, assessed__state=submitted),
        Q(reference__source=expert, reference__state=submitted),
        rules=F("assessed__essay__essay_set__rules"),
    ).exclude(reference__author=F("assessed__author"))


def _seen_pairs(expert: User) -> QuerySet[PairScore]:
    """Those of an expert's own markups, against what the expert may see."""
    seen = markups_seen_by(expert).filter(pk=OuterRef("reference")).order_by()
    return _pairs_of_experts().filter(Exists(seen), assessed__author=expert)


def places_of(expert: User) -> list[tuple[EssaySet, str]]:
    """The sets and subjects somebody has submitted checks in, but for the archive, by names."""
    done = Assignment.objects.filter(expert=expert, state=State.SUBMITTED).exclude(
        essay__essay_set__state=EssaySet.State.ARCHIVED
    )
    found = done.order_by("essay__essay_set__name", "essay__subject")
    pairs = list(found.values_list("essay__essay_set", "essay__subject").distinct())
    sets = EssaySet.objects.in_bulk({number for number, _subject in pairs})
    return [(sets[number], subject) for number, subject in pairs]


def own_m1(expert: User) -> dict[Place, float | None]:
    """The mean M1 of an expert's own markups against what the expert may see, by place."""
    place = ("assessed__essay__essay_set", "assessed__essay__subject")
    means = _seen_pairs(expert).order_by().values_list(*place).annotate(Avg("m1"))
    return {(number, subject): mean for number, subject, mean in means}


def work_in(sets: Collection[int]) -> dict[Place, dict[int, Work]]:
    """What every expert did in these sets, by place and expert; four queries."""
    place = ("essay__essay_set", "essay__subject")
    done = Assignment.objects.filter(essay__essay_set__in=sets, state=State.SUBMITTED).order_by()
    counted = done.values_list(*place, "expert").annotate(Count("pk"))
    minutes, means, thirds = _minutes_in(sets), _m1_in(sets), _thirds_in(done)
    found: dict[Place, dict[int, Work]] = defaultdict(dict)
    for number, subject, expert, count in counted:
        key = (number, subject, expert)
        found[number, subject][expert] = Work(
            count, minutes.get(key), means.get(key), thirds.get(key)
        )
    return found


def _minutes_in(sets: Collection[int]) -> dict[tuple[int, str, int], float]:
    timed = MarkupRecord.objects.filter(
        essay__essay_set__in=sets,
        state=MarkupRecord.State.SUBMITTED,
        assignment__state=State.SUBMITTED,
        active_seconds__gt=0,  # an import leaves no time
    ).order_by()
    found = defaultdict(list)
    for *key, seconds in timed.values_list(
        "essay__essay_set", "essay__subject", "author", "active_seconds"
    ):
        found[tuple(key)].append(seconds / 60)
    return {key: median(times) for key, times in found.items()}


def _m1_in(sets: Collection[int]) -> dict[tuple[int, str, int], float | None]:
    place = ("assessed__essay__essay_set", "assessed__essay__subject", "assessed__author")
    pairs = _pairs_of_experts().filter(assessed__essay__essay_set__in=sets).order_by()
    means = pairs.values_list(*place).annotate(Avg("m1"))
    return {(number, subject, author): mean for number, subject, author, mean in means}


def _thirds_in(done: QuerySet[Assignment]) -> dict[tuple[int, str, int], float]:
    decided = done.filter(role__in=FIRST_TWO).annotate(needed=_third_needed())
    lines = decided.exclude(needed=None).values_list("essay__essay_set", "essay__subject", "expert")
    counted = lines.annotate(Count("pk"), called=Count("pk", filter=Q(needed=True)))
    return {
        (number, subject, expert): 100 * called / count
        for number, subject, expert, count, called in counted
    }
