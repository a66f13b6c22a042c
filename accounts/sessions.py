"""Sessions in the database; a cookie that cannot be a session's key is no key at all."""

from __future__ import annotations

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import OperationalError


class SessionStore(DatabaseStore):
    """Keys of ours are letters and digits; PostgreSQL refuses a NUL in what it looks up."""

    def _validate_session_key(self, key: str | None) -> bool:
        takes = super()._validate_session_key  # type: ignore[misc] - the stubs do not know it
        return key is not None and key.isascii() and key.isalnum() and takes(key)

    def save(self, must_create: bool = False) -> None:
        """A database that cannot be written to now is told as that, not as a lost session."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise
