"""One writer an owner at a time, and nothing written for an epoch that is over."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection

from memory.domain.policy import Policy as Rules
from memory.models import Memory, Policy
from memory.services.errors import NotFound, OldEpoch, VersionConflict


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


def try_lock_writes(owners: Iterable[UUID]) -> set[UUID]:
    """Hold the writes of those owners nobody is writing for; returns them. Never waits."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT owner FROM unnest(%s::uuid[]) owner"
            " WHERE pg_try_advisory_xact_lock(hashtextextended('memoir:write:' || owner, 0))",
            [list(owners)],
        )
        return {owner for (owner,) in cursor.fetchall()}


@contextmanager
def held_alone(name: str, *, wait: float = 0.0) -> Iterator[bool]:
    """Whether this process alone does `name` while the block runs; waits so many seconds for it.

    The lock belongs to the connection and not to a transaction, so it spans many; a process that
    dies lets go of it.
    """
    until = time.monotonic() + wait
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
            [held] = cursor.fetchone()
            if held or time.monotonic() >= until:
                break
            time.sleep(0.1)
    try:
        yield held
    finally:
        if held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])


def read_rules(owner: UUID) -> tuple[Rules, int]:
    """The owner's numbers and epoch. Inside owner_scope."""
    policy = Policy.objects.of(owner).first() or Policy(owner_id=owner)
    return policy.rules(), policy.epoch


def read_for_change(owner: UUID, memory: UUID, *, deleted: bool = False) -> Memory:
    """The row, locked until the transaction ends. Raises NotFound."""
    rows = Memory.objects.of(owner).filter(pk=memory, deleted_at__isnull=not deleted)
    row = rows.select_for_update(of=("self",)).select_related("use").first()
    if row is None:
        raise NotFound(str(memory))
    return row


def check_version(row: Memory, version: int | None) -> None:
    """Raise VersionConflict, with the row as it is now, where the caller saw an older one."""
    if version is not None and version != row.version:
        raise VersionConflict(row)
