"""Queries that are put together once: of each asking only the values are new.

Django makes the statement of a query whenever it is asked. For a few rows found by their numbers
that takes several times as long as the database does, so the queries that people wait for all day
are prepared: ``Prepared`` of a function that returns one, with ``Given`` for each value that is
known only when it is asked.

    _SEEN = Prepared(lambda: SeenHint.objects.filter(user=Given("user")))

    _SEEN(user=expert.pk)

Nothing of what the database answers is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, Field, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.db.models.sql.subqueries import UpdateQuery
from django.db.transaction import mark_for_rollback_on_error

Row = TypeVar("Row")
LARGEST: Final = 2**63 - 1
"""No column holds a greater number, and databases refuse to look for one."""


class Given(Expression):
    """The place of a value that is named when the query is asked.

    It stands in conditions that all have to be met: a number no column can hold finds nothing.
    ``field`` says how a database writes the value, where that is not as Python does.
    """

    def __init__(self, name: str, field: Field[Any, Any] | None = None) -> None:
        super().__init__(output_field=field)
        self.name, self.written_as = name, field

    def as_sql(self, *_: object, **__: object) -> tuple[str, list[Any]]:
        return "%s", [self]

    def written(self, values: Mapping[str, Any], connection: Any) -> Any:
        """Its value as the database takes it."""
        value, field = values[self.name], self.written_as
        return field.get_db_prep_value(value, connection) if field else value


class GivenAny(Expression):
    """The place of one to ``most`` values, any of which will do: ``pk__in=GivenAny("numbers")``."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__()
        self.name, self.most = name, most

    def as_sql(self, *_: object, **__: object) -> tuple[str, list[Any]]:
        places = ", ".join(["%s"] * self.most)
        return f"({places})", [_GivenOne(self.name, at) for at in range(self.most)]


@dataclass(frozen=True, slots=True)
class _GivenOne:
    """One of several values: a statement has a place for each, where there are fewer the last."""

    name: str
    at: int

    def written(self, values: Mapping[str, Any], _connection: Any) -> Any:
        several = values[self.name]
        return several[min(self.at, len(several) - 1)]


class Prepared(Generic[Row]):
    """A query whose statement is made at its first asking, once for a kind of database.

    ``make`` returns it: rows of a model, with what it selects along, or a list of values.
    """

    def __init__(self, make: Callable[[], QuerySet[Any, Row]]) -> None:
        self._make = make
        self._statements: dict[str, _Statement] = {}

    def __call__(self, **values: Any) -> list[Row]:
        """The rows for these values, read now."""
        return self.between(None, None, **values)

    def between(self, low: int | None, high: int | None, **values: Any) -> list[Row]:
        """Those of the rows that a slice of the list would have."""
        if _finds_nothing(values):
            return []
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._statements.get(connection.vendor)
        if statement is None:
            statement = self._statements[connection.vendor] = _statement_of(self._make())
        limit = connection.ops.limit_offset_sql(low or 0, high)
        return list(statement.asked(values, connection, limit))


class PreparedUpdate:
    """A change of rows whose statement is made in the same way; ``make`` returns them.

    ``changes``: what a column becomes, as ``QuerySet.update`` takes it.
    """

    def __init__(self, make: Callable[[], QuerySet[Any, Any]], **changes: Any) -> None:
        self._make, self._changes = make, changes
        self._statements: dict[str, tuple[str, Sequence[Any]]] = {}

    def __call__(self, **values: Any) -> int:
        """Change the rows for these values; how many there were."""
        if _finds_nothing(values):
            return 0
        connection = connections[DEFAULT_DB_ALIAS]
        if connection.vendor not in self._statements:
            query: Any = self._make().order_by().query.chain(UpdateQuery)
            query.add_update_values(self._changes)
            self._statements[connection.vendor] = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        sql, places = self._statements[connection.vendor]
        with mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
            cursor.execute(sql, _filled(places, values, connection))
            return int(cursor.rowcount)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A query with its statement, what stands at the places in it, how its columns are read."""

    query: QuerySet[Any, Any]
    compiler: SQLCompiler
    sql: str
    places: Sequence[Any]
    converters: Mapping[int, Any]

    def asked(self, values: dict[str, Any], connection: Any, limit: str) -> QuerySet[Any, Any]:
        """The same query, of these values, with no statement to make any more."""
        filled = _filled(self.places, values, connection)
        compiler: Any = copy(self.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (f"{self.sql} {limit}" if limit else self.sql, filled)
        compiler.get_converters = lambda _columns: self.converters
        asked: Any = QuerySet(self.query.model, _Ready(compiler), DEFAULT_DB_ALIAS)  # type: ignore[arg-type]
        asked._iterable_class = self.query._iterable_class  # type: ignore[attr-defined]
        return asked  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Ready:
    """What a queryset asks of its query to read the rows: who has the statement."""

    compiler: SQLCompiler

    def get_compiler(self, using: str | None = None) -> SQLCompiler:  # noqa: ARG002 - as Django's
        return self.compiler


def _finds_nothing(values: dict[str, Any]) -> bool:
    return any(isinstance(each, int) and abs(each) > LARGEST for each in values.values())


def _filled(places: Sequence[Any], values: dict[str, Any], connection: Any) -> list[Any]:
    return [
        each.written(values, connection) if isinstance(each, (Given, _GivenOne)) else each
        for each in places
    ]


def _statement_of(query: QuerySet[Any, Any]) -> _Statement:
    compiler: Any = query.query.get_compiler(DEFAULT_DB_ALIAS)
    sql, places = _written_out(*compiler.as_sql())
    columns = [column for column, _sql, _name in compiler.select[: compiler.col_count]]
    return _Statement(query, compiler, sql, places, compiler.get_converters(columns))


def _written_out(sql: str, places: Iterable[Any]) -> tuple[str, list[Any]]:
    """The statement with the words and numbers the query is made of; the other places stay.

    SQLite chooses how to find rows before it hears the values, and an index of some rows only
    where the statement says that it is about those.
    """
    values, left = iter(places), []

    def written(place: re.Match[str]) -> str:
        if place[0] != "%s":
            return place[0]
        value = next(values)
        if isinstance(value, str) and "\0" not in value:
            return "'{}'".format(str(value).replace("'", "''").replace("%", "%%"))
        if type(value) is int:
            return str(value)
        left.append(value)
        return "%s"

    return re.sub("%[%s]", written, sql), left
