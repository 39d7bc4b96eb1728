"""Note that an agent read: one line per key and hour, with the number of rows."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from memory.querysets.callers import Caller


def note_reading(caller: Caller, *, rows: int, now: datetime) -> None:
    """Inside owner_scope. Nothing is read behind the owner's back, and nothing is reinforced."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_reading (owner_id, agent_id, key_id, hour, requests, rows)"
            " VALUES (%s, %s, %s, date_trunc('hour', %s::timestamptz), 1, %s)"
            " ON CONFLICT (key_id, hour) DO UPDATE SET"
            " requests = memory_reading.requests + 1, rows = memory_reading.rows + excluded.rows",
            [caller.owner, caller.agent, caller.key, now, rows],
        )
