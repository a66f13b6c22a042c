"""The six numbers of the desk once more: counted by a statement of SQL and by nothing of ours."""

from __future__ import annotations

from collections import Counter

from django.db import connection

STATES = """
SELECT essay.id,
  sum(CASE WHEN held.role <> 'third' AND held.state IN ('waiting', 'working', 'submitted')
      THEN 1 ELSE 0 END),
  sum(CASE WHEN held.role <> 'third' AND held.state = 'submitted' THEN 1 ELSE 0 END),
  sum(CASE WHEN held.role = 'third' AND held.state = 'submitted' THEN 1 ELSE 0 END),
  sum(CASE WHEN held.state IN ('waiting', 'working') AND held.deadline_at < CURRENT_TIMESTAMP
      THEN 1 ELSE 0 END),
  sum(CASE WHEN held.state = 'returned' AND NOT EXISTS (
        SELECT 1 FROM annotator_assignment AS heir
        WHERE heir.essay_id = essay.id AND heir.role = held.role
        AND heir.state IN ('waiting', 'working', 'submitted')) THEN 1 ELSE 0 END),
  (SELECT needed FROM scoring_thirdcheck AS decided WHERE decided.essay_id = essay.id)
FROM annotator_essay AS essay
LEFT JOIN annotator_assignment AS held ON held.essay_id = essay.id
WHERE essay.essay_set_id = %s
GROUP BY essay.id
"""
NAMES = ("late", "returned", "unassigned", "working", "third", "settled")


def counted(essay_set):
    """How many essays of a set each number should count."""
    found = Counter()
    with connection.cursor() as cursor:
        cursor.execute(STATES, [essay_set])
        for _pk, held, submitted, third, late, returned, needed in cursor.fetchall():
            found["late"] += late > 0
            found["returned"] += returned > 0
            if held < 2:
                found["unassigned"] += 1
            elif submitted < 2 or needed is None:
                found["working"] += 1
            else:
                found["third" if needed and not third else "settled"] += 1
    return {name: found[name] for name in NAMES}
