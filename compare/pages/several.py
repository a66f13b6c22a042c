"""What the page of several markups shows: one laid against the experts' ones of its essay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotator.core.painting import Ink
from annotator.core.values import Markup
from annotator.models import MarkupRecord
from annotator.pages.marks import Mark, text_language
from compare.core.rows import State
from compare.core.several import Thread, lay_out
from compare.pages.comparison import named_marks

MOST_CHECKS: Final = 3
"""How many experts' markups a markup is laid against on one page."""


@dataclass(frozen=True, slots=True)
class Column:
    """A markup of the page of several, with the inks of its fragments."""

    record: MarkupRecord
    markup: Markup
    inks: Mapping[int, Ink]


@dataclass(frozen=True, slots=True)
class ShownThread:
    """A row of the page of several: what each markup has there, and how it stands to the base."""

    number: int
    marks: tuple[Mark | None, ...]
    states: tuple[State | None, ...]

    @property
    def state(self) -> State:
        """One word for all: the gravest difference; missing with anybody is graver than none."""
        found = [state for state in State if state in self.states and state is not State.SAME]
        return found[0] if found else State.SAME

    @property
    def cells(self) -> list[tuple[Mark | None, State | None]]:
        """Those of the others, each with its state."""
        return list(zip(self.marks[1:], self.states, strict=True))

    @property
    def words(self) -> str:
        return next((mark.words for mark in self.marks if mark), "")


def several_page(record: MarkupRecord, checks: Iterable[MarkupRecord]) -> dict[str, Any]:
    """A markup against the experts' ones of its essay, with the threads of all of them."""
    others = list(checks)[:MOST_CHECKS]
    several = lay_out(record.to_core(), [each.to_core() for each in others])
    markups = (several.base, *several.others)
    named = [named_marks(markup, record) for markup in markups]
    threads = [
        ShownThread(number, _named(thread, named), several.states(thread))
        for number, thread in enumerate(several.threads, 1)
    ]
    return {
        "essay": record.essay,
        "record": record,
        "others": others,
        "threads": threads,
        "agreed": sum(thread.state is State.SAME for thread in threads),
        "columns": [
            Column(each, markup, _inks(threads, place))
            for place, (each, markup) in enumerate(zip((record, *others), markups, strict=True))
        ],
        "comparisons": list(zip(others, several.comparisons, strict=True)),
        "text_language": text_language(record.essay.subject),
    }


def _named(thread: Thread, named: list[Mapping[int, Mark]]) -> tuple[Mark | None, ...]:
    indices = (thread.base, *thread.others)
    return tuple(
        None if index is None else marks[index] for index, marks in zip(indices, named, strict=True)
    )


def _inks(threads: list[ShownThread], place: int) -> dict[int, Ink]:
    """The base is drawn by the word for all, each other by how it stands to the base."""
    inks = {}
    for thread in threads:
        mark = thread.marks[place]
        if mark:
            state = thread.states[place - 1] if place else thread.state
            inks[mark.number] = Ink((state or thread.state).value, thread.number)
    return inks
