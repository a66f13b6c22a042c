"""Answers of a program, handed in together: many essays in as few statements as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from annotator.core.values import MarkedFile
from annotator.models import Essay, MarkupRecord
from annotator.services.markup import (
    Brought,
    draft_of,
    hand_in,
    refuse_long_names,
    supersede,
    write_drafts,
)
from annotator.signals import answers_submitted


@dataclass(frozen=True, slots=True)
class Answer:
    """The markup of an essay that a program sent, and when it came."""

    essay: Essay
    file: MarkedFile
    at: datetime


def hand_in_answers(*, author: User, origin: str, answers: Sequence[Answer]) -> list[MarkupRecord]:
    """Make submissions of answers to different essays, in the caller's transaction.

    In place of the author's present ones of that origin. They are announced once, together.
    """
    if not answers:
        return []
    for each in answers:
        refuse_long_names(each.file.markup)
    essays = [each.essay for each in answers]
    supersede(MarkupRecord.objects.filter(essay__in=essays, author=author, origin=origin))
    drafts = [_draft_of(author, origin, each) for each in answers]
    records = write_drafts(drafts, [each.file.markup for each in answers])
    hand_in(records)
    numbers = [record.pk for record in records]
    answers_submitted.send(
        sender=MarkupRecord,
        author_id=author.pk,
        origin=origin,
        first=min(numbers),
        last=max(numbers),
    )
    return records


def _draft_of(author: User, origin: str, answer: Answer) -> MarkupRecord:
    source = MarkupRecord.Source.ALGORITHM
    draft = draft_of(Brought(answer.essay, author, source, answer.file, origin=origin))
    draft.submitted_at = answer.at
    return draft
