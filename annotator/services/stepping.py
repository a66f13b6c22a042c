"""Undo and redo: the one log of a draft says what comes next, whichever page made it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.changes import Change, Draft, Misfit, inverse
from annotator.core.stated import frozen
from annotator.core.steps import Step, Undoable, backwards, undoable
from annotator.models import MarkupRecord
from annotator.models.changes import MarkupChange
from annotator.queries.third_checks import takeable
from annotator.services.drafts import make, placed
from annotator.services.markup import lock
from annotator.services.refusals import MarkupConflict
from web.refusals import Refused

WAYS: Final = (Step.UNDONE, Step.REDONE)
MOST_NAMED: Final = 20
"""So many changes of another browser are named, and agreed to, at once."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step back, or forward again, is about.

    ``change``: the one that was taken back, or made again; it left this ``version``. ``asked``:
    nothing was done yet, for another browser made it and these that come next, by version, and
    nobody agreed to touch them.
    """

    change: Change
    version: int
    asked: Mapping[int, Change] = field(default_factory=dict)


@transaction.atomic
def step(
    *,
    record: MarkupRecord,
    way: Step,
    uid: uuid.UUID | None = None,
    of: uuid.UUID | None = None,
    agreed: Collection[int] = (),
) -> Stepped | None:
    """Take back the last change of a draft, or make again what was taken back last.

    ``None`` where there is nothing, or what comes next is not the change it was meant ``of``: what
    was made before that, or after it elsewhere, stays. Safe to repeat with the same ``uid``. What
    another browser has made is only named, all that comes next at once, until somebody has
    ``agreed`` to its version.
    Raises ``Refused`` where the draft is not as the change left it, ``MarkupConflict`` where it is
    none any more.
    """
    lock(record)
    if record.state != MarkupRecord.State.DRAFT:
        raise MarkupConflict(_("This check was submitted already, or another one took its place."))
    known = record.changes.filter(uid=uid).first() if uid else None
    if known:
        return Stepped(_told(known.to_core(), way), known.version)
    stands = _undoable(record)
    versions = [*reversed(stands.done if way is Step.UNDONE else stands.undone)]
    if not versions or (of and not _is_of(record, stands.roots[versions[0]], of)):
        return None
    found = record.changes.get(version=versions[0])
    told = _wanted(found, way)
    if _is_of_another_browser(found, record) and found.version not in agreed:
        return Stepped(told, found.version, asked=_of_another_browser(record, versions, way))
    change = _forgetting_sources(record, _back(found.to_core(), record))
    make(record=record, version=record.version, uid=uid, change=change, step=way)
    return Stepped(told, record.version)


def _told(made: Change, way: Step) -> Change:
    return inverse(made) if way is Step.UNDONE else made


def _wanted(found: MarkupChange, way: Step) -> Change:
    return found.to_core() if way is Step.UNDONE else inverse(found.to_core())


def _undoable(record: MarkupRecord) -> Undoable:
    log = record.changes.order_by("version").values_list("version", "step")
    return undoable((version, Step(name)) for version, name in log)


def _is_of(record: MarkupRecord, version: int, uid: uuid.UUID) -> bool:
    return record.changes.filter(version=version, uid=uid).exists()


def _is_of_another_browser(found: MarkupChange, record: MarkupRecord) -> bool:
    return _device(found.page) not in ("", _device(record.page))


def _of_another_browser(record: MarkupRecord, versions: list[int], way: Step) -> dict[int, Change]:
    found = {
        each.version: each for each in record.changes.filter(version__in=versions[:MOST_NAMED])
    }
    coming = (found[version] for version in versions[:MOST_NAMED])
    others = takewhile(lambda each: _is_of_another_browser(each, record), coming)
    return {each.version: _wanted(each, way) for each in others}


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
