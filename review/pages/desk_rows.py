"""The lines of the desk in words. What the catalogue says is asked for once a page, not in each of
its lines: that was a third of the page's price.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import Assignment
from annotator.pages.neighbours import PLACE
from review.core.desk import STATES, Number
from review.models.deadlines import WorkTime
from review.pages.desk import STATES as STATE_WORDS
from review.pages.desk import Check, DeskLine
from web.templatetags.ui import UNKNOWN, known, time_left


@dataclass(frozen=True, slots=True)
class Frame:
    """A check in its frame: who has it, what the frame says to those who do not see it, and how
    long it took where that is past the limit.
    """

    look: str
    name: str
    words: str
    past: str


@dataclass(frozen=True, slots=True)
class Row:
    """An essay of the list in words. ``left``: those of its last column, ``about`` what they are
    about; ``look`` how they are said: ``late``, ``third``, ``free`` (a third check nobody has),
    ``due``, ``state``.
    """

    pk: int
    number: str
    address: str
    place: str
    theme: str
    frames: list[Frame]
    points: str
    look: str
    left: str
    about: str
    is_returned: bool


class Words:
    """What the rows of one page say, in the language that is active, and whom they name how."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.subjects = {code: str(name) for code, name in settings.SUBJECTS}
        self.checks = {state: str(state.label) for state in Assignment.State}
        self.states = {number: str(STATE_WORDS[number]) for number in STATES}
        self.late = _("late")
        self.overdue = _("overdue")
        self.nobody = _("nobody")
        self.free = _("waits for an expert")
        self.idle = _("no check is needed")
        both = _("and")
        self.two_points = f"{{}} {both} {{}}"

    def called(self, expert: User) -> str:
        return self.names.get(expert.pk) or str(expert)

    @cached_property
    def third(self) -> str:
        return str(Assignment.Role.THIRD.label)


def desk_rows(
    lines: Iterable[DeskLine], kept: str, first: int, names: Mapping[int, str]
) -> list[Row]:
    """Lines as rows of the list; ``kept``: the list's own address, which its links carry on with
    the place of each; ``first``: that of the first line; ``names``: what to call whom who holds a
    check, by number.
    """
    words = Words(names)
    return [_row(line, words, f"{kept}&{PLACE}={at}") for at, line in enumerate(lines, first)]


def _row(line: DeskLine, words: Words, kept: str) -> Row:
    essay = line.essay
    look, left, about = _state(line, words)
    return Row(
        pk=essay.pk,
        number=essay.number,
        address=f"{reverse('review:checks', args=[essay.pk])}{kept}",
        place=f"{essay.essay_set}, {words.subjects.get(essay.subject, essay.subject)}",
        theme=essay.theme,
        frames=[_frame(check, words) for check in line.checks],
        points=_points(line, words),
        look=look,
        left=left,
        about=about,
        is_returned=line.is_returned,
    )


def _points(line: DeskLine, words: Words) -> str:
    first, second, third = (each.total for each in (line.first, line.second, line.third))
    if first is second is third is None:
        return UNKNOWN
    two = words.two_points.format(known(first), known(second))
    return two if third is None else f"{two}; {third}"


def _frame(check: Check, words: Words) -> Frame:
    held = check.assignment
    if held is None:
        return Frame("nobody", words.nobody, "", "")
    state = words.checks[Assignment.State(held.state)]
    if check.is_late:
        state = words.overdue
    elif held.is_late:
        state = f"{state}, {words.late}"
    return Frame(check.look, words.called(held.expert), state, _past(check.time))


def _past(time: WorkTime | None) -> str:
    if time is None or not time.is_past:
        return ""
    return _("%(spent)s of %(most)s min") % {"spent": time.minutes, "most": time.limit_minutes}


def _state(line: DeskLine, words: Words) -> tuple[str, str, str]:
    if line.late:
        worst: Any = line.late[0]
        state = words.checks[Assignment.State(worst.state)]
        return (
            "late",
            time_left(worst.deadline_at, worst.now),
            f"{words.called(worst.expert)}: {state}",
        )
    if line.number is Number.THIRD and line.third.assignment is None:
        return "free", words.free, ""
    if line.number is Number.THIRD:
        state = words.checks[Assignment.State(line.third.assignment.state)]
        return "third", _left(line, line.due_at) if line.due_at else state, words.third
    if line.number is Number.WORKING and line.due_at:
        return "due", _left(line, line.due_at), ""
    counted = line.progress.counted(is_idle=line.essay.is_idle)  # type: ignore[attr-defined]
    return "state", words.states[counted] if counted else words.idle, ""


def _left(line: DeskLine, due_at: datetime | None) -> str:
    return time_left(due_at, line.essay.now)  # type: ignore[attr-defined]
