from __future__ import annotations

from django.dispatch import receiver

from accounts.services.tokens import revoke_tokens_of
from accounts.signals import password_renewed


@receiver(password_renewed)
def end_keys(user_id: int, **_: object) -> None:
    revoke_tokens_of(user_id=user_id, actor=None, reason="password")
