"""Protect a memory from fading and from machines, or stop doing so."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.models.events import Verb
from memory.services.mark import set_mark


def pin_memory(*, owner: UUID, memory: UUID, pinned: bool, now: datetime) -> UUID:
    """Protect a memory from fading and from machines, or stop doing so."""
    return set_mark(owner, memory, Verb.PINNED, now=now, bump=True, pinned=pinned)
