"""Every step on a draft takes its next version, once, and leaves a row: compare and swap."""

from __future__ import annotations

import uuid
from typing import Final

from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotator.change_models import MarkupChange
from annotator.core.changes import Change, to_json
from annotator.models import MarkupRecord
from annotator.services.refusals import MarkupConflict

NOTHING: Final = Change()
"""A step that leaves fragments and stated points as they are: a ruling, the submission."""


def claim(
    *, record: MarkupRecord, version: int, uid: uuid.UUID | None = None, change: Change = NOTHING
) -> bool:
    """Take a draft's next version for a step; false when the step ``uid`` was made before.

    In the caller's transaction, before what the step writes. ``version``: the draft's it was made
    for. Without a ``uid`` it is a step of its own. Raises ``MarkupConflict`` when the draft has
    another version by now, or is none any more.
    """
    uid = uid or uuid.uuid4()
    if record.changes.filter(uid=uid).exists():
        return False
    mine = MarkupRecord.objects.filter(
        pk=record.pk, version=version, state=MarkupRecord.State.DRAFT
    ).update(version=F("version") + 1, saved_at=Now())
    if not mine:
        if record.changes.filter(uid=uid).exists():  # the same request came at the same moment
            return False
        raise MarkupConflict(_("Changed in another tab, or submitted already. Load the page anew."))
    record.version = version + 1
    MarkupChange.objects.create(
        markup=record, uid=uid, version=record.version, change=to_json(change)
    )
    return True
