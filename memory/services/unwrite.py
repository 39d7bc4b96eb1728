"""Take back thousands of rows that one import brought, in a few statements."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from memory.domain.values import Status
from memory.models import Conflict, ConflictMember, Event, Memory, Posting
from memory.models.events import Verb
from memory.services.errors import CannotUndo
from memory.services.record import Trail

BATCH = 1_000


def unwrite_many(events: Sequence[Event], trail: Trail) -> set[int]:
    """Move what an import brought to Recently deleted; the events that are undone by that.

    Rows that wait are left to be undone one by one: others wait with them. Under the write lock.
    Raises CannotUndo where one of them has been erased since.
    """
    written = {
        event.memory_id: event.pk
        for event in events
        if event.verb == Verb.WRITTEN and event.reason == "imported" and event.memory_id
    }
    done: set[int] = set()
    ids = list(written)
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        rows = list(
            Memory.objects.of(trail.owner)
            .filter(pk__in=batch)
            .select_for_update()
            .only("pk", "status", "deleted_at", "replaces_id")
        )
        if len(rows) != len(batch):
            raise CannotUndo("erased")
        gone = []
        for row in rows:
            if row.deleted_at is None and row.status == Status.CONFLICT:
                continue
            done.add(written[row.pk])
            if row.deleted_at is None:
                gone.append(row.pk)
                _note(row, trail)
        Memory.objects.filter(pk__in=gone).update(deleted_at=trail.at, replaces=None, word_count=0)
        Posting.objects.of(trail.owner).filter(memory__in=gone).delete()
    if written:
        _close_empty(trail)
    return done


def _close_empty(trail: Trail) -> None:
    """Questions about nothing that is still there are no questions."""
    there = ConflictMember.objects.filter(conflict=OuterRef("pk"), memory__deleted_at=None)
    for entry in Conflict.objects.of(trail.owner).waiting().filter(~Exists(there)):
        trail.rule(entry, Verb.CHANGED, state="settled", settled_at=trail.at, ruling="withdrawn")


def _note(row: Memory, trail: Trail) -> None:
    replaced = str(row.replaces_id) if row.replaces_id else None
    trail.note(
        Verb.DELETED,
        memory=row.pk,
        reason="undone",
        before={"deleted_at": None, "replaces_id": replaced},
        after={"deleted_at": trail.at.isoformat(), "replaces_id": None},
    )
