"""Warnings of a kind that come by the thousand: the first ones, and how many more there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from razbor.words import _

NAMED: Final = 5
"""So many warnings of one kind are named."""

Warned = TypeVar("Warned", bound=Any)


def first_of_each_kind(
    warnings: Iterable[Warned], sentence: Callable[[Warned], str]
) -> Iterator[str]:
    """A sentence for each of the first ones of every ``code``, then how many more there are."""
    by_code: defaultdict[str, list[Warned]] = defaultdict(list)
    for warning in warnings:
        by_code[warning.code].append(warning)
    for alike in by_code.values():
        yield from map(sentence, alike[:NAMED])
        if len(alike) > NAMED:
            yield _("More warnings of this kind: {count}.").format(count=len(alike) - NAMED)
