"""What a letter about deadlines says, in the language that is active."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from review.core.reminding import ASKED, MOVED, REOPENED, TAKEN
from review.models.deadlines import DEFAULT_ZONE, Reminder, SetTerms
from web.zones import told_at


@dataclass(frozen=True, slots=True)
class Line:
    """A check in a letter: its essay and the set of it, which check it is, and by when it is or was
    due; of one that is open again also why.
    """

    number: str
    set_name: str
    check: str
    due: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A letter's checks: late ones, those still in time, those that somebody else has now,
    those with another deadline, those in time that a coordinator reminds of, and those that were
    submitted and are open again.
    """

    late: tuple[Line, ...]
    coming: tuple[Line, ...]
    taken: tuple[Line, ...]
    moved: tuple[Line, ...]
    asked: tuple[Line, ...]
    reopened: tuple[Line, ...]
    subject: str


def words_of(reminders: Sequence[Reminder]) -> Words:
    """The checks of ``standing_reminders``, each once, by their state at this moment."""
    latest = {each.assignment_id: each for each in sorted(reminders, key=lambda each: each.step)}
    late, coming, taken, moved, asked, reopened = [], [], [], [], [], []
    for each in reminders:
        if latest[each.assignment_id] is not each:
            continue
        if each.step == TAKEN:
            taken.append(_line(each))
        elif each.step == MOVED:
            moved.append(_line(each))
        elif each.step == REOPENED:
            reopened.append(_line(each))
        elif each.deadline_at < each.now:
            late.append(_line(each))
        elif each.step == ASKED:
            asked.append(_line(each))
        else:
            coming.append(_line(each))
    found = [tuple(lines) for lines in (late, coming, taken, moved, asked, reopened)]
    return Words(*found, subject=_subject(map(len, found)))


def _line(reminder: Reminder) -> Line:
    check = reminder.assignment
    terms: SetTerms | None = getattr(check.essay.essay_set, "terms", None)
    zone = terms.zone if terms else DEFAULT_ZONE
    due = told_at(reminder.deadline_at, zone)
    because = reminder.reopened_because or ""  # type: ignore[attr-defined]
    role = check.get_role_display()
    return Line(check.essay.number, check.essay.essay_set.name, role, due, because)


def _subject(counts: Iterable[int]) -> str:
    late, coming, taken, moved, asked, reopened = counts
    if late:
        return ngettext("Razbor: %d check is late", "Razbor: %d checks are late", late) % late
    if reopened:
        words = ngettext(
            "Razbor: %d check is open again", "Razbor: %d checks are open again", reopened
        )
        return words % reopened
    if coming:
        words = ngettext("Razbor: %d check is due soon", "Razbor: %d checks are due soon", coming)
        return words % coming
    if asked:
        words = ngettext("Razbor: %d check waits for you", "Razbor: %d checks wait for you", asked)
        return words % asked
    if moved:
        words = ngettext(
            "Razbor: %d check has another deadline",
            "Razbor: %d checks have another deadline",
            moved,
        )
        return words % moved
    words = ngettext(
        "Razbor: %d check was given to somebody else",
        "Razbor: %d checks were given to somebody else",
        taken,
    )
    return words % taken
