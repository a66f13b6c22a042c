"""Markups that programs send past sessions and past uploads with quotas."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotator.models import Essay, EssaySet, MarkupRecord
from contest.queries.running import qualification_off
from contest.services.sessions.opening import TESTS_A_DAY, told_of_phase
from web.refusals import Refused

A_DAY: Final = timedelta(days=1)


def refuse_of_finals(*, essay_id: int) -> None:
    """Raise ``Refused`` for an essay of finals: what counts of it came in them, and once they are
    published everybody could send what experts marked.
    """
    held = EssaySet.objects.filter(access=EssaySet.Access.FINAL, essays=essay_id).first()
    if held is not None:
        message = _(
            "The set “%s” is for finals: markups of its essays come from the sessions of a final "
            "alone."
        )
        raise Refused(message % held)


def refuse_out_of_phase(*, essay_id: int) -> None:
    """Raise ``Refused`` for a test essay of a contest whose qualification is not on."""
    essay = Essay.objects.annotate(now=Now()).get(pk=essay_id)
    off = qualification_off([essay.essay_set_id], essay.now)
    if off is not None:
        message = _(
            "Clause 4.1 of the regulation: markups of test essays of “%(contest)s” are taken while "
            "its qualification is on, from %(start)s to %(end)s."
        )
        raise Refused(message % told_of_phase(off))


def refuse_trying(*, essay_id: int, author_id: int) -> None:
    """Raise ``Refused`` where an author's program has sent as many markups of a test essay within
    a day as it may open sessions: figures of ever other ones would tell what experts marked.

    Its account is held, so that of several at one moment each is counted.
    """
    sent = MarkupRecord.objects.filter(
        essay=essay_id,
        essay__essay_set__access=EssaySet.Access.CLOSED,
        author=author_id,
        origin="",
        submitted_at__gt=Now() - A_DAY,
    )
    if sent.count() >= TESTS_A_DAY:
        message = _("Markups of this test essay of the last 24 hours: %d, no more are taken.")
        raise Refused(message % TESTS_A_DAY)
