"""Sessions in the database; a cookie that cannot be a session's key is no key at all."""

from __future__ import annotations

from typing import Final

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

SHORTEST: Final = 8
"""Characters of the shortest key Django takes."""


class SessionStore(DatabaseStore):
    """Keys of ours are letters and digits; PostgreSQL refuses a NUL in what it looks up."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and key.isascii() and key.isalnum() and len(key) >= SHORTEST
