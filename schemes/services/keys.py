"""Stored keys: kept by a person, offered to everybody or not, deleted."""

from __future__ import annotations

from django.db import IntegrityError
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from accounts.models import User
from schemes.adapters.scheme import Scheme
from schemes.models import StoredKey
from schemes.services.quotas import one_at_a_time, refuse_full
from schemes.signals import key_asked
from web.refusals import Refused


def keep_key(*, owner: User, scheme: Scheme, name: str, data: bytes, offered: bool) -> StoredKey:
    """Store a key that can be used. Raises ``Unfit`` for another.

    Raises ``Refused`` for a taken name, and where the person's room is full by now.
    """
    source = scheme.key
    if source is None:
        raise Refused(_("This scheme has no key."))
    source.read(data, {}, {})
    try:
        with one_at_a_time(owner):
            refuse_full(owner=owner, more=len(data))
            return StoredKey.objects.create(
                owner=owner,
                scheme=scheme.slug,
                name=name,
                offered=offered,
                content=data,
                size=len(data),
            )
    except IntegrityError:
        raise Refused(_("You have a key of this name. Choose another name.")) from None


def offer_key(*, key: StoredKey, offered: bool) -> None:
    """Let everybody use a key, or its readers only; runs that were made stay as they are.

    Raises ``Refused`` for the key of a contest.
    """
    if offered:
        refuse_offering(key)
    StoredKey.objects.filter(pk=key.pk).update(offered=offered)


def drop_key(*, key: StoredKey) -> None:
    """Delete a key; finished runs by it stay. Raises ``Refused`` for the key of a contest."""
    try:
        StoredKey.objects.filter(pk=key.pk).delete()
    except ProtectedError:
        raise Refused(_("This is the key of a contest: it is kept.")) from None


def refuse_offering(key: StoredKey) -> None:
    """Raise ``Refused`` for the key of a contest, by which nobody else may have runs scored."""
    for _who, is_kept in key_asked.send(sender=StoredKey, key_id=key.pk):
        if is_kept:
            raise Refused(_("This is the key of a contest: it is offered to nobody."))
