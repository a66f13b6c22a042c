"""History essay: K1 to K7, 12 points (markup.md 2).

K2 and K3 are given per object, a person or a link between a cause and its consequence. Objects
are told apart by tags, and the first two in the text count.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Final

from annotator.core.values import Subject, fold, in_reading_order
from scoring.core.criteria.grader import Criterion, Evidence, Grader, after
from scoring.core.criteria.sheet import MAXIMA

Key = str | int
"""What tells objects apart: a folded tag, or the place among the untagged ones, from 0."""

PERSON: Final = ("РОЛЬ",)
WRONG_PERSON: Final = ("И.личность", "И.лсвязь", "И.лпериод", "И.лроль", "И.лдейств")
LINK: Final = ("ПРИЧИНА", "СЛЕДСТВИЕ")
WRONG_LINK: Final = ("И.причин", "И.следств")
LEAST_POINTS: Final = 5
"""Points of K1 to K4 below which K7 gives none."""


def k1(essay: Evidence) -> int:
    """K1: events, processes of the period."""
    return max(0, min(2, essay.n("СЯП") - essay.total("И.сяп", "И.период")))


def k2(essay: Evidence) -> int:
    """K2: two persons and their roles, less those a mistake was made about."""
    return _of_two(essay, PERSON, WRONG_PERSON)


def k3(essay: Evidence) -> int:
    """K3: two causes with their consequences, less those a mistake was made about."""
    return _of_two(essay, LINK, WRONG_LINK)


def k4(essay: Evidence) -> int:
    """K4: what the period meant for later history."""
    return max(0, (essay.n("ОЦЕНКА") > 0) - (essay.total("И.влиян", "И.упрощ") > 0))


def k5(essay: Evidence) -> int:
    """K5: historical terms."""
    return int(essay.total("И.понятие", "И.неиспол") == 0)


def k6(essay: Evidence) -> int:
    """K6: facts, a point a mistake."""
    return max(0, 3 - essay.n("И.факт"))


def k7(essay: Evidence) -> int:
    """K7: the form, judged only where K1 to K4 give enough points."""
    if essay.n("И.излож"):
        return 0
    together = essay.measure("k1-to-k4", k1(essay) + k2(essay) + k3(essay) + k4(essay))
    return int(together >= essay.measure("least-points", LEAST_POINTS))


def _of_two(essay: Evidence, blocks: tuple[str, ...], mistakes: tuple[str, ...]) -> int:
    """A point for each complete object, less one for each that a mistake was made about.

    A mistake belongs to the object of its tag, an untagged one to the first object.
    """
    objects = _first_two(essay, blocks)
    wrong: set[Key | None] = set()
    for code in mistakes:
        tags = {i: fold(essay.fragment(i).tag) for i in essay.tally.fragments(code)}
        owners = {i: tag or next(iter(objects), None) for i, tag in tags.items()}
        essay.among(code, [i for i, owner in owners.items() if owner in objects])
        wrong.update(owners.values())
    return max(0, sum(objects.values()) - len(wrong & objects.keys()))


def _first_two(essay: Evidence, blocks: tuple[str, ...]) -> dict[Key, bool]:
    """The first two objects in the text, and whether all their blocks are there.

    The k-th untagged fragments of each code belong to one object.
    """
    indices = [i for code in blocks if essay.n(code) for i in essay.tally.fragments(code)]
    by_tag = sorted(map(essay.fragment, indices), key=lambda fragment: fold(fragment.tag))
    untagged: Counter[str] = Counter()
    found: dict[Key, set[str]] = {}
    for fragment in in_reading_order(by_tag):
        code, key = fold(fragment.code), fold(fragment.tag)
        found.setdefault(key or untagged[code], set()).add(code)
        untagged[code] += not key
    return {key: len(codes) == len(blocks) for key, codes in islice(found.items(), 2)}


HAS_EVENTS: Final = after(k1)

HISTORY: Final = Grader(
    MAXIMA[Subject.HISTORY],
    {
        "K1": Criterion(k1),
        "K2": Criterion(k2, (HAS_EVENTS,)),
        "K3": Criterion(k3, (HAS_EVENTS,)),
        "K4": Criterion(k4, (HAS_EVENTS,)),
        "K5": Criterion(k5, (HAS_EVENTS,)),
        "K6": Criterion(k6, (HAS_EVENTS,)),
        "K7": Criterion(k7, (HAS_EVENTS,)),
    },
)
