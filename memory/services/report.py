"""Take somebody's word on what was served in a recall. It changes no fact by itself."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.domain.values import Reason
from memory.models import Conflict, ConflictMember, Event, Memory, RecallItem
from memory.models.events import Actor, Verb
from memory.models.recalls import Outcome
from memory.querysets.callers import Caller
from memory.querysets.conflicts import IN_USE
from memory.services.errors import NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail


def report_memory(
    caller: Caller, *, recall: UUID, memory: UUID, outcome: Outcome, now: datetime
) -> UUID | None:
    """Note the outcome beside what was served; WRONG also asks the owner, once.

    The memory keeps its status and stays served: only the owner decides. What waits is asked about
    already, and what is past is no fact: neither is asked about again. An agent speaks of its own
    recalls, the owner of all. Returns the gesture that opened a question, if one did. Raises
    NotFound where this memory was not served in this recall.
    """
    with owner_scope(caller.owner):
        epoch = lock_writes(caller.owner, epoch=caller.epoch)
        seen = Memory.objects.visible_to(caller).filter(pk=memory)
        served = RecallItem.objects.of(caller.owner).filter(
            recall=recall, memory__in=seen.values("pk")
        )
        if caller.agent is not None:
            served = served.filter(recall__agent=caller.agent)
        if not served.update(outcome=outcome):
            raise NotFound(str(memory))
        if outcome is not Outcome.WRONG:
            return None
        if not seen.filter(status__in=IN_USE).exists() or _is_asked(caller, memory):
            return None
        entry = Conflict.objects.create(
            owner_id=caller.owner, reason=Reason.REPORTED, opened_at=now, epoch=epoch
        )
        ConflictMember.objects.create(
            owner_id=caller.owner, conflict=entry, memory_id=memory, bystander=True
        )
        actor = Actor.OWNER if caller.agent is None else Actor.AGENT
        trail = Trail(owner=caller.owner, actor=actor, agent=caller.agent, at=now, epoch=epoch)
        trail.note(
            Verb.HELD,
            memory=memory,
            conflict=entry.pk,
            reason=Reason.REPORTED,
            recall=str(recall),
        )
        return trail.leave()


def _is_asked(caller: Caller, memory: UUID) -> bool:
    """Asked already, or answered: the same agent's word on the same words is no new evidence."""
    reports = Conflict.objects.of(caller.owner).filter(
        reason=Reason.REPORTED, members__memory=memory
    )
    if reports.waiting().exists():
        return True
    if caller.agent is None:
        return False
    told = Event.objects.of(caller.owner).filter(agent=caller.agent, verb=Verb.HELD)
    row = Memory.objects.of(caller.owner).get(pk=memory)
    return bool(
        reports.filter(settled_at__gte=row.updated_at, pk__in=told.values("conflict"))
        .exclude(ruling="withdrawn")
        .exists()
    )
