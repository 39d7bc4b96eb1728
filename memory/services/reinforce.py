"""Count what recall served and what had its chance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

# Rows are locked in id order, so that overlapping recalls queue instead of deadlocking.
_REINFORCE = """
UPDATE memory_memoryuse u SET
    times_served = u.times_served + CASE WHEN l.served THEN 1 ELSE 0 END,
    missed_chances = u.missed_chances + CASE WHEN l.served THEN 0 ELSE 1 END,
    last_served_at = CASE WHEN l.served
        THEN greatest(u.last_served_at, %(now)s) ELSE u.last_served_at END,
    anchor = CASE WHEN l.served THEN greatest(u.anchor, %(now)s) ELSE u.anchor END
FROM (
    SELECT memory_id, memory_id = ANY(%(served)s) AS served FROM memory_memoryuse
    WHERE owner_id = %(owner)s AND memory_id = ANY(%(all)s) ORDER BY memory_id FOR UPDATE
) l
WHERE u.memory_id = l.memory_id
"""


def reinforce(
    owner: UUID, *, served: Sequence[UUID], missed: Sequence[UUID], now: datetime
) -> None:
    """What was served: once more, and its clock starts anew. What was not: a missed chance.

    One statement. Only MemoryUse changes: the rows with the words, their version and updated_at
    stay untouched.
    """
    if not served and not missed:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _REINFORCE,
            {
                "now": now,
                "owner": owner,
                "served": list(served),
                "all": [*served, *missed],
            },
        )
