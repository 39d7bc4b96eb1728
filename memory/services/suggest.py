"""Suggest the rule of behaviour that repeated feedback amounts to; the owner decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q
from django.db.models.functions import Length

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.domain import importance, text, tiers
from memory.domain.extraction import Role
from memory.domain.kinds import Suggestion, repeated_feedback
from memory.domain.values import Kind, Reason, Source, Status, Visibility
from memory.models import Conflict, ConflictMember, Memory, MemoryUse, Message
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.bury import find_tombstone
from memory.services.index import Index, index_texts, put_words, queue_embedding
from memory.services.lock import lock_writes
from memory.services.record import Trail

# How far back feedback counts, and how many memories are looked at.
WINDOW = timedelta(days=90)
MOST = 1_000
LONGEST = 120


def is_feedback(content: str) -> bool:
    """Whether a statement is feedback of a kind that a rule could come of.

    Said in passing inside a long text it is about something else.
    """
    return len(content) <= LONGEST and repeated_feedback([content], times=1) is not None


@dataclass(frozen=True, slots=True)
class _Said:
    """One time that feedback was given: in a fact written, or in a message."""

    content: str
    at: datetime
    memory: UUID | None = None
    message: Message | None = None


def suggest_rules(caller: Caller, *, now: datetime) -> UUID | None:
    """Make one suggestion from what this agent was told again and again, if there is one to make.

    It waits for the owner, cites the memories among its members and quotes the last message. Once
    denied it does not return. Called after the write, or the conversation, that brought the last
    of them. The embedder is asked outside any transaction. Raises OldEpoch.
    """
    with owner_scope(caller.owner):
        said = _read_feedback(caller, now=now)
        found = repeated_feedback([one.content for one in said])
        if found is None or _is_answered(caller.owner, found):
            return None
    [index] = index_texts([found.content])
    with owner_scope(caller.owner):
        lock_writes(caller.owner, epoch=caller.epoch)
        if _is_answered(caller.owner, found):
            return None
        return _store(caller, found, [said[place] for place in found.members], index, now=now)


def _read_feedback(caller: Caller, *, now: datetime) -> list[_Said]:
    """Feedback in order, each as often as it was given.

    What the agent wrote as facts, once more for each time it was said again; and the user's
    messages, whether or not a fact was drawn from them.
    """
    since = now - WINDOW
    again = Count("events", filter=Q(events__verb=Verb.SAID_AGAIN, events__at__gt=since))
    rows = (
        Memory.objects.of(caller.owner)
        .kept()
        .filter(
            agent=caller.agent,
            source=Source.USER_STATED,
            message__isnull=True,
            said_at__gt=since,
        )
        .exclude(status_reason=Reason.DENIED)
        .annotate(again=again)
        .order_by("-said_at", "-id")
        .only("pk", "content", "said_at")[:MOST]
    )
    said = [
        _Said(row.content, row.said_at, memory=row.pk)
        for row in rows
        if is_feedback(row.content)
        for _ in range(1 + row.again)
    ]
    messages = (
        Message.objects.handed_over_by(caller)
        .filter(role=Role.USER, at__gt=since)
        .annotate(length=Length("content"))
        .filter(length__lte=LONGEST)
        .order_by("-at", "-id")
        .defer("found")[:MOST]
    )
    said += [
        _Said(message.content, message.at, message=message)
        for message in messages
        if is_feedback(message.content)
    ]
    return sorted(said, key=lambda one: one.at)


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
    caller: Caller, found: Suggestion, said: Sequence[_Said], index: Index, *, now: datetime
) -> UUID:
    told = [one.message for one in said if one.message is not None]
    last = told[-1] if told else None
    drawn = Memory.objects.of(caller.owner).kept().filter(message__in=told)
    members = {one.memory for one in said if one.memory is not None}
    members |= set(drawn.values_list("pk", flat=True))
    score = importance.score(found.content, kind=Kind.PROCEDURAL, policy=caller.policy)
    memory = Memory(
        id=uuid7(),
        owner_id=caller.owner,
        agent_id=caller.agent,
        content=found.content,
        kind=Kind.PROCEDURAL,
        metadata={"theme": _theme(found)},
        conversation_id=last.conversation_id if last is not None else None,
        message=last,
        quote=last.content if last is not None else "",
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
        for pk in (memory.pk, *sorted(members))
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
