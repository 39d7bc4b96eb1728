"""Say of a memory whether it still holds; and set one mark of a memory, as its owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain.values import Reason, Status, Visibility
from memory.models import MemoryUse
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled, InvalidInput
from memory.services.lock import lock_writes, read_for_change
from memory.services.record import Trail
from memory.services.reword import refuse_second_value


def mark_outdated(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner says it may no longer hold: stale. Returns the gesture.

    Raises AlreadySettled where that was said already.
    """
    return _mark(owner, memory, Verb.OUTDATED, Status.STALE, Reason.OUTDATED, now=now)


def mark_still_true(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner says it holds: active again, said now, back from the archive."""
    return _mark(owner, memory, Verb.STILL_TRUE, Status.ACTIVE, "", now=now)


def _mark(
    owner: UUID, memory: UUID, verb: Verb, status: Status, reason: str, *, now: datetime
) -> UUID:
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        if row.status not in (Status.ACTIVE, Status.STALE):
            raise InvalidInput(status="only a memory that is served can be marked so")
        if (row.status, row.status_reason) == (Status.STALE, reason):
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        changes: dict[str, Any] = {"status": status, "status_reason": reason}
        if status is Status.ACTIVE:
            if row.single_valued:
                refuse_second_value(row, row.key)
            changes |= {"said_at": now, "archived_at": None}
            if row.valid_to is not None and row.valid_to <= now:
                # It has outlived the end it was given; kept, the next sweep would end it again.
                changes["valid_to"] = None
            MemoryUse.objects.filter(memory=row, anchor__lt=now).update(anchor=now)
        trail.change(row, verb, bump="valid_to" in changes, **changes)
        return trail.leave()


def set_mark(
    owner: UUID,
    memory: UUID,
    verb: Verb,
    *,
    now: datetime,
    bump: bool = False,
    reinforced: bool = False,
    **changes: Any,
) -> UUID:
    """Set these fields of one memory, with their event. Returns the gesture. Raises NotFound."""
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        if changes.get("visibility") == Visibility.GROUP and row.project_id is None:
            raise InvalidInput(visibility="sharing with a project needs a memory of that project")
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.change(row, verb, bump=bump, **changes)
        if reinforced:
            MemoryUse.objects.filter(memory=row, anchor__lt=now).update(anchor=now)
        return trail.leave()
