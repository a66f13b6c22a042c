"""History essay: K1 to K7, 12 points (markup.md 2).

K2 and K3 are given per object, a person or a link between a cause and its consequence. Objects
are told apart by tags, and the first two in the text count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from annotator.core.values import Subject, fold, reading_place
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
    """A point for each complete object of the first two, less one for each with a mistake."""
    objects = _objects(essay, blocks)
    counted = list(objects)[:2]
    wrong: set[Key | None] = set()
    for code in mistakes:
        owners = {i: _owner(essay, i, objects) for i in essay.tally.fragments(code)}
        essay.among(code, [i for i, owner in owners.items() if owner in counted])
        wrong.update(owners.values())
    complete = sum(_codes(essay, objects[key]) == len(blocks) for key in counted)
    return max(0, complete - len(wrong.intersection(counted)))


def _objects(essay: Evidence, blocks: tuple[str, ...]) -> dict[Key, list[int]]:
    """The blocks of every object, in the order of the text.

    The k-th untagged fragments of each code belong to one object.
    """
    indices = [i for code in blocks if essay.n(code) for i in essay.tally.fragments(code)]
    by_tag = sorted(indices, key=lambda i: fold(essay.fragment(i).tag))
    untagged: Counter[str] = Counter()
    found: dict[Key, list[int]] = {}
    for index in sorted(by_tag, key=lambda i: reading_place(essay.fragment(i))):
        code, key = fold(essay.fragment(index).code), fold(essay.fragment(index).tag)
        found.setdefault(key or untagged[code], []).append(index)
        untagged[code] += not key
    return found


def _codes(essay: Evidence, blocks: Iterable[int]) -> int:
    """How many different codes stand there."""
    return len({fold(essay.fragment(index).code) for index in blocks})


def _owner(essay: Evidence, mistake: int, objects: Mapping[Key, Iterable[int]]) -> Key | None:
    """The object of a mistake's tag; untagged, the smallest whose block holds it, or the first.

    A block and a mistake in one bracket have equal spans: it holds the mistake.
    """
    fragment = essay.fragment(mistake)
    if tag := fold(fragment.tag):
        return tag
    place = fragment.span
    spans = ((key, essay.fragment(i).span) for key, blocks in objects.items() for i in blocks)
    holding = [
        (len(span), span.start, key)
        for key, span in spans
        if place and span and span.overlap(place) == len(place)
    ]
    if holding:
        return min(holding, key=lambda each: each[:2])[2]
    return next(iter(objects), None)


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
