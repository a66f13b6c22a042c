"""Why a file of a session is annulled, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.core.session_rules import Content
from contest.models import ExchangeSession, SessionFile

State = ExchangeSession.State
NOT_HANDED_OUT: Final[Mapping[str, Promise]] = {
    State.ABORTED: _("not handed out: the session was aborted"),
    State.STOPPED: _("not handed out: the organisers stopped the session"),
    State.LOST: _("not handed out: the connection was lost for too long"),
}
"""Of files that had not opened when their session came to such an end."""
OVER_BEFORE: Final = _("its time was over before the session was opened")
"""Of files that open by the clock and nobody could ask for."""
IN_VAIN: Final[Mapping[str, Promise]] = {
    Content.BROKEN.value: _("what was sent is not readable as a markup"),
    Content.FOREIGN.value: _("what was sent is a markup of another text"),
}
"""Of files to which nothing else was sent."""


def why_annulled(
    reason: str,
    *,
    opens_at: datetime | None,
    closed_at: datetime | None,
    state: str,
    refused: Collection[str] = (),
) -> str:
    """The reason of a file, which would have opened at ``opens_at``, in a session of ``state``.

    ``refused``: the kinds of what was sent to it in vain.
    """
    has_opened = opens_at is not None and (closed_at is None or opens_at <= closed_at)
    if reason == SessionFile.Reason.MISSING and not has_opened and state in NOT_HANDED_OUT:
        return str(NOT_HANDED_OUT[state])
    if reason == SessionFile.Reason.NOT_REQUESTED and opens_at is not None:
        return str(OVER_BEFORE)
    if reason == SessionFile.Reason.REJECTED and len(kinds := set(refused)) == 1:
        return str(IN_VAIN[kinds.pop()])
    return str(SessionFile.Reason(reason).label)
