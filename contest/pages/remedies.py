"""What a program does about an answer that does not count."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from contest.models import SessionEvent

Reason = SessionEvent.Reason

REMEDIES: Final = (
    (Reason.BROKEN, _("mend it where the problems in the answer say, and send it again")),
    (Reason.FOREIGN, _("send the text of the essay as it came")),
    (Reason.LATE, _("nothing: its time is over; be quicker with the next one")),
    (Reason.OVER_LIMIT, _("nothing: the tenth accepted answer counts")),
    (Reason.NOT_OPEN, _("check the name of the file: the session has none, or it comes later")),
    (Reason.CLOSED, _("read the log of the session, it says which files count")),
)
"""Reasons of an answer in the order of how often they are met, each with what to do."""
