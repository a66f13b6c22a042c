"""Undo and redo: the one log of a draft says what comes next, whichever page made it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.changes import Change, Draft, Misfit, inverse
from annotator.core.stated import frozen
from annotator.core.steps import Step, backwards, standing
from annotator.models import MarkupRecord
from annotator.models.changes import MarkupChange
from annotator.queries import takeable
from annotator.services.drafts import make, placed
from annotator.services.markup import lock
from annotator.services.refusals import MarkupConflict
from web.refusals import Refused

WAYS: Final = (Step.UNDONE, Step.REDONE)


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step back, or forward again, is about.

    ``change``: the one that was taken back, or made again. ``is_asked``: nothing was done yet, for
    another browser made the change of this ``version`` and nobody agreed to touch it.
    """

    change: Change
    version: int
    is_asked: bool = False


@transaction.atomic
def step(
    *, record: MarkupRecord, way: Step, uid: uuid.UUID | None = None, agreed: int | None = None
) -> Stepped | None:
    """Take back the last change of a draft, or make again what was taken back last.

    ``None`` where there is nothing. Safe to repeat with the same ``uid``. A change that another
    browser has made is only named until somebody has ``agreed`` to its version. Raises ``Refused``
    where the draft is not as the change left it, ``MarkupConflict`` where it is none any more.
    """
    lock(record)
    if record.state != MarkupRecord.State.DRAFT:
        raise MarkupConflict(_("This check was submitted already, or another one took its place."))
    known = record.changes.filter(uid=uid).first() if uid else None
    if known:
        return Stepped(_told(known.to_core(), way), known.version)
    found = _next(record, way)
    if found is None:
        return None
    told = found.to_core() if way is Step.UNDONE else inverse(found.to_core())
    if _device(found.page) not in ("", _device(record.page)) and agreed != found.version:
        return Stepped(told, found.version, is_asked=True)
    change = _forgetting_sources(record, _back(found.to_core(), record))
    make(record=record, version=record.version, uid=uid, change=change, step=way)
    return Stepped(told, record.version)


def _told(made: Change, way: Step) -> Change:
    return inverse(made) if way is Step.UNDONE else made


def _next(record: MarkupRecord, way: Step) -> MarkupChange | None:
    log = record.changes.order_by("version").values_list("version", "step")
    stands = standing((version, Step(name)) for version, name in log)
    versions = stands.done if way is Step.UNDONE else stands.undone
    return record.changes.get(version=versions[-1]) if versions else None


def _device(page: str) -> str:
    return page.partition(":")[0]


def _back(change: Change, record: MarkupRecord) -> Change:
    draft = Draft({row.uid: placed(row) for row in record.rows()}, frozen(record.stated))
    try:
        return backwards(change, draft)
    except Misfit:
        raise Refused(
            _("This step cannot be taken back: what it changed is not as it left it.")
        ) from None


def _forgetting_sources(record: MarkupRecord, change: Change) -> Change:
    """The change, in which nothing comes back from a source that may not be seen any more."""
    origins = {edit.after.origin for edit in change.edits if edit.after} - {None}
    if not origins:
        return change
    seen = set(takeable(record).filter(pk__in=origins).values_list("pk", flat=True))
    return change.without_origins(origins - seen)
