"""Put a question off: until a day, or until what it is about is mentioned again."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.models import Conflict
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled, NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail


def postpone_conflict(
    *, owner: UUID, conflict: UUID, until: datetime | None = None, now: datetime
) -> UUID:
    """Ask again from `until` on; without one, once a member is said again or joined by another.

    Nothing is decided by it: the rows wait as before, however long. Returns the gesture. Raises
    NotFound, AlreadySettled.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).filter(pk=conflict).first()
        if entry is None:
            raise NotFound(str(conflict))
        if entry.state != "open":
            raise AlreadySettled(str(conflict))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.rule(entry, Verb.POSTPONED, later_until=until, later_on_mention=until is None)
        return trail.leave()
