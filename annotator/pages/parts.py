"""A markup as the marking screen shows it: each version is read, painted and validated once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from annotator.core.language import tidy
from annotator.core.messages import describe
from annotator.core.problems import Problem
from annotator.core.validation import crossings, every_crossing, repeats, validate
from annotator.core.values import MarkedFile, Markup
from annotator.models import MarkupRecord
from annotator.pages.marks import Mark, Marked, marked_of
from web.panels import Shared

MOST_CROSSINGS: Final = 100
"""So many are named at once: a thousand fragments can cross half a million times."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of the checklist; ``mark`` is what it is about, if it is about one.

    ``crosses``: its borders mend it, no field of its card does.
    """

    sentence: str
    mark: Mark | None
    blocks: bool
    crosses: bool = False


@dataclass(frozen=True)
class Parts(Marked, Shared):
    """A markup and what stands between it and its submission: what a change may renew."""

    editable: bool

    @cached_property
    def checklist(self) -> tuple[Remark, ...]:
        """What keeps the markup back or is worth a look; nothing where it is not ``editable``."""
        return (*_checked(self), *_doubts_about(self)) if self.editable else ()

    @property
    def has_crossing(self) -> bool:
        """Then it cannot be written in the markup language."""
        return any(crossings(self.markup))

    @property
    def hindrances(self) -> list[Remark]:
        """What keeps the markup from being submitted."""
        return [remark for remark in self.checklist if remark.blocks]

    @property
    def doubts(self) -> list[Remark]:
        """What is only worth a second look."""
        return [remark for remark in self.checklist if not remark.blocks]


Doubt = Callable[[Parts], str]
"""A sentence about a draft that is worth a second look; empty where there is nothing to say."""

_doubts: Final[list[Doubt]] = []


def doubt(tell: Doubt) -> Doubt:
    """Put what an app above says of a draft under what is worth a second look."""
    _doubts.append(tell)
    return tell


def parts_of(record: MarkupRecord, *, editable: bool) -> Parts:
    """A record's markup with its checklist, where it is a draft that may be changed."""
    marked = marked_of(record)
    return Parts(record, marked.markup, marked.marks, editable)


def _checked(marked: Marked) -> tuple[Remark, ...]:
    """What stands between a draft and its submission, and what is only worth a look."""
    problems = validate(marked.markup, marked.classifier, allow_crossing=True)
    if not marked.essay.essay_set.rules.allow_crossing:
        problems += tuple(islice(every_crossing(marked.markup), MOST_CROSSINGS))
    return _remarks(problems + repeats(marked.markup), marked)


def _doubts_about(parts: Parts) -> Iterator[Remark]:
    if not parts.marks:
        yield Remark(_("No mark has been made."), None, False)
    for tell in _doubts:
        if sentence := tell(parts):
            yield Remark(sentence, None, False)


def text_file_remarks(marked: Marked) -> tuple[Remark, ...]:
    """What the .txt file leaves out, since the bracket language has no place for it."""
    file = MarkedFile(marked.essay.meta(), marked.markup)
    return _remarks(tidy(file).problems, marked)


def _remarks(problems: Iterable[Problem], marked: Marked) -> tuple[Remark, ...]:
    by_number, markup = {mark.number: mark for mark in marked.marks}, marked.markup
    return tuple(
        Remark(
            describe(_naming_other(problem, markup, by_number), _),
            _mark_of(problem.fragment, markup, by_number),
            problem.blocks,
            problem.code == "crossing-fragments",
        )
        for problem in problems
    )


def _mark_of(place: int | None, markup: Markup, marks: Mapping[int, Mark]) -> Mark | None:
    return marks[markup.fragments[place - 1].id] if place else None


def _naming_other(problem: Problem, markup: Markup, marks: Mapping[int, Mark]) -> Problem:
    """The page shows no numbers: another fragment is named by its code and its words."""
    place = problem.fields.get("other")
    other = _mark_of(place if isinstance(place, int) else None, markup, marks)
    if other is None:
        return problem
    return replace(problem, fields={"other": f"{other.fragment.code} ({other.words})"})
