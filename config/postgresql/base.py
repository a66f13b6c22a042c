"""Django's PostgreSQL, with an end to the wait for a server that has become silent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg.errors import ConnectionTimeout

from config.postgresql.pulse import Pulse

GREETING_SECONDS: Final = 2
PULSES: Final[dict[tuple[Any, Any], Pulse]] = {}
"""By host and port: what one thread found out about a server, the others need not."""


class Connection(psycopg.Connection[Any]):
    """Every wait on it ends with the pulse of its server, and so does the connection."""

    pulse: Pulse | None = None

    def wait(self, waiting: Any, *arguments: Any, **options: Any) -> Any:
        if self.pulse is None:
            return super().wait(waiting, *arguments, **options)
        missed = self.pulse.missed
        try:
            return super().wait(self.pulse.watch(waiting), *arguments, **options)
        except psycopg.OperationalError:
            if self.pulse.missed != missed:
                self.close()
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    Database = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        pulse = pulse_of(conn_params)
        pulse.expect()
        try:
            connection = super().get_new_connection(conn_params)
        except ConnectionTimeout:
            pulse.miss()
            raise
        connection.pulse = pulse
        return connection


def pulse_of(conn_params: dict[str, Any]) -> Pulse:
    def greet() -> None:
        psycopg.connect(**{**conn_params, "connect_timeout": GREETING_SECONDS}).close()

    address = conn_params.get("host"), conn_params.get("port")
    return PULSES.setdefault(address, Pulse(greet))
