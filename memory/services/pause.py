"""Pause: nothing is kept and nothing is told, for one agent or for all, until the owner resumes."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.models import Agent, Policy
from memory.models.events import Actor, Verb
from memory.services.errors import NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail


def set_paused(
    *, owner: UUID, paused: bool, now: datetime, agent: UUID | None = None
) -> UUID | None:
    """Pause or resume one agent, or all of the owner's; holds from the next request on.

    Returns the gesture, None where it was so already. Raises NotFound for an agent that is not
    this owner's.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        row: Agent | Policy | None
        if agent is None:
            row, _ = Policy.objects.get_or_create(owner_id=owner)
        else:
            row = Agent.objects.of(owner).filter(pk=agent).first()
        if row is None:
            raise NotFound(str(agent))
        trail.agree(row, Verb.PAUSED if paused else Verb.RESUMED, paused=paused)
        return trail.leave_if_changed()
