"""Make what is past true again."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain.values import Reason, Source, Status
from memory.models import Conflict, ConflictMember, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.services.bury import exhume
from memory.services.errors import AlreadySettled, InvalidInput
from memory.services.hold import NOT_CONTESTING, waiting_members
from memory.services.lock import lock_writes, read_for_change
from memory.services.record import Trail
from memory.services.reword import refuse_twin
from memory.services.rule import past

# A history is not longer than this; the guard against one that bites its own tail.
_LONGEST = 200


def reinstate_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner says that what is past holds again: active, his own word, said now.

    What took its place becomes its past, and so does what is the one value of its topic now; what
    contradicted those contradicts it. Returns the gesture. Raises NotFound, AlreadySettled where it
    is not past, InvalidInput where its words are said by another memory, or where what took its
    place waits for an answer.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        if row.status != Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        refuse_twin(row, row.content)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        instead = _in_its_place(row)
        if any(other.status == Status.CONFLICT for other in instead):
            raise InvalidInput(waits="what took its place waits for an answer")
        contesting = _contesting(instead)
        # First they, then it: two active values of one topic may not meet.
        for other in instead:
            trail.change(other, Verb.SUPERSEDED, **past(Reason.REPLACED, now, row.pk))
        _move_to_the_end(row, trail)
        _make_true(row, trail, contested=bool(contesting))
        for entry in contesting:
            place = {"conflict": entry, "memory": row}
            ConflictMember.objects.get_or_create(
                **place, defaults={"owner_id": owner, "bystander": True}
            )
        exhume(row, now=now)
        return trail.leave()


def _move_to_the_end(row: Memory, trail: Trail) -> None:
    """The row becomes the newest of its history: what stood after it stands before it.

    What changes it later comes after it, and after one row only one other can.
    """
    after = row.successor()
    if after is None:
        return
    last = after
    for _step in range(_LONGEST):
        if (further := last.successor()) is None:
            break
        last = further
    older = row.replaces_id
    trail.change(row, Verb.CHANGED, reason="chain", replaces_id=None)
    trail.change(after, Verb.CHANGED, reason="chain", replaces_id=older)
    trail.change(row, Verb.CHANGED, reason="chain", replaces_id=last.pk)


def _make_true(row: Memory, trail: Trail, *, contested: bool) -> None:
    changes: dict[str, Any] = {
        "status": Status.ACTIVE,
        "status_reason": "",
        "source": Source.USER_STATED,
        "contested": contested,
        "should_forget": False,
        "superseded_by_id": None,
        "invalidated_at": None,
        "archived_at": None,
        "said_at": max(row.said_at, trail.at),
    }
    if row.valid_to is not None and row.valid_to <= trail.at:
        # It has outlived the end it was given; kept, the next sweep would end it again.
        changes["valid_to"] = None
    trail.change(row, Verb.RESTORED, reason="true_again", bump="valid_to" in changes, **changes)
    MemoryUse.objects.filter(memory=row, anchor__lt=trail.at).update(anchor=trail.at)


def _in_its_place(row: Memory) -> list[Memory]:
    """The living row its history came to, and the values of its topic that exclude it."""
    found = [last] if (last := _last_of_line(row)) is not None else []
    if not row.single_valued:
        return found
    rivals = (
        Memory.objects.of(row.owner_id)
        .live()
        .filter(agent=row.agent_id, project=row.project_id, key=row.key, single_valued=True)
        .exclude(status=Status.STALE)
        .exclude(pk__in=[one.pk for one in (row, *found)])
        .select_related("use")
        .order_by("id")
    )
    # A guess beside a value contradicts it without taking its place.
    return found + [one for one in rivals if one.status == Status.ACTIVE or _is_side(one)]


def _last_of_line(row: Memory) -> Memory | None:
    """What took the row's place in the end, if it stands today."""
    at = row
    for _step in range(_LONGEST):
        above = Memory.objects.of(row.owner_id).filter(pk=at.superseded_by_id)
        if (after := above.select_related("use").first()) is None:
            break
        at = after
    stands = at.pk != row.pk and at.deleted_at is None and at.status != Status.SUPERSEDED
    return at if stands else None


def _is_side(row: Memory) -> bool:
    """Whether the row waits as one of two or more sides of a contradiction."""
    entries = (
        Conflict.objects.of(row.owner_id)
        .waiting()
        .filter(reason=Reason.CONTRADICTION, members__memory=row, members__bystander=False)
    )
    return any(len(waiting_members(entry)) > 1 for entry in entries)


def _contesting(rows: list[Memory]) -> list[Conflict]:
    """The open questions that contradict one of these rows."""
    if not any(row.contested for row in rows):
        return []
    return list(
        Conflict.objects.of(rows[0].owner_id)
        .waiting()
        .filter(members__memory__in=rows, members__bystander=True)
        .exclude(reason__in=NOT_CONTESTING)
        .distinct()
        .order_by("id")
    )
