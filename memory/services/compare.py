"""Compare a new memory with what other agents keep for themselves: for the owner alone."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.domain.conflicts import Statement, route
from memory.domain.values import Decision, Reason, Status
from memory.models import Memory
from memory.models.events import Actor
from memory.querysets.callers import Caller
from memory.services.gather import gather_hidden
from memory.services.hold import as_known, ask_about, is_asked_about
from memory.services.place import Fact
from memory.services.record import Trail

_AGAINST = (Decision.CONFLICT, Decision.UPDATE, Decision.DELETE)


def compare_elsewhere(
    caller: Caller, fact: Fact, statement: Statement, memory: Memory, *, now: datetime
) -> None:
    """Ask the owner where the statement does not go with what another agent keeps to itself.

    No row changes, and neither agent is told: the entry is the program's, in a gesture of its own.
    Under the owner's write lock; one statement where there is nothing to ask.
    """
    if memory.status != Status.ACTIVE:
        return
    hidden = {row.pk: row for row in gather_hidden(caller, fact)}
    if not hidden:
        return
    known = [as_known(row, caller.policy) for row in hidden.values()]
    routing = route(statement, known, policy=caller.policy)
    if routing.decision not in _AGAINST or routing.target_id is None:
        return
    target = hidden[UUID(routing.target_id)]
    if is_asked_about(target, agent=caller.agent):
        return
    trail = Trail(owner=caller.owner, actor=Actor.PROGRAM, at=now, epoch=caller.epoch)
    ask_about(Reason.ELSEWHERE, [target, memory], trail)
    trail.leave()
