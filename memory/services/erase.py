"""Take memories away: deleted and restorable for some days, or cleared for good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import (
    AdminNote,
    Conflict,
    Conversation,
    Event,
    Idempotency,
    Job,
    Memory,
    MemoryRevision,
    MemoryUse,
    Message,
    Parcel,
    Policy,
    Posting,
    Recall,
    RecallItem,
    SpotCheck,
    TopicRule,
)
from memory.models.conflicts import ConflictMember
from memory.models.events import Actor, Verb
from memory.models.jobs import JobKind
from memory.models.tombstones import Buried
from memory.querysets.callers import Caller
from memory.services.bury import bury, exhume
from memory.services.errors import NotFound
from memory.services.hold import leave_conflicts
from memory.services.index import drop_words, restore_words
from memory.services.lock import lock_writes, read_for_change, read_rules
from memory.services.progress import note_progress
from memory.services.record import Trail
from memory.services.replay import forget_answers
from memory.services.revise import check_is_own


def delete_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner deletes: out of every read path at once, restorable for some days.

    From now on no agent may write it again (`bury`). Returns the gesture. Raises NotFound.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        bury(row, Buried.DELETED, now=now)
        return _delete(row, Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch))


def withdraw_memory(caller: Caller, memory: UUID, *, now: datetime) -> UUID:
    """An agent deletes a row it wrote (API.md). Raises NotFound, OwnerOnly."""
    with owner_scope(caller.owner):
        lock_writes(caller.owner, epoch=caller.epoch)
        if not Memory.objects.visible_to(caller).filter(pk=memory).exists():
            raise NotFound(str(memory))
        row = read_for_change(caller.owner, memory)
        check_is_own(caller, row)
        trail = Trail(
            owner=caller.owner, actor=Actor.AGENT, agent=caller.agent, at=now, epoch=caller.epoch
        )
        return _delete(row, trail)


def _delete(row: Memory, trail: Trail) -> UUID:
    delete_row(row, trail)
    return leave_deleted([row], trail)


def delete_row(row: Memory, trail: Trail) -> None:
    """Take a row out of every read path. Under the write lock; `leave_deleted` ends it."""
    leave_conflicts(row, trail)
    drop_words(row.owner_id, row.pk)
    forget_answers(row.owner_id, [row.pk])
    trail.change(row, Verb.DELETED, deleted_at=trail.at)


def leave_deleted(rows: Sequence[Memory], trail: Trail) -> UUID:
    """Leave the trail of deleted rows; returns the gesture. They are gone at once where the owner
    keeps nothing in Recently deleted."""
    gesture = trail.leave()
    rules, _ = read_rules(trail.owner)
    if rules.days_recently_deleted == 0:
        erase_for_good(rows, trail, reason="deleted")
    return gesture


def erase_now(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner does not wait for Recently deleted to run out. Cannot be undone.

    Returns the gesture. Raises NotFound for a row that is not deleted.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory, deleted=True)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        erase_for_good([row], trail, reason="deleted")
        return trail.gesture


def erase_for_good(rows: Sequence[Memory], trail: Trail, *, reason: str) -> None:
    """Erase rows of one owner, and leave a line each that holds no words and hangs on no row.

    Inside owner_scope, with the owner's writes held. The rows' own lines go with them.
    """
    for row in rows:
        since = row.archived_at if reason == "purged" else row.deleted_at
        days = (trail.at - since).total_seconds() / 86_400 if since else 0.0
        trail.note(Verb.ERASED, reason=reason, erased=str(row.pk), days=round(days, 6))
    erase_rows(trail.owner, [row.pk for row in rows])
    trail.leave()


def restore_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """Bring a deleted row back as it was. Returns the gesture.

    Where the same words, or another value of the same topic, have come in meanwhile, it comes
    back as that row's past. Raises NotFound.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory, deleted=True)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        undelete(row, trail)
        return trail.leave()


