"""Letters and the mail server: what it says of one, when to try again, what it knows one by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from smtplib import SMTPRecipientsRefused
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.utils.translation import get_language

MOST_TRIES: Final = 10
LONGEST_PAUSE: Final = 60
"""Minutes between two tries at most: ten tries take five hours."""
FOR_GOOD: Final = 500
"""An answer of a mail server from here on is its last word (RFC 5321, 4.2.1)."""


class AddressRefused(Exception):
    """An address takes no letters for good: the server says so, or it cannot be written down."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """Why a letter did not go out; ``for_good``: the same would be said of it again."""

    reason: str
    for_good: bool


def post(message: EmailMessage) -> Unsent | None:
    """Hand a letter to the mail server; ``None`` once that has taken it."""
    try:
        message.send()
    except SMTPRecipientsRefused as error:
        code, said = _code_of(error)
        words = f"{code} {said.decode(errors='replace') if isinstance(said, bytes) else said}"
        return Unsent(words, for_good=code >= FOR_GOOD)
    except ValueError as error:  # no address at all
        return Unsent(str(error), for_good=True)
    except OSError as error:
        return Unsent(str(error), for_good=False)
    return None


def send(message: EmailMessage) -> None:
    """Hand a letter to one address over at once. Raises ``AddressRefused``, and ``OSError`` where
    the mail server takes no letter, or not now.
    """
    try:
        validate_email(message.to[0])
        message.send()
    except SMTPRecipientsRefused as error:
        if _code_of(error)[0] < FOR_GOOD:  # such as: come again in some minutes
            raise
        raise AddressRefused from error
    except (ValidationError, UnicodeError) as error:
        raise AddressRefused from error


def _code_of(error: SMTPRecipientsRefused) -> tuple[int, bytes | str]:
    return next(iter(error.recipients.values()), (FOR_GOOD, b""))


def pause_after(tries: int) -> timedelta | None:
    """How long to wait after one try more than these, longer each time; ``None``: give it up."""
    if tries + 1 >= MOST_TRIES:
        return None
    return timedelta(minutes=min(2**tries, LONGEST_PAUSE))


def letter_headers() -> dict[str, str]:
    """That no person wrote a letter, and the language it is written in: the one of this moment."""
    return {
        "Auto-Submitted": "auto-generated",
        "Content-Language": get_language() or settings.LANGUAGE_CODE,
    }


def message_id(name: str) -> str:
    """What a mail server and a reader know a letter of this name by, however often it is sent."""
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return f"<{name}@{host}>"
