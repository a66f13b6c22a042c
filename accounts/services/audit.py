from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import models

from accounts.models import AuditEntry, User

_signer: ContextVar[tuple[User | None] | None] = ContextVar("audit_signer", default=None)


def audit(*, actor: User | None, action: str, target: models.Model, **details: object) -> None:
    """Write down a change, in the caller's transaction. ``details`` must fit into JSON."""
    entry(actor=actor, action=action, target=target, **details).save(force_insert=True)


def audit_all(entries: Iterable[AuditEntry]) -> None:
    """Write down several changes at once, in the caller's transaction."""
    AuditEntry.objects.bulk_create(entries)


def entry(
    *, actor: User | None, action: str, target: models.Model, **details: object
) -> AuditEntry:
    """What would be written down of a change, not saved."""
    signer = _signer.get()
    return AuditEntry(
        actor=actor if signer is None else signer[0],
        action=action,
        object_type=target._meta.label_lower,
        object_id=str(target.pk),
        details=details,
    )


@contextmanager
def signed_by(actor: User | None) -> Iterator[None]:
    """Within this block every change is this person's, or nobody's: an import submits markups
    in the names of others, who did nothing.
    """
    reset = _signer.set((actor,))
    try:
        yield
    finally:
        _signer.reset(reset)
