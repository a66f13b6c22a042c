"""Letters to several people at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import AuditEntry, User
from accounts.services.people import send_invitation

AT_ONCE: Final = 100
"""So many letters are sent by one word: somebody waits for the answer."""

JUST_NOW: Final = timedelta(minutes=10)
"""Who was sent a letter within this time gets no other: the button was pressed twice."""


@dataclass(frozen=True, slots=True)
class Sent:
    """How many got a letter, how many had one a moment ago, whether the mail server gave up."""

    letters: int
    just_now: int
    broken_off: bool = False


def invite_several(*, people: Iterable[User], address: str, actor: User) -> Sent:
    """Send each of these people a link, unless they were sent one just now.

    Each letter is written down for itself: what was sent before the mail server failed stays sent.
    """
    letters = just_now = 0
    for person in list(people)[:AT_ONCE]:
        try:
            is_sent = _invited(person, address, actor)
        except OSError:
            return Sent(letters, just_now, broken_off=True)
        letters += is_sent
        just_now += not is_sent
    return Sent(letters, just_now)


@transaction.atomic
def _invited(person: User, address: str, actor: User) -> bool:
    held = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    lately = AuditEntry.objects.filter(
        action="person.invited",
        object_type=User._meta.label_lower,
        object_id=str(held.pk),
        at__gt=Now() - JUST_NOW,
    )
    if not held.email or not held.is_active or lately.exists():
        return False
    send_invitation(person=held, address=address, actor=actor)
    return True
