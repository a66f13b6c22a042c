"""What a plan of checks is made from: rows as values, in as many queries for one essay as for
ten thousand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Exists, F, QuerySet, Sum, Value

from accounts.models import Specialism, User
from accounts.queries import WITHOUT_PASSWORD
from annotator.models import Assignment, Essay
from annotator.queries.third_checks import FIRST_TWO
from annotator.queries.work import UNFINISHED
from review.core.plan_options import Check, Options
from review.core.plan_values import Held, Person, Rules, Unfilled, Work
from review.core.planning import plan as propose
from review.core.schools import school_named
from review.models.plans import ExpertConflict, ExpertLimit, Pin
from review.queries.plans import essays_to_plan, opened, words_of

State = Assignment.State


@dataclass(frozen=True, slots=True)
class World:
    """The values of a plan, and what is needed to carry it out.

    ``rounds``, ``sets``: of each essay. ``checks``: the rows of those that were not begun.
    """

    works: tuple[Work, ...]
    people: tuple[Person, ...]
    rules: Rules
    rounds: Mapping[int, int]
    sets: Mapping[int, int]
    checks: Mapping[Check, int]


def read_world(options: Options, only: Collection[int] | None = None) -> World:
    """Everything a plan depends on. ``only``: of the essays those whose rows are held."""
    found = essays_to_plan(options).annotate(words=words_of("text"))
    read = found.only("subject", "round", "essay_set")
    essays = {each.pk: each for each in read if only is None or each.pk in only}
    looked_at = _looked_at(options, essays)
    pins = _pins(looked_at)
    rows = [row for row in _checks(looked_at) if row[1] in essays]
    held: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        held[row[1]].append(row)
    works = [_work(each, held[pk], pins[pk], options.adjusts) for pk, each in essays.items()]
    active = [row for row in rows if row[4] in Assignment.ACTIVE]
    return World(
        works=tuple(work for work in works if work.holes or work.movable),
        people=tuple(_people(options.out, {row[3] for row in active}, _loads())),
        rules=_rules(options),
        rounds={pk: each.round for pk, each in essays.items()},
        sets={pk: each.essay_set_id for pk, each in essays.items()},
        checks={(row[1], row[2]): row[0] for row in active if row[4] == State.WAITING},
    )


def holders_now(options: Options) -> dict[Check, int]:
    """Who has which check of the essays a plan was once for, whatever it wants of them."""
    found = Assignment.objects.filter(
        state__in=Assignment.ACTIVE, role__in=FIRST_TWO, round=F("essay__round")
    )
    if options.essay_set is not None:
        found = found.filter(essay__essay_set=options.essay_set)
    if options.subject:
        found = found.filter(essay__subject=options.subject)
    return {(essay, role): who for essay, role, who in found.values_list("essay", "role", "expert")}


def why_no_third(essays: Collection[int]) -> dict[int, Unfilled]:
    """By essay why nobody can have its third check; one that somebody could have is left out."""
    found = Essay.objects.filter(pk__in=essays)
    rows = list(_checks(found))
    works = []
    for each in found.only("subject").annotate(words=Value(0)):
        work = _work(each, [row for row in rows if row[1] == each.pk], [], adjusts=False)
        works.append(replace(work, holes=(Assignment.Role.THIRD.value,)))
    open_checks = Assignment.objects.filter(state__in=UNFINISHED).order_by().values_list("expert")
    loads = {expert: (n, 0) for expert, n in open_checks.annotate(n=Count("pk"))}
    holders = {each for work in works for each in work.holders}
    made = propose(works, tuple(_people((), holders, loads)), _rules(Options()))
    return {each.work: each for each in made.unfilled}


def _checks(essays: QuerySet[Essay]) -> Iterable[tuple[Any, ...]]:
    """Row, essay, check, expert, state and whether it was opened, of the present rounds."""
    found = Assignment.objects.filter(essay__in=essays.values("pk"), round=F("essay__round"))
    return (
        found.annotate(is_opened=Exists(opened()))
        .order_by("pk")
        .values_list("pk", "essay", "role", "expert", "state", "is_opened")
    )


def _work(essay: Essay, rows: list[tuple[Any, ...]], pins: list[int], adjusts: bool) -> Work:
    """An essay with what became of its checks; one that was lost unopened counts as none."""
    holders, had, movable = [], set(), []
    for _row, _essay, role, expert, state, is_opened in rows:
        is_untouched = not is_opened and role in FIRST_TWO and expert not in pins
        if state == State.WITHDRAWN and not is_opened:
            continue
        if adjusts and state == State.WAITING and is_untouched:
            movable.append(Held(role, expert))
            continue
        had.add(expert)
        if state in Assignment.ACTIVE:
            holders.append((role, expert))
    taken = {role for role, _expert in holders} | {each.role for each in movable}
    return Work(
        id=essay.pk,
        subject=essay.subject,
        words=essay.words,
        holes=tuple(role.value for role in FIRST_TWO if role not in taken),
        holders=tuple(expert for _role, expert in holders),
        had=frozenset(had),
        pins=tuple(pins),
        movable=tuple(movable),
    )


def _looked_at(options: Options, found: Collection[int]) -> QuerySet[Essay]:
    """The essays whose checks and pins are read. The desk's filter is asked once: what is late now
    may not be late a moment later, and an essay is never read without its checks.
    """
    if options.picked.filter is None:
        return essays_to_plan(options)
    return Essay.objects.filter(pk__in=found)


def _pins(essays: QuerySet[Essay]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    rows = Pin.objects.filter(essay__in=essays.values("pk"))
    for essay, expert in rows.values_list("essay", "expert"):
        found[essay].append(expert)
    return found


def _loads() -> dict[int, tuple[int, int]]:
    """Open checks and their words by expert."""
    held = Assignment.objects.filter(state__in=UNFINISHED).order_by().values_list("expert")
    counted = held.annotate(checks=Count("pk"), words=Sum(words_of("essay__text")))
    return {expert: (checks, words) for expert, checks, words in counted}


def _people(
    out: Collection[int], holders: set[int], loads: Mapping[int, tuple[int, int]]
) -> Iterable[Person]:
    """All experts there are; who holds a check and is none any more, is able to nothing."""
    subjects: dict[int, set[str]] = defaultdict(set)
    for user, subject in Specialism.objects.values_list("user", "subject"):
        subjects[user].add(subject)
    limits = dict(ExpertLimit.objects.values_list("expert", "checks"))
    known = set()
    experts = User.objects.filter(role=User.Role.EXPERT).annotate(is_absent=WITHOUT_PASSWORD)
    for pk, is_active, is_absent, school in experts.values_list(
        "pk", "is_active", "is_absent", "school"
    ):
        known.add(pk)
        checks, words = loads.get(pk, (0, 0))
        yield Person(
            id=pk,
            subjects=frozenset(subjects[pk]) if is_active else frozenset(),
            checks=checks,
            words=words,
            limit=limits.get(pk),
            school=school_named(school),
            is_absent=is_absent,
            is_out=pk in out,
        )
    for pk in holders - known:
        yield Person(pk, frozenset(), *loads.get(pk, (0, 0)))


def _rules(options: Options) -> Rules:
    conflicts = ExpertConflict.objects.values_list("one", "other")
    return Rules(
        limit=options.limit,
        kept=options.kept,
        keeps_schools_apart=options.keeps_schools_apart,
        conflicts=frozenset(conflicts),
    )
