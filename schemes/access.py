"""Who may see and use runs and stored keys of the schemes: the one place that decides."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.roles import EVERYBODY, MANAGERS
from schemes.models import SchemeRun, StoredKey


def may_use_schemes(user: User) -> bool:
    """True for those who may have inputs of their own scored."""
    return user.role in EVERYBODY


def runs_seen_by(user: User) -> QuerySet[SchemeRun]:
    """One's own runs; managers see everybody's."""
    runs = SchemeRun.objects.select_related("owner", "key", "job").defer("key__content")
    return runs if user.role in MANAGERS else runs.filter(owner=user)


def keys_used_by(user: User) -> QuerySet[StoredKey]:
    """The keys a person's runs may be scored by: those it may read, and what is offered."""
    keys = StoredKey.objects.select_related("owner").defer("content").filter(source="")
    return keys if user.role in MANAGERS else keys.filter(Q(owner=user) | Q(offered=True))


def keys_kept_by(user: User) -> QuerySet[StoredKey]:
    """The keys a person may read, offer, take back and delete: its own; managers look after all."""
    keys = StoredKey.objects.select_related("owner").defer("content")
    return keys if user.role in MANAGERS else keys.filter(owner=user)


def may_explain(user: User, run: SchemeRun) -> bool:
    """True when an item may be explained by the key's own words."""
    return not run.veiled or (run.key is not None and may_read(user, run.key))


def may_read(user: User, key: StoredKey) -> bool:
    """True when the contents of a key are no secret to a person."""
    return key.owner_id == user.pk or user.role in MANAGERS
