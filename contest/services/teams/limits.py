"""How many letters strangers and teams may have us send (limits by address, as for logins)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

from django.utils.translation import ngettext

from accounts.services.limits import Limit, TooMany, take_each
from web.refusals import Refused

FROM_ADDRESS: Final = Limit(tries=10, seconds=60 * 60)
"""Applications from a network address."""
TO_MAILBOX: Final = Limit(tries=5, seconds=12 * 60 * 60)
"""Letters about teams to one mailbox, whoever asks for them."""
OF_TEAM: Final = Limit(tries=40, seconds=12 * 60 * 60)
"""Invitations a team sends."""


class TooOften(Refused):
    """The tries are used up; ``seconds`` until there is one again."""

    code = "too-often"
    status = 429

    def __init__(self, seconds: int) -> None:
        minutes = ceil(seconds / 60)
        message = ngettext(
            "Too many letters were asked for. Try again in %d minute.",
            "Too many letters were asked for. Try again in %d minutes.",
            minutes,
        )
        super().__init__(message % minutes)
        self.seconds = seconds


def count_application(*, network: str, email: str) -> None:
    """Count an application. Raises ``TooOften``."""
    _count({f"application from:{network}": FROM_ADDRESS, _mailbox(email): TO_MAILBOX})


def count_invitation(*, team_id: int, email: str) -> None:
    """Count an invitation. Raises ``TooOften``."""
    _count({f"invitations of:{team_id}": OF_TEAM, _mailbox(email): TO_MAILBOX})


def _mailbox(email: str) -> str:
    return f"team letters to:{email.casefold()}"


def _count(limits: Mapping[str, Limit]) -> None:
    try:
        take_each(limits)
    except TooMany as refusal:
        raise TooOften(refusal.seconds) from None
