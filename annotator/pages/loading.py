"""What would become of a draft, shown before it does."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from annotator.core import language
from annotator.core.changes import WORDS, Change, Edit
from annotator.core.errors import CannotWriteError
from annotator.core.messages import WORDS as NAMES
from annotator.core.messages import describe, describe_error, place_of
from annotator.core.problems import Problem
from annotator.core.values import Fragment, Markup, normalise
from annotator.models import MarkupRecord
from annotator.pages.steps import named
from annotator.services.loading import Offer, Written, offer_of

MOST_LINES = 200
"""So many changes, and so many problems, are shown one by one."""


@dataclass(frozen=True, slots=True)
class Line:
    """One mark that would come, go or change; ``told``: which of its words, before and after."""

    words: str
    told: Sequence[tuple[str, str, str]] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem in a sentence; ``line`` and ``column`` where it has such a place."""

    sentence: str
    place: str
    line: int | None
    column: int | None
    blocks: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What is shown of a markup that waits to be taken.

    ``changes`` is ``None`` where it cannot be; ``seen`` names just these words and this version.
    """

    faults: Sequence[Fault]
    more_faults: int
    changes: Changes | None
    version: int
    seen: str
    uid: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True, slots=True)
class Changes:
    """A change by what becomes of marks and points."""

    added: Sequence[Line]
    removed: Sequence[Line]
    changed: Sequence[Line]
    stated: Sequence[str]

    @property
    def is_nothing(self) -> bool:
        return not (self.added or self.removed or self.changed or self.stated)


def source_of(record: MarkupRecord) -> tuple[str, str]:
    """A draft in the markup language; or no words, and why they cannot be written."""
    file = language.tidy(record.to_file()).file
    try:
        return language.render(file), ""
    except CannotWriteError as error:
        return "", describe_error(_with_words(error, file.markup), _)


def _with_words(error: CannotWriteError, markup: Markup) -> CannotWriteError:
    """The same, with the words of the fragments it is about: numbers and places say little."""
    fields = dict(error.fields)
    number = fields.get("number")
    if isinstance(number, int):
        fields["number"] = f"{number} ({named(markup.fragments[number - 1], markup.text)})"
    for prefix in ("", "other_") if "other_name" in fields else ():
        place = (fields[f"{prefix}start"], fields[f"{prefix}end"])
        fields[f"{prefix}name"] = next(
            named(each, markup.text)
            for each in markup.fragments
            if each.span
            and (each.span.start, each.span.end) == place
            and each.code == fields[f"{prefix}name"]
        )
    return CannotWriteError(error.code, **fields)


def preview_of(record: MarkupRecord, words: str, written: Written) -> Preview:
    """What would become of the draft; changes nothing."""
    offer = offer_of(record, words, written)
    return Preview(
        faults=[_fault(each, offer.markup) for each in offer.problems[:MOST_LINES]],
        more_faults=max(0, len(offer.problems) - MOST_LINES),
        changes=_changes(offer, record.essay.text),
        version=record.version,
        seen=seen(record.version, words, written),
    )


def seen(version: int, words: str, written: Written) -> str:
    """A name for just these words over this version; line ends do not count."""
    whole = f"{version} {written.value} {normalise(words)}"
    return hashlib.sha256(whole.encode()).hexdigest()


def _fault(problem: Problem, markup: Markup | None) -> Fault:
    place = place_of(problem, _)
    if markup and problem.fragment and problem.line is None:
        place += f" ({named(markup.fragments[problem.fragment - 1], markup.text)})"
    return Fault(describe(problem, _), place, problem.line, problem.column, problem.blocks)


def _changes(offer: Offer, text: str) -> Changes | None:
    change = offer.change
    if change is None:
        return None
    pairs = [(edit, _before(edit), _after(edit)) for edit in change.edits]
    return Changes(
        added=[Line(named(after, text)) for _edit, old, after in pairs if after and not old],
        removed=[Line(named(old, text)) for _edit, old, after in pairs if old and not after],
        changed=[
            Line(named(after, text), _told(old, after))
            for _edit, old, after in pairs
            if old and after
        ],
        stated=_stated(change),
    )


def _before(edit: Edit) -> Fragment | None:
    return edit.before.fragment if edit.before else None


def _after(edit: Edit) -> Fragment | None:
    return edit.after.fragment if edit.after else None


def _told(before: Fragment, after: Fragment) -> list[tuple[str, str, str]]:
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in WORDS)
    return [(_(NAMES[name]), old, new) for name, old, new in pairs if old != new]


def _stated(change: Change) -> list[str]:
    if change.restated is None:
        return []
    before, after = change.restated.before, change.restated.after
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
