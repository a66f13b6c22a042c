"""What the doors of sessions decline by name."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy as _

from web.refusals import Refused
from web.zones import told_at

SENTENCES: Final[dict[str, str | Promise]] = {
    "too-early": _(
        "“%(final)s” starts at %(start)s. Its session can be opened from %(opens)s on: come back "
        "then."
    ),
    "too-late": _("The session had to be opened earlier: the time for it is over."),
    "already-open": _("You have an open session. End it first, or wait until it ends."),
    "settling": _(
        "Your session is over, and its last answers are settled still: open the next one in a few "
        "seconds."
    ),
    "ended": _("The session has ended: nothing is handed out or taken any more."),
    "quota": _("Sessions with test essays of the last 24 hours: %(most)d, no more are allowed."),
    "too-often": _("Sessions of the last hour: %(most)d, no more are opened. Wait a little."),
    "not-admitted": _("You are not admitted to this final. Ask its organisers."),
    "not-the-team": _(
        "This key is your own, and admitted is your team “%(team)s”: choose it in the bar of the "
        "pages and make a key there."
    ),
    "no-final": _("No final is open to you now. Look at its announced start."),
    "out-of-phase": _(
        "Clause 2.7 of the regulation: test essays of “%(contest)s” are given while its "
        "qualification is on, from %(start)s to %(end)s."
    ),
    "no-essays": _("There are no essays for such a session. Ask for others."),
    "nothing-left": _("All files of the session have been handed out."),
    "no-file": _("No file of the session waits for an answer."),
    "log-full": _("More happened in this session than is kept. Open another one."),
    "too-large": _("The answer is larger than 2.5 MB."),
    "too-many-polls": _("At most %(most)d requests for the next file are served at a time."),
    "not-a-participant": _("Only a participant’s account opens sessions."),
    "used-otherwise": _("This key was used for another session. Use a new one."),
}
STATUSES: Final = {
    "quota": 429,
    "too-often": 429,
    "log-full": 429,
    "too-many-polls": 429,
    "not-admitted": 403,
    "not-the-team": 403,
    "not-a-participant": 403,
    "too-large": 413,
    "ended": 410,
    "nothing-left": 410,
    "no-file": 404,
}
"""Of the others it is 409."""


def in_the_zone(moment: datetime) -> str:
    """A moment as it is told to people: in the platform's time zone, which is named."""
    return told_at(moment, get_current_timezone_name())


class SessionRefused(Refused):
    """A wish about a session that is declined; ``code`` is a key of ``SENTENCES``.

    ``session_id``: the session that is in the way, if one is; ``seconds``: for how long it is.
    """

    def __init__(
        self,
        code: str,
        *,
        session_id: int | None = None,
        seconds: float | None = None,
        **fields: object,
    ) -> None:
        super().__init__(str(SENTENCES[code]) % fields if fields else str(SENTENCES[code]))
        self.code = code
        self.status = STATUSES.get(code, 409)
        self.session_id = session_id
        self.seconds = seconds