def undelete(row: Memory, trail: Trail) -> None:
    """Clear the mark and put the row back into search, beside what came in meanwhile."""
    changes: dict[str, Any] = {"deleted_at": None}
    rival = _rival(row) if row.status != Status.SUPERSEDED else None
    reason = ""
    if rival is not None:
        reason = "merged"
        changes |= {
            "status": Status.SUPERSEDED,
            "status_reason": "replaced",
            "superseded_by_id": rival.pk,
            "invalidated_at": trail.at,
        }
    elif row.status == Status.CONFLICT:
        # What it waited with has been settled without it; it is taken as said by the owner's act.
        changes |= {"status": Status.ACTIVE, "status_reason": ""}
    trail.change(row, Verb.RESTORED, reason=reason, **changes)
    restore_words(row)
    exhume(row, now=trail.at)


def _rival(row: Memory) -> Memory | None:
    space = (
        Memory.objects.of(row.owner_id).live().filter(agent=row.agent_id, project=row.project_id)
    )
    twin = space.filter(fingerprint=row.fingerprint).first()
    if twin is None and row.single_valued:
        twin = space.filter(key=row.key, status=Status.ACTIVE, single_valued=True).first()
    return twin


# What goes after the memories, in the order in which one points at the next.
_SPEAKING_OF_IT = (AdminNote, Conflict, Event, Idempotency, Message, Conversation, TopicRule)


def clear_all(*, owner: UUID, now: datetime) -> Job:
    """Clear every memory of the owner, for good. Cannot be undone.

    One short transaction raises the epoch: from its commit every read path is empty and a write
    begun before is refused. The job it returns, its `total` being how many, then takes the rows
    away (`erase_cleared`).
    """
    with owner_scope(owner):
        epoch = lock_writes(owner) + 1
        count = Memory.objects.of(owner).count()
        Policy.objects.update_or_create(owner_id=owner, defaults={"epoch": epoch})
        job: Job = Job.objects.create(
            owner_id=owner, kind=JobKind.ERASE, total=count, due_at=now, created_at=now,
            epoch=epoch,
        )  # fmt: skip
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.note(Verb.CLEARED, count=count)
        trail.leave()
    return job


def erase_cleared(owner: UUID, *, job: Job | None = None, batch: int = 1000) -> int:
    """Erase what was cleared and everything that speaks of it, in batches; returns how many.

    Running it twice changes nothing. Single deletions' tombstones are left alone. Notes in the
    job how far it is.
    """
    erased = 0
    while True:
        with owner_scope(owner):
            ids = list(
                Memory.objects.cleared_of(owner).order_by("id").values_list("pk", flat=True)[:batch]
            )
            erase_rows(owner, ids)
            if job is not None and ids:
                note_progress(job, min(job.total, job.done + len(ids)))
            if not ids:
                recalls = Recall.objects.cleared_of(owner)
                _drop(RecallItem.objects.filter(owner=owner, recall__in=recalls))
                _drop(recalls)
                for table in _SPEAKING_OF_IT:
                    _drop(table.objects.cleared_of(owner))
                # An export is kept: it was made so that something is left.
                Parcel.objects.of(owner).imports_before(read_rules(owner)[1]).delete()
                # What was still to be done with it; the job that runs this is of the new epoch.
                _drop(Job.objects.cleared_of(owner))
                return erased
        erased += len(ids)


def erase_rows(owner: UUID, ids: Sequence[UUID]) -> None:
    """Take these rows out of every table, and the messages that nothing else quotes.

    Inside owner_scope. What is kept of a message quoted elsewhere is that memory's.
    """
    forget_answers(owner, ids)
    mine = Memory.objects.filter(owner=owner)
    cited = list(mine.filter(pk__in=ids, message__isnull=False).values_list("message", flat=True))
    for table in (
        Posting, MemoryUse, MemoryRevision, RecallItem, ConflictMember, SpotCheck, Event,
    ):  # fmt: skip
        _drop(table.objects.filter(owner=owner, memory__in=ids))
    mine.filter(replaces__in=ids).update(replaces=None)
    mine.filter(superseded_by__in=ids).update(superseded_by=None)
    _drop(mine.filter(pk__in=ids))
    if cited:
        _drop(Message.objects.filter(owner=owner, pk__in=cited).unquoted())


def _drop(rows: QuerySet[Any]) -> None:
    """One DELETE: everything that points at the rows is gone already or goes by itself."""
    rows._raw_delete(rows.db)
