"""Sessions in the database; a cookie that cannot be a session's key is no key at all."""

from __future__ import annotations

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.db.models import DateTimeField
from django.utils import timezone

from web.prepared import Given, Prepared

_VALID = Prepared(
    lambda: Session.objects.filter(
        session_key=Given("key"), expire_date__gt=Given("now", DateTimeField())
    )
)


class SessionStore(DatabaseStore):
    """Keys of ours are letters and digits; PostgreSQL refuses a NUL in what it looks up."""

    def _validate_session_key(self, key: str | None) -> bool:
        takes = super()._validate_session_key  # type: ignore[misc] - the stubs do not know it
        return key is not None and key.isascii() and key.isalnum() and takes(key)

    def _get_session_from_db(self) -> Session | None:
        found = _VALID(key=self.session_key, now=timezone.now())
        if not found:
            self._session_key = None
        return found[0] if found else None

    def save(self, must_create: bool = False) -> None:
        """A database that cannot be written to now is told as that, not as a lost session."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise
