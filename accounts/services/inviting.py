"""Letters to several people at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import AuditEntry, User
from accounts.services.people import send_invitation
from accounts.services.posting import AddressRefused

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
