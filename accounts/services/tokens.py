"""Keys to the API: shown once, kept as digests, revocable, good for a time (reliability.md S10).

They end with the password of their account and with the account; nothing revives them.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.access import coming_in, may_act_for, may_come_in
from accounts.models import ApiToken, User
from accounts.services.audit import audit
from web.prepared import Given, Prepared
from web.refusals import Refused

DAYS: Final = 90
"""How long a key is good where nothing else is asked for."""
LONGEST: Final = 366
MOST: Final = 100
"""Keys an account has at a time: a program that makes one a day needs fewer."""
READ_ONLY: Final = "25006"
"""What PostgreSQL calls a write to a server that only reads."""
TOKENS: Final = re.compile(r"(?:(?<=%3D)|(?<![\w-]))[A-Za-z0-9_-]{43}(?![\w-])", re.ASCII)
"""What may be a key in a text, also where it follows an equals sign in an address."""
USE_IS_KEPT: Final = timedelta(minutes=1)
"""The last use is not written more often: a request that reads stays one that reads."""
IS_STALE: Final = Q(used_at=None) | Q(used_at__lt=Now() - USE_IS_KEPT)


@transaction.atomic
def issue_token(*, user: User, name: str, days: int = DAYS, member: User | None = None) -> str:
    """Make a key for an account and return it: there is no second chance to see it.

    ``member``: who acts for the account. Raises ``PermissionDenied`` for whoever came in by a
    password that is not the present one, or acts for the account no more; ``Refused`` for an
    account that has as many keys as it may.
    """
    present = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if present.password != user.password or not may_come_in(present):
        raise PermissionDenied
    if member is not None and not may_act_for(User.objects.get(pk=member.pk), present):
        raise PermissionDenied
    if good_tokens().filter(lets_in(), user=user).count() >= MOST:
        sentence = _("An account has at most %d keys at a time. Revoke one that nobody needs.")
        raise Refused(sentence % MOST)
    token = secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        user=user,
        member=member,
        name=name,
        digest=digest(token),
        hint=token[-4:],
        expires_at=Now() + timedelta(days=days),
    )
    audit(actor=user, action="token.issued", target=row, name=name)
    return token


def good_tokens() -> QuerySet[ApiToken]:
    """Keys that are neither revoked nor past their time."""
    return ApiToken.objects.filter(revoked_at=None, expires_at__gt=Now())


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User | None, **details: str) -> None:
    """Make a key useless from now on. Safe to repeat."""
    changed = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=Now())
    if changed:
        audit(actor=actor, action="token.revoked", target=token, name=token.name, **details)


@transaction.atomic
def revoke_tokens_of(*, user_id: int, actor: User | None, reason: str) -> None:
    """Make all keys of an account useless from now on. Safe to repeat."""
    for token in ApiToken.objects.filter(user=user_id, revoked_at=None).order_by("pk"):
        revoke_token(token=token, actor=actor, reason=reason)


def user_of_token(token: str) -> User | None:
    """Whose key this is; ``None`` for one unknown, revoked, expired, of a closed account, or made
    for it by somebody whose own is.
    """
    for row in _OF_DIGEST[settings.LOCAL](digest=digest(token)):
        person: User = row.user
        if row.is_stale:
            note_uses([row.pk])
        return person
    return None


def owners_of_tokens(tokens: Collection[str]) -> tuple[dict[str, User], list[int]]:
    """Whose keys these are, and the rows of those whose use ``note_uses`` is to write down."""
    digests = {digest(token): token for token in tokens}
    found = _opening().filter(digest__in=digests)
    people = {digests[row.digest]: row.user for row in found}
    return people, [row.pk for row in found if row.is_stale]


def lets_in() -> Q:
    """Keys whose account may come in, and so may who made them in its name, as what it is."""
    as_it_is = Q(coming_in("member__"), member__role=F("user__role"))
    return coming_in("user__") & (Q(member=None) | as_it_is)


def _opening() -> QuerySet[Any]:
    """Good keys that let in, with their accounts, and whether their use is to be written down."""
    found = good_tokens().filter(lets_in()).select_related("user")
    return found.annotate(is_stale=IS_STALE)


def _of_digest() -> QuerySet[Any]:
    return _opening().filter(digest=Given("digest")).order_by()


_OF_DIGEST: Final = {local: Prepared(_of_digest) for local in (True, False)}
"""By whether the platform is on this machine: who may come in differs."""


def note_uses(rows: Collection[int]) -> None:
    """Write down that these keys were used now."""
    with suppress_read_only():
        ApiToken.objects.filter(IS_STALE, pk__in=rows).update(used_at=Now())


def without_tokens(text: str, user: User) -> str:
    """The text with every key masked that this account has or had."""
    digests = set(ApiToken.objects.filter(user=user).values_list("digest", flat=True))

    def masked(found: re.Match[str]) -> str:
        return f"…{found[0][-4:]}" if digest(found[0]) in digests else found[0]

    return TOKENS.sub(masked, text)


@contextmanager
def suppress_read_only() -> Iterator[None]:
    """Leave unwritten what a database that only reads does not take: a standby, a full disk."""
    try:
        yield
    except DatabaseError as error:
        of_sqlite = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
        of_postgresql = getattr(error.__cause__, "sqlstate", "")
        if of_sqlite != sqlite3.SQLITE_READONLY and of_postgresql != READ_ONLY:
            raise


def digest(token: str) -> str:
    """What is kept of a key. It is 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
