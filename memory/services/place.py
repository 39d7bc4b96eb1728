"""Store a new memory where the router put it, and move what it speaks about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models.functions import Greatest

from accounts.ids import uuid7
from memory.domain import sensitivity, text, tiers
from memory.domain.admission import Admission
from memory.domain.conflicts import Routing
from memory.domain.importance import ImportanceScore
from memory.domain.values import (
    DecidedBy,
    Decision,
    Kind,
    Reason,
    Relation,
    Source,
    Status,
    Tier,
    Visibility,
)
from memory.models import Memory, MemoryUse
from memory.models.events import Verb
from memory.querysets.callers import Caller
from memory.services.hold import (
    ask_about_sharing,
    note_mention,
    note_mention_of_checked,
    open_conflict,
    open_entries,
    waiting_members,
)
from memory.services.index import Index, put_words, queue_embedding
from memory.services.outcomes import Outcome, say_why
from memory.services.record import Trail
from memory.services.score import JUDGE
from memory.services.trace import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement handed over, already cleaned by the boundary."""

    content: str
    kind: Kind = Kind.SEMANTIC
    key: str = ""
    value: str = ""
    source: Source = Source.USER_STATED
    quote: str = ""
    conversation: UUID | None = None
    message: UUID | None = None
    importance: float | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    project: str | None = None
    visibility: Visibility = Visibility.PRIVATE
    metadata: Mapping[str, Any] = field(default_factory=dict)
    before: str = ""
    # The open question that the quote answers.
    resolves: UUID | None = None
    # The key was found in the words; `single_valued` is what its dimension is, None: by its key.
    detected: bool = False
    single_valued: bool | None = None
    # Of a fact drawn from a conversation: what found it, and why it was not the judge.
    found_by: str = ""
    fallback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A fact with everything worked out before its transaction."""

    fact: Fact
    origin: Origin
    gate: Admission
    score: ImportanceScore | None = None
    index: Index | None = None
    # Why the judge did not score it; '' where it did or there is none.
    fallback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Which path decided, for the answer and for the event: `fallback` is why the judge did not."""

    decided_by: DecidedBy = DecidedBy.RULES
    fallback: str = ""
    found_by: str = ""

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"decided_by": self.decided_by.value}
        for name in ("fallback", "found_by"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        return data


def store_new(
    caller: Caller,
    ready: Ready,
    routing: Routing,
    target: Memory | None,
    trail: Trail,
    path: Path,
) -> Outcome:
    """Make the row, place it, and let it be found by its words. Under the write lock."""
    memory = _make(caller, ready, routing, trail)
    outcome = replace(
        _place(memory, target, routing, trail, path), narrowed=_why_narrower(ready, memory)
    )
    ask_about_sharing(memory, caller.policy, trail)
    assert ready.index is not None
    put_words(caller.owner, [(memory.pk, ready.index.words, ready.index.length)])
    if ready.index.vector is None:
        queue_embedding(caller.owner, epoch=trail.epoch, now=trail.at)
    return outcome


def _why_narrower(ready: Ready, memory: Memory) -> str:
    """Why fewer agents see the row than its writer asked for; '' where as many do."""
    if memory.visibility == ready.fact.visibility:
        return ""
    return "sensitive" if memory.sensitivity else "not_in_project"


def say_again(twin: Memory, ready: Ready, trail: Trail, path: Path) -> Outcome:
    """NOOP: last said moves, what had gone stale or to the archive comes back."""
    said_at = min(ready.origin.said_at or trail.at, trail.at)
    changes: dict[str, Any] = {"said_at": max(twin.said_at, said_at)}
    if twin.status == Status.STALE:
        changes |= {"status": Status.ACTIVE, "status_reason": ""}
    if twin.archived_at is not None:
        changes["archived_at"] = None
    waits = twin.status == Status.CONFLICT
    # Of what waits this is evidence: its question names it.
    entry = next((one.pk for one in open_entries(twin)), None) if waits else None
    trail.change(twin, Verb.SAID_AGAIN, conflict=entry, **changes)
    if waits or twin.contested:
        note_mention(twin)
    if not waits:
        note_mention_of_checked(twin)
    MemoryUse.objects.filter(memory=twin).update(anchor=Greatest("anchor", trail.at))
    twin.use.anchor = max(twin.use.anchor, trail.at)
    return Outcome(
        decision=Decision.NOOP,
        relation=Relation.DUPLICATE,
        reason=say_why(Decision.NOOP, Relation.DUPLICATE, ""),
        decided_by=path.decided_by,
        memory=twin,
        conflict=entry,
    )


def _make(caller: Caller, ready: Ready, routing: Routing, trail: Trail) -> Memory:
    """The new row, not yet stored, with all that does not depend on other rows."""
    fact, origin, score, index = ready.fact, ready.origin, ready.score, ready.index
    assert score is not None
    assert index is not None
    now = trail.at
    value = score.importance
    passing = ready.gate.highest_tier is Tier.WORKING and score.path != JUDGE
    if passing and score.safety < caller.policy.safety_line:
        # Of the day only: gone within days, however much its caller thinks of it. A judge may know
        # better than the rules that took it for that.
        value = min(value, round(caller.policy.short_term_threshold - 0.01, 4))
    kinds = sensitivity.find_sensitive(fact.content, key=fact.key)
    project = caller.projects[fact.project] if fact.project else None
    visibility = fact.visibility
    if kinds or (visibility is Visibility.GROUP and project not in caller.places):
        visibility = Visibility.PRIVATE
    return Memory(
        id=uuid7(),
        owner_id=caller.owner,
        agent_id=caller.agent,
        project_id=project,
        content=fact.content,
        kind=fact.kind,
        key=fact.key,
        value=fact.value,
        single_valued=routing.single_valued and bool(fact.key),
        metadata=dict(fact.metadata),
        quote=fact.quote,
        conversation_id=origin.conversation,
        message_id=origin.message,
        before=fact.before,
        search_text=index.search_text,
        fingerprint=text.fingerprint(fact.content),
        word_count=index.length,
        embedding=index.vector,
        embedder=index.embedder,
        source=origin.source,
        tier=tiers.classify(value, caller.policy),
        visibility=visibility,
        importance=value,
        dimensions=asdict(score.dimensions),
        scored_by=score.path,
        safety=score.safety,
        sensitivity=list(kinds),
        occurred_at=fact.occurred_at,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        created_at=now,
        updated_at=now,
        # When it was said, which a conversation handed over later puts before `created_at`.
        said_at=min(origin.said_at or now, now),
        epoch=trail.epoch,
    )


def _store(memory: Memory, routing: Routing, trail: Trail, path: Path) -> None:
    memory.save(force_insert=True)
    memory.use = MemoryUse.objects.create(
        memory=memory, owner_id=memory.owner_id, anchor=memory.created_at
    )
    trail.note(
        Verb.WRITTEN,
        memory=memory.pk,
        reason=routing.relation,
        scored_by=memory.scored_by,
        **path.as_data(),
    )


def _place(
    memory: Memory,
    target: Memory | None,
    routing: Routing,
    trail: Trail,
    path: Path,
) -> Outcome:
    """Store the new row where the router put it, and move the row it speaks about."""
    conflict: UUID | None = None
    if routing.decision in (Decision.UPDATE, Decision.DELETE):
        assert target is not None
        _retire(target, memory, routing, trail)
        _store(memory, routing, trail, path)
    elif routing.history:
        assert target is not None
        _join_history(memory, target, routing, trail, path)
    elif routing.decision is Decision.CONFLICT:
        memory.status = Status.CONFLICT
        memory.status_reason = routing.reason or Reason.CONTRADICTION
        _store(memory, routing, trail, path)
        conflict = open_conflict(memory, target, contested=routing.contested, trail=trail)
    else:
        target = None
        _store(memory, routing, trail, path)
    code = routing.reason or ""
    return Outcome(
        decision=routing.decision,
        relation=routing.relation,
        reason=say_why(routing.decision, routing.relation, code, routing.cue),
        code=code,
        decided_by=path.decided_by,
        memory=memory,
        target=target,
        conflict=conflict,
        unembedded=memory.embedding is None,
    )


def _retire(target: Memory, memory: Memory, routing: Routing, trail: Trail) -> None:
    """Old superseded, chain kept. Before the new row is stored: one active value a key.

    Plain words overtake an open question: whatever waited beside the target is retired with it.
    """
    retired = [target]
    if target.status == Status.CONFLICT:
        for entry in open_entries(target):
            retired += [row for row in waiting_members(entry) if row.pk != target.pk]
            trail.rule(
                entry, Verb.CHANGED, state="settled", settled_at=trail.at, ruling="overtaken"
            )
    for row in retired:
        trail.change(
            row,
            Verb.SUPERSEDED,
            reason=routing.reason or Reason.REPLACED,
            status=Status.SUPERSEDED,
            status_reason=routing.reason or Reason.REPLACED,
            should_forget=routing.should_forget,
            invalidated_at=memory.valid_from or trail.at,
            superseded_by_id=memory.pk,
        )
    # One that came back after it was replaced has a successor already: the chain does not fork.
    memory.replaces_id = None if target.successor() else target.pk


def _join_history(
    memory: Memory, target: Memory, routing: Routing, trail: Trail, path: Path
) -> None:
    """An older fact that arrives late: put it into the chain before the first newer one.

    Walks the chain from the target backwards, one look-up a link.
    """
    began = _began(memory)
    newer = target
    while newer.replaces_id is not None:
        older = Memory.objects.of(memory.owner_id).get(pk=newer.replaces_id)
        if _began(older) <= began:
            break
        newer = older
    memory.status = Status.SUPERSEDED
    memory.status_reason = Reason.OUTDATED
    memory.invalidated_at = _began(newer)
    memory.superseded_by_id = newer.pk
    older_id = newer.replaces_id
    trail.change(newer, Verb.CHANGED, reason="history", replaces_id=memory.pk)
    memory.replaces_id = older_id
    _store(memory, routing, trail, path)
    if older_id is not None:
        older = Memory.objects.of(memory.owner_id).get(pk=older_id)
        trail.change(older, Verb.CHANGED, reason="history", superseded_by_id=memory.pk)


def _began(memory: Memory) -> datetime:
    """From when a memory holds, as far as its dates and its saying tell."""
    said: datetime = min(memory.created_at, memory.said_at)
    return memory.valid_from or memory.occurred_at or said
