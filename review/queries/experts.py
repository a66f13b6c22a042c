"""Which experts may have a check, and what they hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import Specialism, User
from accounts.queries import WITHOUT_PASSWORD, known_as
from annotator.models import Assignment, Essay
from annotator.queries.work import OPEN, UNFINISHED
from review.models.plans import ExpertConflict, Pin
from review.queries.plans import conflicts_with, people_in_conflict_with
from review.queries.schools import colleagues_of

LOST_UNOPENED = Q(state=Assignment.State.WITHDRAWN, markups=None)
"""Checks that were taken away before their experts opened them."""


def experts_free_for(essay: Essay) -> QuerySet[User]:
    """Active experts of the essay's subject who have not seen it in this round, least loaded first.

    Who lost a check of it unopened may have it again, after those who never had one: it was taken
    away for somebody else to have it. Those who have no password yet come last.
    """
    had_it = _checks_of(essay).exclude(LOST_UNOPENED)
    lost_it = Exists(_checks_of(essay).filter(LOST_UNOPENED))
    able = Specialism.objects.filter(user=OuterRef("pk"), subject=essay.subject)
    load = Count("assignments", filter=Q(assignments__state__in=UNFINISHED))
    return (
        User.objects.filter(Exists(able), ~Exists(had_it), role=User.Role.EXPERT, is_active=True)
        .annotate(load=load, is_absent=WITHOUT_PASSWORD, has_lost_it=lost_it)
        .order_by("is_absent", "has_lost_it", "load", "pk")
    )


def experts_at_hand(
    essay: Essay, *, leaving: Assignment | None = None, school: Case | None = None
) -> QuerySet[User]:
    """Of the free experts those who could begin and may: they have a password and room for one more
    check, and are in no conflict with whoever has one of the essay; ``leaving``: but for this one,
    which is taken from who has it. ``school``: as ``colleagues_of`` has it.
    """
    active = Assignment.objects.filter(essay=essay, round=essay.round, state__in=Assignment.ACTIVE)
    if leaving is not None:
        active = active.exclude(pk=leaving.pk)
    at_odds = people_in_conflict_with(active.values("expert"), school)
    is_full = Q(load__gte=F("check_limit__checks"))
    free = experts_free_for(essay).filter(is_absent=False)
    return free.exclude(at_odds).filter(Q(check_limit=None) | ~is_full)


def rival_at(essay: Essay, expert: User) -> User | None:
    """Who has a check of the essay and is not to check one with the expert, by name."""
    pairs = Q(one=expert, other=OuterRef("pk")) | Q(other=expert, one=OuterRef("pk"))
    active = Assignment.objects.filter(
        essay=essay, round=essay.round, state__in=Assignment.ACTIVE, expert=OuterRef("pk")
    )
    named = ExpertConflict.objects.filter(pairs)
    return User.objects.filter(Exists(active), Exists(named)).order_by("pk").first()


def at_odds_with(pin: Pin) -> tuple[User | None, User | None]:
    """Beside whom, of those who have a check of the essay or were pinned to it before, plans give
    none to the expert of a pin, stored or not: by a named pair, and by a school.
    """
    pins = pin.essay.pins
    return _at_odds(pin, pins.filter(pk__lt=pin.pk) if pin.pk else pins.all())


def at_odds_in_plans(pin: Pin) -> tuple[User | None, User | None]:
    """The same beside everybody who is pinned to the essay: whom plans serve first is their own."""
    return _at_odds(pin, pin.essay.pins.all())


def _at_odds(pin: Pin, pins: QuerySet[Pin]) -> tuple[User | None, User | None]:
    essay = pin.essay
    active = Assignment.objects.filter(essay=essay, round=essay.round, state__in=Assignment.ACTIVE)
    there = Q(pk__in=active.values("expert")) | Q(pk__in=pins.values("expert"))
    one = User.objects.filter(pk=pin.expert_id).values("pk")
    others = User.objects.filter(there).exclude(pk=pin.expert_id).order_by("pk")
    named = others.filter(Exists(conflicts_with(one))).first()
    return named, None if named else others.filter(colleagues_of(one)).first()


def _checks_of(essay: Essay) -> QuerySet[Assignment]:
    """What an expert of an outer query has had of an essay."""
    return Assignment.objects.filter(essay=essay, round=essay.round, expert=OuterRef("pk"))


def work_by_set(expert_id: int) -> list[dict[str, Any]]:
    """An expert's checks that wait, counted by essay set; ``essays``: those it is one of the first
    two checks of. What can be recalled yet is submitted: once its expert leaves, it counts.
    """
    held = Assignment.objects.filter(OPEN, expert=expert_id)
    is_begun = Q(state=Assignment.State.WORKING)
    counted = held.values(place=F("essay__essay_set__name")).annotate(
        unopened=Count("pk", filter=~is_begun),
        begun=Count("pk", filter=is_begun),
        thirds=Count("pk", filter=Q(role=Assignment.Role.THIRD)),
    )
    first_two = held.exclude(role=Assignment.Role.THIRD).order_by("essay")
    essays = defaultdict(list)
    for place, number in first_two.values_list("essay__essay_set__name", "essay"):
        essays[place].append(number)
    return [{**each, "essays": essays[each["place"]]} for each in counted.order_by("place")]


def others_had_by_its_expert() -> QuerySet[Assignment]:
    """The other checks of the essay that the expert of an outer query's check has or had, but for
    those that were taken away: of these the database keeps one an essay and round.
    """
    place = {name: OuterRef(name) for name in ("essay", "round", "expert")}
    others = Assignment.objects.filter(**place).exclude(pk=OuterRef("pk"))
    return others.exclude(state=Assignment.State.WITHDRAWN)


def checks_of_its_rivals(returning: Collection[int]) -> QuerySet[Assignment]:
    """The other checks of the essay that somebody has, or is to get back (``returning``), who is
    never to check one with the expert of an outer query's check.
    """
    its_own, their = OuterRef(OuterRef("expert")), OuterRef("expert")
    pairs = Q(one=its_own, other=their) | Q(one=their, other=its_own)
    return Assignment.objects.filter(
        Exists(ExpertConflict.objects.filter(pairs)),
        Q(state__in=Assignment.ACTIVE) | Q(pk__in=returning),
        essay=OuterRef("essay"),
        round=OuterRef("round"),
    ).exclude(role=OuterRef("role"))


def rivals_by_place(expert: User) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """By essay and round the checks of those with whom the expert is never to check one essay,
    by name: role and who has it.
    """
    pairs = Q(one=expert, other=OuterRef("expert")) | Q(other=expert, one=OuterRef("expert"))
    return _by_place(Assignment.objects.filter(Exists(ExpertConflict.objects.filter(pairs))))


def colleagues_by_place(expert: User) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """The same of those who are of the expert's school."""
    near = User.objects.filter(colleagues_of(User.objects.filter(pk=expert.pk)))
    return _by_place(Assignment.objects.filter(expert__in=near.exclude(pk=expert.pk)))


def _by_place(checks: QuerySet[Assignment]) -> dict[tuple[int, int], list[tuple[str, str]]]:
    found = defaultdict(list)
    active = checks.filter(state__in=Assignment.ACTIVE).select_related("expert").order_by("pk")
    for check in active.only("essay_id", "round", "role", "expert__full_name", "expert__username"):
        found[check.essay_id, check.round].append((check.role, str(check.expert)))
    return dict(found)


def experts_on_desk() -> QuerySet[User]:
    """Experts who hold checks, by their names."""
    holding = Assignment.objects.filter(expert=OuterRef("pk"), state__in=Assignment.ACTIVE)
    return User.objects.filter(Exists(holding)).order_by("full_name", "username")


def shares_of(checks: Iterable[Assignment]) -> list[tuple[str, int]]:
    """Whose these checks are and how many, those with the most first; no two are called alike."""
    experts = [check.expert for check in checks]
    names = known_as(experts)
    counted = Counter(names[expert.pk] for expert in experts)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
