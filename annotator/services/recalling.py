"""A check that was submitted can be recalled for a minute by the database's clock.

Until then it is a draft that nobody changes: nothing has taken effect. Then it is closed, exactly
once: whoever recalls, makes final or settles holds the markup's row first.
"""

from __future__ import annotations

from datetime import timedelta
from operator import attrgetter

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.services.audit import audit
from annotator.models import MarkupRecord
from annotator.queries.work import handed_in_by
from annotator.services.markup import close, lock
from annotator.services.refusals import MarkupConflict
from jobs.services.work import fenced, order, take_back_waiting

KIND = "annotator.settle_submission"


def order_settlement(*, markup_id: int) -> None:
    """Promise to close a markup that was handed in, once its time to be recalled is over."""
    record = MarkupRecord.objects.get(pk=markup_id)
    window = timedelta(seconds=settings.RECALL_SECONDS)
    order(kind=KIND, key=_key(record), args={"markup_id": markup_id}, after=window)


@transaction.atomic
def recall(*, record: MarkupRecord) -> MarkupRecord:
    """Give a check that was handed in back to its expert, as it was. Safe to repeat.

    Raises ``Refused`` when its time is over, or it was made final.
    """
    lock(record)
    if record.state == MarkupRecord.State.DRAFT and record.final_at is None:
        return record
    mine = MarkupRecord.objects.filter(pk=record.pk, final_at__gt=Now())
    if record.state != MarkupRecord.State.DRAFT or not mine.exists():
        raise MarkupConflict(
            _("This check is final: its time to be recalled is over. A coordinator can reopen it.")
        )
    take_back_waiting(key=_key(record))
    _release(record)
    audit(actor=record.author, action="markup.recalled", target=record, essay=record.essay_id)
    return record


@transaction.atomic
def make_final(*, record: MarkupRecord) -> MarkupRecord:
    """Close a check that was handed in without waiting any longer. Safe to repeat.

    Raises ``MarkupConflict`` for a draft that was not handed in, or was recalled.
    """
    lock(record)
    if record.state == MarkupRecord.State.DRAFT and record.final_at is None:
        raise MarkupConflict(_("This check was recalled: submit it again."))
    if record.state == MarkupRecord.State.DRAFT:
        take_back_waiting(key=_key(record))
        close(record)
    return record


def settle(*, markup_id: int) -> None:
    """Close a markup whose time to be recalled is over; one that was recalled stays a draft.

    A check that was taken away meanwhile does not count any more: its draft is kept.
    """
    with fenced():
        record = MarkupRecord.objects.filter(pk=markup_id).first()
        if record is None:
            return
        lock(record)
        due = MarkupRecord.objects.filter(pk=markup_id, final_at__lte=Now())
        if record.state != MarkupRecord.State.DRAFT or not due.exists():
            return
        _close_or_release(record)


def settle_all_of(*, expert_id: int) -> None:
    """Close what somebody who marks no more has handed in: nobody is left to recall it."""
    for record in sorted(handed_in_by(expert_id), key=attrgetter("pk")):
        lock(record)
        if record.state == MarkupRecord.State.DRAFT and record.final_at is not None:
            _close_or_release(record)


def _close_or_release(record: MarkupRecord) -> None:
    try:
        with transaction.atomic():
            close(record)
    except MarkupConflict:
        _release(record)


def _release(record: MarkupRecord) -> None:
    MarkupRecord.objects.filter(pk=record.pk).update(final_at=None, submitted_at=None)
    record.final_at = record.submitted_at = None


def _key(record: MarkupRecord) -> str:
    """The work of one submission: what is submitted anew has another version."""
    return f"submission:{record.pk}:{record.version}"
