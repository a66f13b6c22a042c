"""Why a file of a session is annulled, in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.models import ExchangeSession, SessionFile

State = ExchangeSession.State
NOT_HANDED_OUT: Final[Mapping[str, Promise]] = {
    State.ABORTED: _("not handed out: the session was aborted"),
    State.STOPPED: _("not handed out: the organisers stopped the session"),
    State.LOST: _("not handed out: the connection was lost for too long"),
}
"""Of files that had not opened when their session came to such an end."""


def why_annulled(
    reason: str, *, opens_at: datetime | None, closed_at: datetime | None, state: str
) -> str:
    """The reason of a file, which would have opened at ``opens_at``, in a session of ``state``."""
    has_opened = opens_at is not None and (closed_at is None or opens_at <= closed_at)
    if reason == SessionFile.Reason.MISSING and not has_opened and state in NOT_HANDED_OUT:
        return str(NOT_HANDED_OUT[state])
    return str(SessionFile.Reason(reason).label)
