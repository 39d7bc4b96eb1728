"""The owner rules on what waits for him."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain import tiers
from memory.domain.text import is_unspaced
from memory.domain.values import Kind, Reason, Ruling, Source, Status, Tier
from memory.models import Conflict, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.models.tombstones import Buried
from memory.services.bury import bury
from memory.services.errors import AlreadySettled, InvalidInput, NotFound
from memory.services.hold import leave_conflicts, waiting_members
from memory.services.lock import lock_writes, read_rules
from memory.services.record import Trail
from memory.services.revise import (
    Words,
    check_version,
    make_successor,
    read_for_change,
    rewrite,
    store_successor,
)


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
    """The owner says this is not so: superseded, never proposed again (`bury`).

    What it contradicted stands again. Returns the gesture. Raises NotFound, VersionConflict,
    AlreadySettled.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        if row.status == Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        leave_conflicts(row, trail)
        bury(row, Buried.DENIED, now=now)
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


def settle_conflict(
    *,
    owner: UUID,
    conflict: UUID,
    ruling: Ruling,
    keep: UUID | None = None,
    text: str | None = None,
    contexts: Mapping[UUID, str] | None = None,
    now: datetime,
) -> UUID:
    """The owner's ruling on an entry; returns the gesture, whose undo restores exactly what was.

    KEPT: the side `keep` is true, the others become its past. BOTH: all are true, each with its
    context (where or when) added to its words if `contexts` names one. MERGED: `text` is what is
    true; a new memory takes the place of all sides. NEITHER: none is true. All or nothing; the
    second of two rulings gets AlreadySettled. Raises NotFound, InvalidInput.
    """
    merged = _prepare_merge(owner, conflict, text) if ruling is Ruling.MERGED else None
    contexts = contexts if contexts and ruling is Ruling.BOTH else {}
    told = {pk: _prepare_context(owner, pk, context) for pk, context in contexts.items()}
    with owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).filter(pk=conflict).first()
        if entry is None:
            raise NotFound(str(conflict))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        sides = waiting_members(entry)
        if ruling is Ruling.KEPT:
            kept = next((row for row in _all_members(entry) if row.pk == keep), None)
            if kept is None:
                raise InvalidInput(keep="this memory is not part of the question")
            _close(entry, kept, trail)
            confirm_row(kept, trail)
            return trail.leave()
        _claim(entry, ruling, trail)
        _release_bystanders(entry, trail)
        if ruling is Ruling.BOTH:
            for row in sides:
                _stand_beside(row, told.get(row.pk), trail)
        elif ruling is Ruling.NEITHER:
            for row in sides:
                bury(row, Buried.DENIED, now=now)
                trail.change(row, Verb.DENIED, conflict=entry.pk, **_past(Reason.DENIED, now))
        elif merged is not None:
            _merge(sides, merged, trail)
        return trail.leave()


def _prepare_merge(owner: UUID, conflict: UUID, text: str | None) -> Words:
    """The merged words, embedded before the transaction that needs them."""
    if not text:
        raise InvalidInput(text="say what is true")
    with owner_scope(owner):
        entry = Conflict.objects.of(owner).filter(pk=conflict).first()
        sides = waiting_members(entry) if entry is not None else []
    if entry is None:
        raise NotFound(str(conflict))
    if not sides:
        raise AlreadySettled(str(conflict))
    return rewrite(owner, sides[-1].pk, text)


def _all_members(entry: Conflict) -> list[Memory]:
    places = entry.members.select_related("memory__use").order_by("id")
    return [place.memory for place in places if place.memory.deleted_at is None]


def _claim(entry: Conflict, ruling: str, trail: Trail) -> None:
    """Take the entry by a conditional UPDATE: where no row changed, somebody ruled first."""
    if not Conflict.objects.waiting().filter(pk=entry.pk).update(ruling=ruling):
        raise AlreadySettled(str(entry.pk))
    entry.ruling = ""
    trail.rule(
        entry,
        Verb.SETTLED,
        reason=ruling,
        state="settled",
        settled_at=trail.at,
        settled_by_id=trail.owner,
        ruling=ruling,
    )


def _past(reason: Reason, at: datetime, by: UUID | None = None) -> dict[str, Any]:
    return {
        "status": Status.SUPERSEDED,
        "status_reason": reason,
        "invalidated_at": at,
        "superseded_by_id": by,
    }


def _prepare_context(owner: UUID, memory: UUID, context: str) -> Words:
    """The side's own words with where or when they hold, embedded before the transaction."""
    with owner_scope(owner):
        row = Memory.objects.of(owner).kept().filter(pk=memory).first()
    if row is None:
        raise NotFound(str(memory))
    wide = any(is_unspaced(ch) for ch in row.content)
    content = f"{row.content}（{context}）" if wide else f"{row.content} ({context})"
    return rewrite(owner, memory, content)


def _stand_beside(row: Memory, words: Words | None, trail: Trail) -> None:
    """True, and not against the others any more: no value of this topic excludes another."""
    trail.change(row, Verb.CHANGED, reason="beside", single_valued=False)
    if words is not None:
        words.apply(row, trail)
    confirm_row(row, trail)


def _merge(sides: Sequence[Memory], words: Words, trail: Trail) -> None:
    """A new memory with the merged words; the sides become its past, the newest its forerunner."""
    last = sides[-1]
    new = make_successor(last, words, trail)
    for row in sides:
        trail.change(row, Verb.SUPERSEDED, **_past(Reason.REPLACED, trail.at, new.pk))
    store_successor(new, last, words, trail)
    confirm_row(new, trail)


def _release_bystanders(entry: Conflict, trail: Trail) -> None:
    """What the entry contested stands uncontested again."""
    for place in entry.members.select_related("memory__use").filter(bystander=True):
        if place.memory.contested:
            trail.change(place.memory, Verb.STILL_TRUE, reason="unopposed", contested=False)


def _open_entries(row: Memory) -> Sequence[Conflict]:
    return list(
        Conflict.objects.of(row.owner_id).waiting().filter(members__memory=row).order_by("id")
    )


def _close(entry: Conflict, kept: Memory, trail: Trail) -> None:
    """Settle an entry in favour of one row; the other sides become its past."""
    _claim(entry, Ruling.KEPT, trail)
    policy, _ = read_rules(trail.owner)
    for row in waiting_members(entry):
        if row.pk == kept.pk:
            continue
        trail.change(row, Verb.SUPERSEDED, **_past(Reason.REPLACED, trail.at, kept.pk))
        if kept.replaces_id is None and not _has_successor(row):
            trail.change(kept, Verb.CHANGED, reason="chain", replaces_id=row.pk)
    for place in entry.members.select_related("memory__use").filter(bystander=True):
        row = place.memory
        if row.pk == kept.pk or not row.contested:
            continue
        # The owner confirmed what contradicts this one. A protected fact is never retired by it.
        changes: dict[str, Any] = {"contested": False}
        if row.single_valued and row.key == kept.key and not row.is_protected(policy):
            changes |= _past(Reason.REPLACED, trail.at, kept.pk)
        trail.change(row, Verb.SUPERSEDED if len(changes) > 1 else Verb.STILL_TRUE, **changes)


def _has_successor(row: Memory) -> bool:
    return Memory.objects.of(row.owner_id).filter(replaces=row).exists()
