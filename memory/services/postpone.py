"""Put a question off: until a day, or until what it is about is mentioned again."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.models import Conflict, SpotCheck
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


def postpone_spot_check(
    *, owner: UUID, check: UUID, until: datetime | None = None, now: datetime
) -> UUID:
    """As `postpone_conflict`, for a spot check: without `until`, once it is said again.

    Raises NotFound, AlreadySettled where it was answered before or overtaken meanwhile.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        mine = SpotCheck.objects.of(owner).filter(pk=check)
        asked = mine.first()
        if asked is None:
            raise NotFound(str(check))
        if not mine.waiting().exists():
            raise AlreadySettled(str(check))
        mine.update(later_until=until, later_on_mention=until is None)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.note(
            Verb.POSTPONED,
            memory=asked.memory_id,
            check=str(check),
            until=asked.later_until.isoformat() if asked.later_until else None,
            on_mention=asked.later_on_mention,
        )
        return trail.leave()
