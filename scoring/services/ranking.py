"""Ranks of stored scores, by the database alone: one statement, and only rows that change."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

CODE_POINTS: Final = {"postgresql": '"C"', "sqlite": "BINARY"}
"""The order of names by their code points, as each database calls it."""
RANK: Final = """
UPDATE scoring_runentry
SET rank = placed.rank, position = placed.position
FROM (
    SELECT
        id,
        CASE WHEN state = 'ranked'
            THEN RANK() OVER (PARTITION BY state = 'ranked' ORDER BY star DESC)
        END AS rank,
        ROW_NUMBER() OVER (
            PARTITION BY state = 'ranked'
            ORDER BY
                CASE WHEN state = 'ranked' THEN star END DESC,
                name COLLATE {code_points},
                participant_id
        ) AS position
    FROM scoring_runentry
    WHERE run_id = %s AND state <> 'former'
) AS placed
WHERE scoring_runentry.id = placed.id
    AND (
        scoring_runentry.rank IS DISTINCT FROM placed.rank
        OR scoring_runentry.position IS DISTINCT FROM placed.position
    )
"""


@transaction.atomic
def rank_entries(*, run_id: int) -> int:
    """Rank a run's entries by their scores; returns how many stand elsewhere now.

    Equal scores share a rank and the next one is skipped (standings.md 2). Those apart are put in
    the order of their names and have no rank.
    """
    statement = RANK.format(code_points=CODE_POINTS[connection.vendor])
    with connection.cursor() as cursor:
        cursor.execute(statement, [run_id])
        return cursor.rowcount
