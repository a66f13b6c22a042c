"""Rows that several transactions rely on at once, while nobody changes them."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import QuerySet


def keep(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows, as they are until the transaction ends: who holds one for a change is waited for.

    Others may rely on them too. SQLite has one writer at a time and needs no lock.
    """
    if not connection.features.has_select_for_update:
        return rows
    words, values = rows.order_by("pk").values("pk").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"{words} FOR KEY SHARE", values)
        return rows.model.objects.filter(pk__in=[pk for (pk,) in cursor.fetchall()])
