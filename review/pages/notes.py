"""Messages of experts, on the page of an essay and where somebody's work begins."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from accounts.models import User
from annotator.models import Assignment, Essay
from review.access import checks_noted_by, may_assign, may_read_notes, notes_seen_by
from review.models import Note
from review.queries.notes import answered_lately

LATELY: Final = timedelta(days=7)
SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Notes:
    """The messages about an essay somebody may read, oldest first.

    ``check``: what an expert may write about, with a ``key`` for the form; ``may_answer``: whoever
    looks answers what is open.
    """

    rows: Sequence[Note]
    check: Assignment | None
    key: uuid.UUID
    may_answer: bool


def notes_about(user: User, essay: Essay) -> Notes | None:
    """What stands on the page of an essay; nothing where there is nothing to read or write."""
    rows = list(notes_seen_by(user).filter(assignment__essay=essay).order_by("pk"))
    own = checks_noted_by(user).filter(essay=essay).order_by("-round", "-pk")
    check = None if may_read_notes(user) else own.first()
    if not rows and check is None:
        return None
    return Notes(rows, check, uuid.uuid4(), may_assign(user))


def answers_for(expert: User) -> list[Note]:
    """What coordinators answered an expert lately."""
    return list(answered_lately(expert, LATELY)[:SHOWN])
