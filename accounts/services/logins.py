"""Tries to log in: few for a stranger, and nobody is shut out by the tries of others.

After OWASP's "device cookies": a browser, or an address, an account was opened from has tries of
its own. Everybody else is a stranger to the account: strangers' tries are counted by account and
address, by account, and by address. Whoever uses those up holds up strangers only; an owner who
is one today comes in by a letter's link, which makes the browser known.
"""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from accounts.models import KnownPlace, User
from accounts.services.limits import Limit, forget, give_back, take_each
from web.core.addresses import network_of

LOGIN: Final = Limit(tries=5, seconds=15 * 60)
"""At an account from one place."""
STRANGERS: Final = Limit(tries=30, seconds=60 * 60)
"""At an account from all places it was never opened from."""
ADDRESS: Final = Limit(tries=50, seconds=15 * 60)
"""From an address, at all accounts that were never opened from there."""
LETTERS: Final = Limit(tries=5, seconds=60 * 60)
"""Links to one account."""
KNOWN: Final = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody comes from: a network address and the mark of the browser, if it has one."""

    address: str
    device: str = ""

    @property
    def network(self) -> str:
        """What one visitor may choose addresses from: of IPv6, 64 bits."""
        return network_of(self.address)

    def marks(self) -> list[str]:
        """How the place is kept, surest first; nobody reads an address from it."""
        kinds = [("device", self.device), ("address", self.network)]
        return [mark_of(kind, value) for kind, value in kinds if value]


def mark_of(kind: str, value: str) -> str:
    return salted_hmac("accounts.place", f"{kind}:{value}", algorithm="sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Knock:
    """A try that was counted: in a bucket of this place, and in those others share."""

    own: str
    shared: tuple[str, ...]
    moment: float


def knock(*, name: str, place: Place) -> Knock:
    """Count a try to open an account. Raises ``TooMany``."""
    plain = plain_name(name)
    own = known_bucket(plain, place)
    if own:
        return Knock(own, (), take_each({own: LOGIN}))
    folded = plain[:100].casefold()
    own = f"login:{place.network}:{folded}"
    shared = {f"login to:{folded}": STRANGERS, f"login from:{place.network}": ADDRESS}
    return Knock(own, tuple(shared), take_each({own: LOGIN, **shared}))


@transaction.atomic
def let_in(*, knock: Knock, person: User, place: Place) -> None:
    """After a success: its try is given back, the place's are forgotten, and it is known."""
    # the others' tries stay: a good password for one account brings no tries at another
    give_back(keys=knock.shared, moment=knock.moment)
    forget(key=knock.own)
    remember(person=person, place=place)


def remember(*, person: User, place: Place) -> None:
    """Know a place as one the owner of an account comes from."""
    KnownPlace.objects.bulk_create(
        [KnownPlace(user=person, mark=mark) for mark in sorted(place.marks())],
        update_conflicts=True,
        unique_fields=["user", "mark"],
        update_fields=["seen_at"],
    )
    KnownPlace.objects.filter(user=person, seen_at__lt=Now() - KNOWN).delete()


def count_letter(*, person: User | None, place: Place) -> None:
    """Count a wish for a link. Raises ``TooMany``.

    Links go to the owner: whoever uses up an account's has sent them to the right one.
    """
    limits = {f"letters from:{place.network}": ADDRESS}
    if person is not None:
        limits[f"letters to:{person.pk}"] = LETTERS
    take_each(limits)


def new_device() -> str:
    """The mark of a browser."""
    return secrets.token_urlsafe(16)


def is_known(device: str) -> bool:
    """Did we give this mark to a browser from which an account was opened?"""
    return bool(device) and KnownPlace.objects.filter(mark=mark_of("device", device)).exists()


def plain_name(name: str) -> str:
    """Every spelling that Django's form reads as the same name."""
    return unicodedata.normalize("NFKC", name.replace("\0", "")).strip()


def known_bucket(plain: str, place: Place) -> str:
    """The bucket of a place the account was opened from; empty for a stranger."""
    known = KnownPlace.objects.filter(
        user__username=plain[:150], mark__in=place.marks(), seen_at__gte=Now() - KNOWN
    )
    users = dict(known.values_list("mark", "user_id"))
    return next((f"known:{users[mark]}:{mark}" for mark in place.marks() if mark in users), "")
