"""A plan for 10,000 essays and 300 experts, beside the least loaded by a look at everybody."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from review.core.plan_values import Person, Rules, Work, pair
from review.core.planning import plan
from tests.bench.timing import Case

ESSAYS, EXPERTS = 10_000, 300
SUBJECTS = ("eng", "rus", "lit", "social", "hist")
BOTH = ("first", "second")


def cases() -> Iterator[Case]:
    works, people = essays(), experts()
    named = random.Random(3)
    conflicts = frozenset(pair(*named.sample(range(EXPERTS), 2)) for _ in range(100))
    low = [replace(people[0], limit=5), *people[1:]]
    for what, limit, who in (
        ("", None, people),
        (", limits reached", 60, people),
        (", one of them at a low limit", None, low),
    ):
        rules = Rules(limit=limit, conflicts=conflicts)
        yield Case(
            f"plan {ESSAYS} essays × {EXPERTS} experts{what}",
            lambda rules=rules, who=who: plan(works, who, rules),  # type: ignore[misc]
            lambda rules=rules, who=who: naive(works, who, rules),  # type: ignore[misc]
            "least loaded, by looking at all",
        )


def essays() -> list[Work]:
    draw = random.Random(1)
    return [
        Work(number, draw.choice(SUBJECTS), draw.randint(80, 500), BOTH) for number in range(ESSAYS)
    ]


def experts() -> list[Person]:
    draw = random.Random(2)
    return [
        Person(
            id=number,
            subjects=frozenset(draw.sample(SUBJECTS, draw.choice([1, 1, 2, 3]))),
            checks=draw.randint(0, 10),
            words=draw.randint(0, 3000),
            school=f"No. {draw.randint(0, 60)}",
        )
        for number in range(EXPERTS)
    ]


def naive(works: list[Work], people: list[Person], rules: Rules) -> dict[tuple[int, str], int]:
    """Each check for the least loaded who may have it: no balance of pairs, thirds or exchanges."""
    words = {each.id: each.words for each in people}
    checks = {each.id: each.checks for each in people}
    found = {}
    for work in sorted(works, key=lambda each: -each.words):
        team: list[Person] = []
        for role in work.holes:
            free = [
                each
                for each in people
                if work.subject in each.subjects
                and (rules.limit is None or checks[each.id] < rules.limit)
                and all(
                    each.id != other.id
                    and each.school != other.school
                    and pair(each.id, other.id) not in rules.conflicts
                    for other in team
                )
            ]
            if free:
                best = min(free, key=lambda each: (words[each.id], each.id))
                team.append(best)
                words[best.id] += work.words
                checks[best.id] += 1
                found[work.id, role] = best.id
    return found
