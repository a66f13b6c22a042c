"""Django's SQLite, whose searches ignore the case of every alphabet: its own know only ASCII."""

from __future__ import annotations

from typing import Any, Final

from django.db.backends.sqlite3 import base, operations

IN_ANY_CASE: Final = ("iexact", "icontains", "istartswith", "iendswith")


class DatabaseOperations(operations.DatabaseOperations):
    def lookup_cast(self, lookup_type: str, internal_type: str | None = None) -> str:
        del internal_type
        return "FOLDED(%s)" if lookup_type in IN_ANY_CASE else "%s"


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
    operators = base.DatabaseWrapper.operators | dict.fromkeys(
        IN_ANY_CASE, r"LIKE FOLDED(%s) ESCAPE '\'"
    )
    pattern_ops = base.DatabaseWrapper.pattern_ops | {
        "icontains": r"LIKE '%%' || FOLDED({}) || '%%' ESCAPE '\'",
        "istartswith": r"LIKE FOLDED({}) || '%%' ESCAPE '\'",
        "iendswith": r"LIKE '%%' || FOLDED({}) ESCAPE '\'",
    }

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.create_function("FOLDED", 1, folded, deterministic=True)
        return connection


def folded(value: Any) -> Any:
    """A text without case; what is none stays what it is."""
    return value.casefold() if isinstance(value, str) else value
