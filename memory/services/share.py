"""Let more or fewer agents see a memory."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.domain.values import Visibility
from memory.models.events import Verb
from memory.services.mark import set_mark


def share_memory(*, owner: UUID, memory: UUID, visibility: Visibility, now: datetime) -> UUID:
    """Let more or fewer agents see a memory. The owner's alone: no agent may widen."""
    return set_mark(owner, memory, Verb.SHARED, now=now, bump=True, visibility=visibility)
