"""The owner rules on what waits for him."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain import tiers
from memory.domain.values import Kind, Reason, Source, Status, Tier
from memory.models import Conflict, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled
from memory.services.hold import leave_conflicts, waiting_members
from memory.services.lock import lock_writes, read_rules
from memory.services.record import Trail
from memory.services.revise import check_version, read_for_change, rewrite


def confirm_memory(
    *,
    owner: UUID,
    memory: UUID,
    version: int | None = None,
    content: str | None = None,
    now: datetime,
) -> UUID:
    """The owner says this is true: active, his own word, anchor now, tier by DESIGN "Tier".

    Of a contradiction the other sides are superseded, but never a protected one. `content`
    confirms with other words. Returns the gesture. Raises NotFound, VersionConflict,
    AlreadySettled where it no longer waits and is superseded.
    """
    words = rewrite(owner, memory, content) if content is not None else None
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        if row.status == Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        for entry in _open_entries(row):
            _close(entry, row, trail)
        if words is not None:
            words.apply(row, trail)
        confirm_row(row, trail)
        return trail.leave()


def confirm_row(row: Memory, trail: Trail) -> None:
    """What confirming does to the row itself."""
    changes: dict[str, Any] = {
        "status": Status.ACTIVE,
        "status_reason": "",
        "source": Source.USER_STATED,
        "confirmed_at": trail.at,
        "contested": False,
        "archived_at": None,
        "tier": tiers.tier_after_confirmation(
            Tier(row.tier), kind=Kind(row.kind), has_end=row.valid_to is not None
        ),
    }
    trail.change(row, Verb.CONFIRMED, **changes)
    # An owner's confirmation is a reinforcement: it moves the anchor, for good.
    MemoryUse.objects.filter(memory=row, anchor__lt=trail.at).update(anchor=trail.at)


def deny_memory(*, owner: UUID, memory: UUID, version: int | None = None, now: datetime) -> UUID:
    """The owner says this is not so: superseded, never proposed again. Returns the gesture.

    What it contradicted stands again. Raises NotFound, VersionConflict, AlreadySettled.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        if row.status == Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        leave_conflicts(row, trail)
        trail.change(
            row,
            Verb.DENIED,
            reason=Reason.DENIED,
            status=Status.SUPERSEDED,
            status_reason=Reason.DENIED,
            invalidated_at=now,
            contested=False,
        )
        return trail.leave()


def _open_entries(row: Memory) -> Sequence[Conflict]:
    return list(
        Conflict.objects.of(row.owner_id).waiting().filter(members__memory=row).order_by("id")
    )


def _close(entry: Conflict, kept: Memory, trail: Trail) -> None:
    """Settle an entry in favour of one row; the other sides become its past.

    The claim is a conditional UPDATE: if no row changed, somebody ruled first.
    """
    if not Conflict.objects.waiting().filter(pk=entry.pk).exists():
        raise AlreadySettled(str(entry.pk))
    places = {place.memory_id: place for place in entry.members.all()}
    trail.rule(
        entry,
        Verb.CHANGED,
        state="settled",
        settled_at=trail.at,
        settled_by_id=trail.owner,
        ruling="kept",
    )
    policy, _ = read_rules(trail.owner)
    for row in waiting_members(entry):
        if row.pk == kept.pk:
            continue
        trail.change(
            row,
            Verb.SUPERSEDED,
            reason=Reason.REPLACED if places[kept.pk].bystander is False else Reason.DENIED,
            status=Status.SUPERSEDED,
            status_reason=Reason.REPLACED,
            invalidated_at=trail.at,
            superseded_by_id=kept.pk,
        )
        if kept.replaces_id is None and not _has_successor(row):
            trail.change(kept, Verb.CHANGED, reason="chain", replaces_id=row.pk)
    for place in entry.members.select_related("memory__use").filter(bystander=True):
        row = place.memory
        if row.pk == kept.pk or not row.contested:
            continue
        # The owner confirmed what contradicts this one. A protected fact is never retired by it.
        changes: dict[str, Any] = {"contested": False}
        if row.single_valued and row.key == kept.key and not row.is_protected(policy):
            changes |= {
                "status": Status.SUPERSEDED,
                "status_reason": Reason.REPLACED,
                "invalidated_at": trail.at,
                "superseded_by_id": kept.pk,
            }
        trail.change(row, Verb.SUPERSEDED if len(changes) > 1 else Verb.STILL_TRUE, **changes)


def _has_successor(row: Memory) -> bool:
    return Memory.objects.of(row.owner_id).filter(replaces=row).exists()
