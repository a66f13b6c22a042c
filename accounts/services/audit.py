from __future__ import annotations

from django.db import models

from accounts.models import AuditEntry, User


def record(*, actor: User | None, action: str, target: models.Model, **details: object) -> None:
    """Write down a change, in the caller's transaction. ``details`` must fit into JSON."""
    AuditEntry.objects.create(
        actor=actor,
        action=action,
        object_type=target._meta.label_lower,
        object_id=str(target.pk),
        details=details,
    )
