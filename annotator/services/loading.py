"""A file, or text that was typed, taken into a draft: read, compared, made as one step."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePosixPath

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.carrying import carry_onto
from annotator.core.changes import Change, Draft
from annotator.core.classifier import classifier_of
from annotator.core.codec import Reading, submission_from_json
from annotator.core.language import parse
from annotator.core.loading import replacing
from annotator.core.problems import Problem
from annotator.core.stated import Stated, frozen
from annotator.core.validation import (
    MAX_FRAGMENTS,
    MAY_WAIT,
    SHORT_FIELDS,
    long_names,
    problems_alone,
)
from annotator.core.values import Fragment, MarkedFile, Markup
from annotator.core.wrapper import is_wrapper, wrapper_from_json
from annotator.models import Essay, MarkupRecord
from annotator.services.drafts import make, placed
from annotator.services.encodings import decode
from annotator.services.markup import lock, remarks_on_points
from annotator.services.reading import json_of
from annotator.services.refusals import MarkupConflict, MarkupHasProblems, Told, unfit
from web.refusals import Refused


class Written(StrEnum):
    """How a markup is written: in the markup language, or in the JSON of the exchange."""

    TEXT = "txt"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Found:
    """What was read: fragments over the essay's own text, or why there are none.

    ``problems``: of what was written, with their places; those that block say why it is not taken.
    """

    markup: Markup | None
    stated: Mapping[str, Stated] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What would become of a draft by the ``markup`` that was read; no ``change``: nothing."""

    change: Change | None
    problems: tuple[Problem, ...]
    markup: Markup | None = None


def words_of_file(name: str, data: bytes) -> tuple[str, Written]:
    """A file's words and how they are written. Raises ``Refused`` for what is no text."""
    suffix = PurePosixPath(name).suffix.lower().removeprefix(".")
    if suffix not in set(Written):
        raise Refused(_("Only .txt and .json files can be loaded into a check."))
    return decode(data), Written(suffix)


def read_markup(essay: Essay, words: str, written: Written) -> Found:
    """The markup that is written, brought onto the essay's own text."""
    read = _from_json if written is Written.JSON else _from_text
    try:
        found = read(essay, words)
    except Told as refused:
        return Found(None, problems=refused.told)
    if found.markup is None or any(problem.blocks for problem in found.problems):
        return replace(found, markup=None)
    markup = carry_onto(found.markup, essay.text)
    if markup is None:
        other = Problem("not-of-this-essay", fields={"essay": essay.number})
        return Found(None, problems=(other, *found.problems))
    return replace(found, markup=markup)


def offer_of(record: MarkupRecord, words: str, written: Written) -> Offer:
    """What a draft would become by what is written. Changes nothing."""
    essay = record.essay
    found = read_markup(essay, words, written)
    if found.markup is None:
        return Offer(None, found.problems)
    draft = Draft({row.uid: placed(row) for row in record.rows()}, frozen(record.stated))
    change = replacing(draft, found.markup.fragments, found.stated, uuid.uuid4)
    refused = _refused(essay, found.markup, change)
    file = MarkedFile(essay.meta(), found.markup, found.stated)
    remarks = () if refused else remarks_on_points(essay, file)
    problems = (*refused, *found.problems, *remarks)
    return Offer(None if refused else change, problems, found.markup)


@transaction.atomic
def load_markup(
    *, record: MarkupRecord, version: int, uid: uuid.UUID, words: str, written: Written
) -> Change:
    """Give a draft the markup that is written, as one step of its log; ids stay by place and code.

    Returns the step; the same ``uid`` sent again is the same step. Raises ``MarkupConflict`` where
    the draft is none any more or not of this ``version``, ``MarkupHasProblems`` for what cannot be
    taken.
    """
    lock(record)
    made = record.changes.filter(uid=uid).first()
    if made:
        return made.to_core()
    if record.version != version:
        raise MarkupConflict(_("The check was changed meanwhile. See once more what changes."))
    offer = offer_of(record, words, written)
    if offer.change is None:
        raise MarkupHasProblems("", offer.problems, told=offer.problems[:1])
    if offer.change != Change():
        make(record=record, version=version, uid=uid, change=offer.change)
    return offer.change


def _from_text(essay: Essay, words: str) -> Found:
    subject = essay.core_subject
    parsed = parse(words, source=essay.text, classifier=classifier_of(subject))
    said = parsed.file.meta.subject
    other: tuple[Problem, ...] = ()
    if said and said is not subject:
        fields = {"name": said.value, "known": subject.value}
        other = (Problem("another-essay", fields=fields),)
    return Found(parsed.file.markup, parsed.file.stated, (*other, *parsed.problems))


def _from_json(essay: Essay, words: str) -> Found:
    payload = json_of(words)
    if is_wrapper(payload):
        reading = _only_one(payload)
    else:
        reading = submission_from_json(payload, meta=essay.meta(), text=essay.text)
    return Found(reading.file.markup, reading.file.stated, reading.problems)


def _only_one(payload: object) -> Reading:
    wrapper = wrapper_from_json(payload)  # type: ignore[arg-type]
    if len(wrapper.markups) != 1:
        raise unfit("several-markups", count=len(wrapper.markups))
    reading = wrapper.markups[0].reading
    return replace(reading, problems=(*wrapper.essay.problems, *reading.problems))


def _refused(essay: Essay, markup: Markup, change: Change) -> tuple[Problem, ...]:
    """Why new and changed fragments may not stand in a draft; what it has already may."""
    if len(markup.fragments) > MAX_FRAGMENTS:
        return (Problem("too-many-fragments", fields={"limit": MAX_FRAGMENTS}),)
    new = {edit.after.fragment for edit in change.edits if edit.after}
    classifier = classifier_of(essay.core_subject)
    alone = (
        problem
        for number, fragment in enumerate(markup.fragments, 1)
        if fragment in new
        for problem in problems_alone(fragment, classifier, number)
        if problem.blocks and problem.code not in MAY_WAIT
    )
    return (*alone, *long_names(_only(markup, new), SHORT_FIELDS))


def _only(markup: Markup, fragments: set[Fragment]) -> Markup:
    return replace(markup, fragments=tuple(each for each in markup.fragments if each in fragments))
