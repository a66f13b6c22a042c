"""What a letter about deadlines says, in the language that is active."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import ngettext

from review.core.reminding import TAKEN
from review.deadline_models import DEFAULT_ZONE, Reminder, SetTerms


@dataclass(frozen=True, slots=True)
class Line:
    """A check in a letter: its essay, which check it is, and by when it is or was due."""

    number: str
    check: str
    due: str


@dataclass(frozen=True, slots=True)
class Words:
    """A letter's checks: late ones, those still in time, and those that somebody else has now."""

    late: tuple[Line, ...]
    coming: tuple[Line, ...]
    taken: tuple[Line, ...]
    subject: str


def words_of(reminders: Sequence[Reminder]) -> Words:
    """The checks of ``standing_reminders``, each once, by their state at this moment."""
    latest = {each.assignment_id: each for each in sorted(reminders, key=lambda each: each.step)}
    late, coming, taken = [], [], []
    for each in reminders:
        if latest[each.assignment_id] is not each:
            continue
        if each.step == TAKEN:
            taken.append(_line(each))
        elif each.deadline_at < each.now:
            late.append(_line(each))
        else:
            coming.append(_line(each))
    return Words(
        tuple(late), tuple(coming), tuple(taken), _subject(len(late), len(coming), len(taken))
    )


def _line(reminder: Reminder) -> Line:
    check = reminder.assignment
    terms: SetTerms | None = getattr(check.essay.essay_set, "terms", None)
    zone = terms.zone if terms else DEFAULT_ZONE
    local = reminder.deadline_at.astimezone((terms or SetTerms()).zone_info)
    due = f"{date_format(local, 'SHORT_DATETIME_FORMAT')} ({zone})"
    return Line(check.essay.number, check.get_role_display(), due)


def _subject(late: int, coming: int, taken: int) -> str:
    if late:
        return ngettext("Razbor: %d check is late", "Razbor: %d checks are late", late) % late
    if coming:
        words = ngettext("Razbor: %d check is due soon", "Razbor: %d checks are due soon", coming)
        return words % coming
    words = ngettext(
        "Razbor: %d check was given to somebody else",
        "Razbor: %d checks were given to somebody else",
        taken,
    )
    return words % taken
