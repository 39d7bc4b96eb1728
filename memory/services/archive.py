"""Put a memory aside, and take it back into everyday recall."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.models.events import Verb
from memory.services.mark import set_mark


def archive_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner puts a memory aside: out of everyday recall, still in its history."""
    return set_mark(owner, memory, Verb.ARCHIVED, now=now, archived_at=now)


def unarchive_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """Back into everyday recall; a reinforcement, or the next sweep would put it aside again."""
    return set_mark(owner, memory, Verb.UNARCHIVED, now=now, reinforced=True, archived_at=None)
