"""Promises the database itself keeps: columns that never change, tables that only grow.

Operations for migrations, on SQLite and PostgreSQL. SQLite drops the triggers of a table when a
later migration rebuilds it: such a migration must state the promise again (tests watch it).
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Frozen(Operation):
    """Refuse any change of the given columns of a table once a row is there."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, table: str, columns: list[str]) -> None:
        self.table = table
        self.columns = columns

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Triggers are not part of Django's models."""

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        for statement in _make(schema_editor.connection.vendor, self.table, self.columns):
            schema_editor.execute(statement)

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        for statement in _drop(schema_editor.connection.vendor, self.table):
            schema_editor.execute(statement)

    def describe(self) -> str:
        return f"Freeze {', '.join(self.columns) or 'all'} of {self.table}"


class FrozenAnew(Frozen):
    """The same for a table that has such a promise already: ``former`` are its columns."""

    def __init__(self, table: str, columns: list[str], former: list[str]) -> None:
        super().__init__(table, columns)
        self.former = former

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        _promise_anew(schema_editor, self.table, self.columns)

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        _promise_anew(schema_editor, self.table, self.former)


class AppendOnly(Frozen):
    """Refuse every change and every deletion of a row."""

    def __init__(self, table: str) -> None:
        super().__init__(table, [])


class NeverEmptied(Frozen):
    """Refuse TRUNCATE, which asks no trigger of a row; SQLite knows no such statement."""

    def __init__(self, table: str) -> None:
        super().__init__(table, [])

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        for statement in _keep(schema_editor.connection.vendor, self.table):
            schema_editor.execute(statement)

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        if schema_editor.connection.vendor != "sqlite":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {self.table}_kept ON {self.table}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {self.table}_kept()")

    def describe(self) -> str:
        return f"Keep {self.table} from being emptied"


class NeverReplaced(Frozen):
    """Refuse INSERT OR REPLACE of a row, which asks no trigger of deletions: SQLite has it."""

    def __init__(self, table: str) -> None:
        super().__init__(table, [])

    def database_forwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        if schema_editor.connection.vendor == "sqlite":
            same = f"SELECT 1 FROM {self.table} WHERE id = NEW.id"  # noqa: S608 - our own words
            schema_editor.execute(
                f"CREATE TRIGGER {self.table}_replaced BEFORE INSERT ON {self.table} "
                f"WHEN EXISTS ({same}) "
                f"BEGIN SELECT RAISE(ABORT, '{self.table}: this cannot be changed'); END"
            )

    def database_backwards(
        self, _app_label: str, schema_editor: BaseDatabaseSchemaEditor, *_: Any
    ) -> None:
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {self.table}_replaced")

    def describe(self) -> str:
        return f"Keep rows of {self.table} from being replaced"


def _promise_anew(schema_editor: BaseDatabaseSchemaEditor, table: str, columns: list[str]) -> None:
    vendor = schema_editor.connection.vendor
    for statement in [*_drop(vendor, table), *_make(vendor, table, columns)]:
        schema_editor.execute(statement)


def _keep(vendor: str, table: str) -> list[str]:
    if vendor == "sqlite":
        return []
    function = _refusal(f"{table}_kept", f"{table}: this cannot be changed")
    trigger = (
        f"CREATE TRIGGER {table}_kept BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_kept()"
    )
    return [function, trigger]


def _refusal(name: str, message: str) -> str:
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger AS $$ "
        f"BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation'; END "
        "$$ LANGUAGE plpgsql"
    )


def _make(vendor: str, table: str, columns: list[str]) -> list[str]:
    events = ["UPDATE"] if columns else ["UPDATE", "DELETE"]
    message = f"{table}: this cannot be changed"
    if vendor == "sqlite":
        return [_sqlite_trigger(table, columns, event, message) for event in events]
    unchanged = " OR ".join(f'OLD."{name}" IS DISTINCT FROM NEW."{name}"' for name in columns)
    condition = f"WHEN ({unchanged})" if columns else ""
    function = _refusal(f"{table}_frozen", message)
    trigger = (
        f"CREATE TRIGGER {table}_frozen BEFORE {' OR '.join(events)} ON {table} "
        f"FOR EACH ROW {condition} EXECUTE FUNCTION {table}_frozen()"
    )
    return [function, trigger]


def _sqlite_trigger(table: str, columns: list[str], event: str, message: str) -> str:
    changed = " OR ".join(f'OLD."{name}" IS NOT NEW."{name}"' for name in columns)
    condition = f"WHEN {changed} " if columns else ""
    return (
        f"CREATE TRIGGER {table}_frozen_{event.lower()} BEFORE {event} ON {table} "
        f"{condition}BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _drop(vendor: str, table: str) -> list[str]:
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {table}_frozen_{event}" for event in ("update", "delete")]
    return [
        f"DROP TRIGGER IF EXISTS {table}_frozen ON {table}",
        f"DROP FUNCTION IF EXISTS {table}_frozen()",
    ]
