"""Every step on a draft takes its next version, once, and leaves a row: compare and swap.

A step that was made for an earlier version is made all the same where nothing it touches was
touched since, by another page: the rest is a conflict that somebody has to see.
"""

from __future__ import annotations

import uuid
from typing import Final

from django.db.models import Exists, F, OuterRef, QuerySet, UUIDField
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotator.core.changes import Change, to_json
from annotator.core.stated import frozen
from annotator.core.steps import Step, meet, rebased, touched
from annotator.models import MarkupRecord
from annotator.models.changes import MarkupChange
from annotator.services.refusals import MarkupConflict
from web.prepared import Given, PreparedUpdate

NOTHING: Final = Change()
"""A step that leaves the draft as it is: the submission."""


def _claimable() -> QuerySet[MarkupRecord]:
    """A draft of the version a step was made for, unless that step was made before."""
    same = MarkupChange.objects.filter(markup=OuterRef("pk"), uid=Given("uid", UUIDField()))
    drafts = MarkupRecord.objects.filter(state=MarkupRecord.State.DRAFT, final_at=None)
    return drafts.filter(~Exists(same), pk=Given("pk"), version=Given("version"))


_CLAIMED: Final = PreparedUpdate(_claimable, version=F("version") + 1, saved_at=Now())


def claim(
    *,
    record: MarkupRecord,
    version: int,
    uid: uuid.UUID | None = None,
    change: Change = NOTHING,
    step: Step = Step.MADE,
) -> Change | None:
    """Take a draft's next version for a step; ``None`` when the step ``uid`` was made before.

    In the caller's transaction, before what the step writes: it returns the change to be written.
    ``version``: the draft's it was made for; where it has another one by now, the step is made if
    nothing it touches changed since. Without a ``uid`` it is a step of its own. Raises
    ``MarkupConflict``.
    """
    uid = uid or uuid.uuid4()
    if _CLAIMED(pk=record.pk, version=version, uid=uid):
        record.version = version + 1
    elif not _joined(record, version, uid, change):
        return None
    else:
        change = rebased(change, frozen(record.stated))
    keep_step(record, uid=uid, change=change, step=step)
    return change


def keep_step(
    record: MarkupRecord,
    *,
    uid: uuid.UUID | None = None,
    change: Change = NOTHING,
    step: Step = Step.MADE,
) -> None:
    """Write down the step that has brought a draft to its version; in the caller's transaction."""
    made = MarkupChange.objects.create(
        markup=record,
        uid=uid or uuid.uuid4(),
        version=record.version,
        change=to_json(change),
        step=Step.ASIDE if change == NOTHING and step is Step.MADE else step,
        page=record.page,
    )
    record.saved_at = made.made_at


def _joined(record: MarkupRecord, seen: int, uid: uuid.UUID, change: Change) -> bool:
    """Take the version after those others took since; false when this step is among them."""
    present = MarkupRecord.objects.select_for_update(no_key=True).get(pk=record.pk)
    was_made = present.changes.filter(uid=uid).exists()
    is_draft = present.state == MarkupRecord.State.DRAFT and present.final_at is None
    if not was_made and not is_draft:
        raise MarkupConflict(_("This check was submitted already, or another one took its place."))
    if not was_made and not _stands_apart(present, seen, change, page=record.page):
        raise MarkupConflict(
            _("The same was changed in another tab or on another device. Choose one of the two.")
        )
    record.known = None
    record.version, record.stated = present.version, present.stated
    record.saved_at = present.saved_at
    if was_made:
        return False
    record.version += 1
    MarkupRecord.objects.filter(pk=record.pk).update(version=record.version, saved_at=Now())
    return True


def _stands_apart(record: MarkupRecord, seen: int, change: Change, *, page: str) -> bool:
    """Was nothing of it touched since by any other page? What the log does not tell may have."""
    since = list(record.changes.filter(version__gt=seen))
    if len(since) != record.version - seen:
        return False
    if any(row.step == Step.FIXED for row in since):
        return False
    others = (row for row in since if not (row.page and row.page == page))
    own = touched(change)
    return not any(meet(own, touched(row.to_core())) for row in others)
