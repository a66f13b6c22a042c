"""A problem: what is wrong with a file or a markup, where, and how grave it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

KEPT: Final = 20
"""So many problems of one markup are kept and told, and how many more there are."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``code`` is stable; ``messages.describe`` turns it into a sentence.

    ``number`` is the error's number in the regulation (Appendix 3, 1.6), for the bracket
    language only. A place is a line and a column, counted from 1; or the path of a JSON value
    (``selections[3].type``); or the number of a fragment, counted from 1. ``blocks`` tells
    that a markup with this problem cannot be handed in.
    """

    code: str
    number: int | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    fragment: int | None = None
    blocks: bool = True
    fields: Mapping[str, object] = field(default_factory=dict)


def to_json(problem: Problem) -> dict[str, Any]:
    """What is kept of a problem: its code, its place and its values."""
    whole = {**asdict(problem), "fields": dict(problem.fields)}
    return {name: value for name, value in whole.items() if value not in (None, {})}


def kept(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """The first problems of a markup as they are stored; the last one counts those that are not."""
    return [to_json(problem) for problem in first_of(problems)]


def from_json(kept: Mapping[str, Any]) -> Problem:
    """The problem that was kept."""
    return Problem(**kept)


def renumbered(problem: Problem, numbers: Sequence[int]) -> Problem:
    """The same problem where the fragments have these ``numbers``, by their present ones from 1."""
    if problem.fragment is None:
        return problem
    fields = dict(problem.fields)
    if isinstance(other := fields.get("other"), int):
        fields["other"] = numbers[other - 1]
    return replace(problem, fragment=numbers[problem.fragment - 1], fields=fields)


def first_of(problems: Sequence[Problem], most: int = KEPT) -> tuple[Problem, ...]:
    """So many of the problems, and one that counts the others."""
    told = [each for each in problems if each.code != "further-problems"][:most]
    more = how_many(problems) - len(told)
    if more <= 0:
        return tuple(told)
    blocks = any(each.blocks for each in problems)
    return (*told, Problem("further-problems", blocks=blocks, fields={"count": more}))


def how_many(problems: Sequence[Problem]) -> int:
    """How many there are, with those that are counted alone."""
    counts = [each.fields["count"] for each in problems if each.code == "further-problems"]
    return len(problems) - len(counts) + sum(int(str(count)) for count in counts)
