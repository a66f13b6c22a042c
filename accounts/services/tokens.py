"""Keys to the API: shown once, kept as digests, revocable (reliability.md S10)."""

from __future__ import annotations

import hashlib
import secrets

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import ApiToken, User
from accounts.services.audit import record


@transaction.atomic
def issue_token(*, user: User, name: str) -> str:
    """Make a key for an account and return it: there is no second chance to see it."""
    token = secrets.token_urlsafe(32)
    row = ApiToken.objects.create(user=user, name=name, digest=digest(token), hint=token[-4:])
    record(actor=user, action="token.issued", target=row, name=name)
    return token


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User) -> None:
    """Make a key useless from now on. Safe to repeat."""
    changed = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=Now())
    if changed:
        record(actor=actor, action="token.revoked", target=token, name=token.name)


def user_of_token(token: str) -> User | None:
    """Whose key this is; ``None`` for one unknown, revoked, or of a closed account."""
    row = (
        ApiToken.objects.filter(digest=digest(token), revoked_at=None, user__is_active=True)
        .select_related("user")
        .first()
    )
    return row.user if row else None


def digest(token: str) -> str:
    """What is kept of a key. It is 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
