"""Sessions in the database; a cookie that cannot be a session's key is no key at all."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore


class SessionStore(DatabaseStore):
    """Keys of ours are letters and digits; PostgreSQL refuses a NUL in what it looks up."""

    def _validate_session_key(self, key: str | None) -> bool:
        takes = super()._validate_session_key  # type: ignore[misc] - the stubs do not know it
        return key is not None and key.isascii() and key.isalnum() and takes(key)
