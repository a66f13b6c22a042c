"""The history of a check: who made which change of it, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from annotator.core.changes import inverse
from annotator.core.steps import Step
from annotator.models import MarkupRecord
from annotator.models.changes import MarkupChange
from annotator.pages.steps import in_words


@dataclass(frozen=True, slots=True)
class Told:
    """A step in words; ``who`` is empty where it was not the expert alone."""

    when: datetime
    who: str
    words: str


def told_of(record: MarkupRecord, steps: Iterable[MarkupChange], fixed: int) -> list[Told]:
    """Steps of a markup in words; those up to version ``fixed`` were made over another text."""
    text = record.essay.text
    return [_told(record, each, text if each.version > fixed else "") for each in steps]


def _told(record: MarkupRecord, made: MarkupChange, text: str) -> Told:
    change, step = made.to_core(), Step(made.step)
    if step is Step.ASIDE:
        words = _("no change of marks: a reason, the submission or the reopening")
    elif step is Step.FIXED:
        words = _("the essay got another text")
    elif step is Step.UNDONE:
        words = _("Undone: %s") % in_words(inverse(change), text)
    elif step is Step.REDONE:
        words = _("Made again: %s") % in_words(change, text)
    else:
        words = in_words(change, text)
    is_own = step not in (Step.ASIDE, Step.FIXED)
    return Told(made.made_at, record.author_name if is_own else "", words)
