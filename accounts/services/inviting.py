"""Letters with a link by which the owner of an account chooses a password, to one or several."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.services.audit import audit
from accounts.services.posting import AddressRefused, letter_headers, send
from accounts.signals import language_asked

log = logging.getLogger(__name__)

AT_ONCE: Final = 100
"""So many letters are sent by one word: somebody waits for the answer."""

JUST_NOW: Final = timedelta(minutes=10)
"""Who was sent a letter within this time gets no other: the button was pressed twice."""


@dataclass(frozen=True, slots=True)
class Sent:
    """How many got a letter, how many had one a moment ago, whose address the mail server does not
    take, whether it gave up.
    """

    letters: int
    just_now: int
    refused: Sequence[User] = ()
    broken_off: bool = False


def send_invitation(*, person: User, address: str, actor: User | None) -> None:
    """Send a link by which the owner of an account chooses a password; it also resets one.

    ``address``: the beginning of the link, such as ``https://host``. Who asks for it on their own
    has it in the language of their page, whom somebody invites in the one they read letters in.
    Raises ``AddressRefused`` for an address that is not taken, and ``OSError`` when the mail server
    does not take the letter.
    """
    with override(_language_of(person) if actor else get_language()):
        _send_invitation(person, address)
    audit(actor=actor, action="person.invited", target=person)


def _language_of(person: User) -> str:
    answers = language_asked.send(sender=User, user_id=person.pk)
    return next((each for _listener, each in answers if each), settings.MAIL_LANGUAGE)


def _send_invitation(person: User, address: str) -> None:
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    token = default_token_generator.make_token(person)
    link = f"{address}/invitation/{uid}/{token}/"
    text = render_to_string("accounts/invitation.txt", {"person": person, "link": link})
    letter = EmailMessage(
        subject=_("Your Razbor account"),
        body=text,
        to=[person.email],
        headers=letter_headers(),
    )
    try:
        send(letter)
    except OSError:
        log.exception("A letter to account %s was not sent.", person.pk)
        raise


def invite_several(*, people: Iterable[User], address: str, actor: User) -> Sent:
    """Send each of these people a link, unless they were sent one just now.

    Each letter is written down for itself: what was sent before the mail server failed stays sent,
    and an address it does not take keeps no letter from the others.
    """
    letters = just_now = 0
    refused: list[User] = []
    for person in list(people)[:AT_ONCE]:
        try:
            is_sent = _invited(person, address, actor)
        except AddressRefused:
            refused.append(person)
            continue
        except OSError:
            return Sent(letters, just_now, refused, broken_off=True)
        letters += is_sent
        just_now += not is_sent
    return Sent(letters, just_now, refused)


def told_lately(people: Iterable[int], action: str) -> set[int]:
    """Which of these accounts were sent a letter just now, by what is written down of it; whoever
    sends one holds them.
    """
    found = AuditEntry.objects.filter(
        action=action,
        object_type=User._meta.label_lower,
        object_id__in=[str(each) for each in people],
        at__gt=Now() - JUST_NOW,
    )
    return {int(each) for each in found.values_list("object_id", flat=True)}


@transaction.atomic
def _invited(person: User, address: str, actor: User) -> bool:
    held = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not held.email or not held.is_active or told_lately([held.pk], "person.invited"):
        return False
    send_invitation(person=held, address=address, actor=actor)
    return True
