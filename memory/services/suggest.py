"""Suggest the rule of behaviour that repeated feedback amounts to; the owner decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.domain import importance, text, tiers
from memory.domain.kinds import Suggestion, repeated_feedback
from memory.domain.values import Kind, Reason, Source, Status, Visibility
from memory.models import Conflict, ConflictMember, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.bury import find_tombstone
from memory.services.index import Index, index_texts, put_words, queue_embedding
from memory.services.lock import lock_writes
from memory.services.record import Trail

# How far back feedback counts, and how many memories are looked at.
WINDOW = timedelta(days=90)
MOST = 1_000


def is_feedback(content: str) -> bool:
    """Whether a statement is feedback of a kind that a rule could come of."""
    return repeated_feedback([content], times=1) is not None


def suggest_rules(caller: Caller, *, now: datetime) -> UUID | None:
    """Make one suggestion from what this agent was told again and again, if there is one to make.

    It waits for the owner and cites its members. Once denied it does not return. Called by the
    write that brought the last of them; what is said again counts each time. The embedder is
    asked outside any transaction. Raises OldEpoch.
    """
    with owner_scope(caller.owner):
        rows = _read_feedback(caller, now=now)
        found = repeated_feedback([row.content for row in rows])
        if found is None or _is_answered(caller.owner, found):
            return None
    [index] = index_texts([found.content])
    members = list({rows[place].pk: rows[place] for place in found.members}.values())
    with owner_scope(caller.owner):
        lock_writes(caller.owner, epoch=caller.epoch)
        if _is_answered(caller.owner, found):
            return None
        return _store(caller, found, members, index, now=now)


def _read_feedback(caller: Caller, *, now: datetime) -> list[Memory]:
    """Feedback in the order it was said last, each as often as it was said."""
    said = Count("events", filter=Q(events__verb=Verb.SAID_AGAIN, events__at__gt=now - WINDOW))
    rows = (
        Memory.objects.of(caller.owner)
        .kept()
        .filter(
            agent=caller.agent,
            status__in=[Status.ACTIVE, Status.STALE],
            source=Source.USER_STATED,
            said_at__gt=now - WINDOW,
        )
        .annotate(again=said)
        .order_by("-said_at", "-id")
        .only("pk", "content", "said_at", "project_id")[:MOST]
    )
    heard = sorted(rows, key=lambda row: (row.said_at, row.pk))
    return [row for row in heard if is_feedback(row.content) for _ in range(1 + row.again)]


def _is_answered(owner: UUID, found: Suggestion) -> bool:
    """Suggested before, whatever became of it; known already; or taken away by the owner."""
    rows = Memory.objects.of(owner)
    return (
        rows.filter(metadata__theme=_theme(found)).exists()
        or rows.live().filter(fingerprint=text.fingerprint(found.content)).exists()
        or find_tombstone(owner, found.content) is not None
    )


def _theme(found: Suggestion) -> str:
    return f"feedback.{found.theme}"


def _store(
    caller: Caller,
    found: Suggestion,
    members: Sequence[Memory],
    index: Index,
    *,
    now: datetime,
) -> UUID:
    score = importance.score(found.content, kind=Kind.PROCEDURAL, policy=caller.policy)
    memory = Memory(
        id=uuid7(),
        owner_id=caller.owner,
        agent_id=caller.agent,
        content=found.content,
        kind=Kind.PROCEDURAL,
        metadata={"theme": _theme(found)},
        search_text=index.search_text,
        fingerprint=text.fingerprint(found.content),
        word_count=index.length,
        embedding=index.vector,
        embedder=index.embedder,
        status=Status.CONFLICT,
        status_reason=Reason.SUGGESTION,
        source=Source.INFERRED,
        tier=tiers.classify(score.importance, caller.policy),
        visibility=Visibility.PRIVATE,
        importance=score.importance,
        dimensions=asdict(score.dimensions),
        scored_by=score.path,
        safety=score.safety,
        created_at=now,
        updated_at=now,
        said_at=now,
        epoch=caller.epoch,
    )
    memory.save(force_insert=True)
    MemoryUse.objects.create(memory=memory, owner_id=caller.owner, anchor=now)
    put_words(caller.owner, [(memory.pk, index.words, index.length)])
    if index.vector is None:
        queue_embedding(caller.owner, epoch=caller.epoch, now=now)
    entry = Conflict.objects.create(
        owner_id=caller.owner, reason=Reason.SUGGESTION, opened_at=now, epoch=caller.epoch
    )
    ConflictMember.objects.bulk_create(
        ConflictMember(
            owner_id=caller.owner, conflict=entry, memory_id=pk, bystander=pk != memory.pk
        )
        for pk in (memory.pk, *(row.pk for row in members))
    )
    trail = Trail(owner=caller.owner, actor=Actor.PROGRAM, at=now, epoch=caller.epoch)
    trail.note(Verb.WRITTEN, memory=memory.pk, reason=Reason.SUGGESTION)
    trail.note(
        Verb.HELD,
        memory=memory.pk,
        conflict=entry.pk,
        reason=Reason.SUGGESTION,
        members=len(found.members),
    )
    trail.leave()
    return memory.pk
