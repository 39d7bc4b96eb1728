"""One writer an owner at a time, and nothing written for an epoch that is over."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from memory.domain.policy import Policy as Rules
from memory.models import Policy
from memory.services.errors import OldEpoch


def lock_writes(owner: UUID, *, epoch: int | None = None) -> int:
    """Hold the owner's writes until the transaction ends; returns the epoch in force.

    Must run inside owner_scope. Waits at most the role's lock_timeout, then raises
    OperationalError (503 with Retry-After). With `epoch`: raises OldEpoch where the owner has
    cleared everything since it was read.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"memoir:write:{owner}"]
        )
        # A statement of its own: only a snapshot taken after the lock sees its last holder's work.
        cursor.execute("SELECT epoch FROM memory_policy WHERE owner_id = %s", [owner])
        row = cursor.fetchone()
    current: int = row[0] if row else 0
    if epoch is not None and epoch != current:
        raise OldEpoch("Everything was cleared meanwhile.")
    return current


def read_rules(owner: UUID) -> tuple[Rules, int]:
    """The owner's numbers and epoch. Inside owner_scope."""
    policy = Policy.objects.of(owner).first() or Policy(owner_id=owner)
    return policy.rules(), policy.epoch
