"""Change what a memory says. Nothing it said before is lost."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory.border import owner_scope
from memory.domain import tiers
from memory.domain.admission import admit
from memory.domain.conflicts import Statement, route
from memory.domain.values import Decision, Kind, Reason, Source, Status, Visibility
from memory.models import Memory
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.bury import find_tombstone
from memory.services.errors import InvalidInput, NotFound, OwnerOnly
from memory.services.hold import as_known, open_conflict
from memory.services.lock import check_version, lock_writes, read_for_change, read_rules
from memory.services.record import Trail
from memory.services.reword import (
    Words,
    make_successor,
    refuse_second_value,
    refuse_twin,
    rewrite,
    store_successor,
)

# What a new wording may not do to another row by itself.
_AGAINST = (Decision.CONFLICT, Decision.UPDATE, Decision.DELETE)
_NARROWER = {Visibility.PRIVATE: 0, Visibility.GROUP: 1, Visibility.USER: 2}


def edit_memory(
    *,
    owner: UUID,
    memory: UUID,
    version: int | None,
    how: Literal["correct", "changed"],
    content: str,
    key: str | None = None,
    value: str | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    importance: float | None = None,
    until: datetime | None = None,
    now: datetime,
) -> UUID:
    """The owner edits. Returns the gesture.

    "correct": it was never true; the same memory, its old words in its history. "changed": it was
    true `until` then (else until the new one's own `valid_from`, else until now); a new memory
    takes its place and the old one is its past.
    An edit is the owner's own word: source user_stated. Editing what waits confirms it with other
    words. Raises NotFound, VersionConflict, InvalidInput.
    """
    words = rewrite(owner, memory, content, key=key, value=value)
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        extra: dict[str, Any] = {}
        if importance is not None and importance != row.importance:
            rules, _ = read_rules(owner)
            extra |= {"importance": importance, "tier": tiers.classify(importance, rules)}
        if how == "changed" and row.status in (Status.ACTIVE, Status.STALE):
            # The old one's own beginning is not the new one's.
            own = valid_from if valid_from != row.valid_from else None
            began, ended = own or until or now, until or own or now
            span = {"valid_from": began, "valid_to": valid_to}
            _replace(row, words, trail, ended=ended, extra=extra | span)
            return trail.leave()
        if row.source != Source.USER_STATED:
            extra["source"] = Source.USER_STATED
        if valid_from != row.valid_from:
            extra["valid_from"] = valid_from
        if valid_to != row.valid_to:
            extra["valid_to"] = valid_to
        words.apply(row, trail)
        if extra:
            trail.change(row, Verb.CHANGED, **extra)
        return trail.leave()


def _replace(
    row: Memory,
    words: Words,
    trail: Trail,
    *,
    ended: datetime,
    extra: dict[str, Any],
) -> None:
    """The old row becomes the past of a new one, which keeps its place, agent and marks."""
    new = make_successor(row, words, trail, **extra)
    trail.change(
        row,
        Verb.SUPERSEDED,
        reason=Reason.REPLACED,
        bump=True,
        status=Status.SUPERSEDED,
        status_reason=Reason.REPLACED,
        invalidated_at=ended,
        superseded_by_id=new.pk,
    )
    refuse_twin(row, new.content)
    if new.single_valued:
        refuse_second_value(new, new.key)
    store_successor(new, row, words, trail)


def revise_memory(
    caller: Caller,
    memory: UUID,
    *,
    version: int,
    content: str | None = None,
    key: str | None = None,
    value: str | None = None,
    kind: Kind | None = None,
    visibility: Visibility | None = None,
    metadata: dict[str, Any] | None = None,
    now: datetime,
) -> Memory:
    """An agent changes a row it wrote (API.md, PATCH). Returns the row as it is now.

    New words go through the router as a correction of this row: where they contradict another
    memory, both wait for the owner. Raises NotFound, OwnerOnly, VersionConflict, InvalidInput.
    """
    with owner_scope(caller.owner):
        if not Memory.objects.visible_to(caller).filter(pk=memory).exists():
            raise NotFound(str(memory))
        _check_words(caller, content=content, key=key, value=value, metadata=metadata)
    words = (
        rewrite(caller.owner, memory, content, key=key, value=value, kind=kind)
        if any(part is not None for part in (content, key, value, kind))
        else None
    )
    with owner_scope(caller.owner):
        lock_writes(caller.owner, epoch=caller.epoch)
        row = read_for_change(caller.owner, memory)
        check_is_own(caller, row)
        check_version(row, version)
        trail = Trail(
            owner=caller.owner, actor=Actor.AGENT, agent=caller.agent, at=now, epoch=caller.epoch
        )
        changes: dict[str, Any] = {}
        if visibility is not None and visibility != row.visibility:
            if _NARROWER[visibility] > _NARROWER[Visibility(row.visibility)]:
                raise InvalidInput(visibility="only the owner can let more agents see a memory")
            changes["visibility"] = visibility
        if metadata is not None and metadata != row.metadata:
            changes["metadata"] = metadata
        if words is not None:
            _correct(caller, row, words, trail)
        if changes:
            # Metadata may hold words, which events never do.
            Memory.objects.filter(pk=row.pk).update(**changes)
            for name, new in changes.items():
                setattr(row, name, new)
            trail.change(row, Verb.CHANGED, reason="+".join(sorted(changes)), bump=words is None)
        trail.leave()
    return row


def _check_words(caller: Caller, **given: Any) -> None:
    """What may not be written may not be brought in by a change either. Inside owner_scope."""
    for name, value in given.items():
        if not value:
            continue
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        gate = admit(Source.USER_STATED, content=words, key="any")
        if not gate.accepted or gate.waits:
            raise InvalidInput(**{name: gate.explanation})
        if name == "content" and find_tombstone(caller.owner, words) is not None:
            raise InvalidInput(content="the owner took this away; only the owner can bring it back")


def check_is_own(caller: Caller, row: Memory) -> None:
    """An agent may change only what it wrote and the owner has not made his own."""
    if (
        row.agent_id != caller.agent
        or row.confirmed_at is not None
        or row.is_protected(caller.policy)
    ):
        raise OwnerOnly(str(row.pk))


def _correct(caller: Caller, row: Memory, words: Words, trail: Trail) -> None:
    others = (
        Memory.objects.visible_to(caller)
        .live()
        .filter(key=words.key)
        .exclude(key="")
        .exclude(pk=row.pk)
        .select_related("use")
    )
    known = {other.pk: other for other in others}
    routing = route(
        Statement(
            content=words.content,
            key=words.key,
            value=words.value,
            source=Source(row.source),
            detected=words.single_valued is not None,
            single_valued=words.single_valued,
        ),
        [as_known(other, caller.policy) for other in known.values()],
        policy=caller.policy,
    )
    target = known.get(UUID(routing.target_id)) if routing.target_id else None
    contradicts = target is not None and routing.decision in _AGAINST
    if target is not None and contradicts and row.status != Status.CONFLICT:
        # A correction never retires another row: the owner decides between the two.
        trail.change(
            row,
            Verb.HELD,
            reason=Reason.CONTRADICTION,
            status=Status.CONFLICT,
            status_reason=Reason.CONTRADICTION,
        )
        open_conflict(row, target, contested=target.is_protected(caller.policy), trail=trail)
    words.apply(row, trail)
