"""Take in facts: admit, score, embed, then route and store each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Greatest

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.domain import admission, importance, sensitivity, text, tiers
from memory.domain.conflicts import Routing, Statement, route
from memory.domain.values import (
    DecidedBy,
    Decision,
    Kind,
    Reason,
    Relation,
    Source,
    Status,
    Visibility,
)
from memory.models import Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.errors import InvalidInput
from memory.services.hold import as_known, open_conflict, open_entries, waiting_members
from memory.services.index import Index, index_texts, put_words, queue_embedding
from memory.services.lock import lock_writes, read_rules
from memory.services.record import Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement handed over, already cleaned by the boundary."""

    content: str
    kind: Kind = Kind.SEMANTIC
    key: str = ""
    value: str = ""
    source: Source = Source.USER_STATED
    quote: str = ""
    importance: float | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    project: str | None = None
    visibility: Visibility = Visibility.PRIVATE
    metadata: Mapping[str, Any] = field(default_factory=dict)
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a fact, in the words of API.md."""

    decision: Decision
    relation: Relation
    reason: str
    decided_by: DecidedBy = DecidedBy.RULES
    memory: Memory | None = None
    target: Memory | None = None
    conflict: UUID | None = None
    # Stored without a vector: a worker should embed it soon.
    unembedded: bool = False


def write_facts(caller: Caller, facts: Sequence[Fact], *, now: datetime) -> list[Outcome]:
    """Store each fact or say why not; one refused fact does not refuse its neighbours.

    1. Admit by source; work out importance, tier and sensitivity.
    2. Embed all of them at once, outside any transaction.
    3. Per fact: lock the owner's writes, read what it speaks about, let the router decide, apply.

    Raises InvalidInput for an unknown project, OldEpoch where the owner cleared everything since
    the caller was let in, OperationalError when the lock is held too long.
    """
    _check_projects(caller, facts)
    admitted = [
        admission.admit(fact.source, external_allowed=caller.external_allowed) for fact in facts
    ]
    accepted = [fact for fact, gate in zip(facts, admitted, strict=True) if gate.accepted]
    indexes = iter(index_texts([_search_text(fact) for fact in accepted]))
    outcomes = []
    for fact, gate in zip(facts, admitted, strict=True):
        if gate.accepted:
            outcomes.append(_write_one(caller, fact, next(indexes), now=now))
        else:
            outcomes.append(_refuse(caller, code=gate.code, now=now))
    return outcomes


def _check_projects(caller: Caller, facts: Sequence[Fact]) -> None:
    for number, fact in enumerate(facts):
        if fact.project is not None and fact.project not in caller.projects:
            raise InvalidInput(**{f"facts.{number}.project": "there is no project with this slug"})
        if fact.visibility is Visibility.GROUP and fact.project is None:
            raise InvalidInput(
                **{f"facts.{number}.visibility": "“group” needs the project it is shared in"}
            )


def _search_text(fact: Fact) -> str:
    return text.search_text(
        fact.content, key=fact.key or None, value=fact.value or None, before=fact.before or None
    )


def _refuse(caller: Caller, *, code: str, now: datetime) -> Outcome:
    with owner_scope(caller.owner):
        trail = _trail(caller, now)
        trail.note(Verb.REFUSED, reason=code)
        trail.leave()
    return Outcome(
        decision=Decision.REFUSED,
        relation=Relation.NEW,
        reason="Text from outside is not remembered unless the owner allows it for this agent.",
        decided_by=DecidedBy.POLICY,
    )


def _trail(caller: Caller, now: datetime) -> Trail:
    actor = Actor.OWNER if caller.agent is None else Actor.AGENT
    return Trail(owner=caller.owner, actor=actor, agent=caller.agent, at=now, epoch=caller.epoch)


def _write_one(caller: Caller, fact: Fact, index: Index, *, now: datetime) -> Outcome:
    policy = caller.policy
    with owner_scope(caller.owner):
        epoch = lock_writes(caller.owner, epoch=caller.epoch)
        known = {row.pk: row for row in _read_known(caller, fact)}
        routing = route(
            Statement(
                content=fact.content,
                key=fact.key,
                value=fact.value,
                source=fact.source,
                valid_from=fact.valid_from,
                occurred_at=fact.occurred_at,
                said_at=now,
            ),
            [as_known(row, policy) for row in known.values()],
            policy=policy,
        )
        target = known.get(UUID(routing.target_id)) if routing.target_id else None
        trail = _trail(caller, now)
        if routing.decision is Decision.NOOP:
            assert target is not None
            outcome = _say_again(target, trail)
        else:
            memory = _make(caller, fact, index, routing, epoch=epoch, now=now)
            outcome = _place(memory, target, routing, trail, now=now)
            put_words(caller.owner, [(memory.pk, index.words, index.length)])
            if index.vector is None:
                queue_embedding(caller.owner, epoch=epoch, now=now)
        trail.leave()
    return outcome


def _read_known(caller: Caller, fact: Fact) -> list[Memory]:
    """The rows the writer may see that say the same or speak about the same dimension."""
    about = Q(fingerprint=text.fingerprint(fact.content))
    if fact.key:
        about |= Q(key=fact.key)
    return list(
        Memory.objects.visible_to(caller)
        .live()
        .filter(about)
        .order_by("id")
        .select_related("use")
        .defer("embedding", "search_text")
    )


def _say_again(twin: Memory, trail: Trail) -> Outcome:
    """NOOP: last said moves, what had gone stale or to the archive comes back."""
    changes: dict[str, Any] = {"said_at": max(twin.said_at, trail.at)}
    if twin.status == Status.STALE:
        changes |= {"status": Status.ACTIVE, "status_reason": ""}
    if twin.archived_at is not None:
        changes["archived_at"] = None
    trail.change(twin, Verb.SAID_AGAIN, **changes)
    MemoryUse.objects.filter(memory=twin).update(anchor=Greatest("anchor", trail.at))
    twin.use.anchor = max(twin.use.anchor, trail.at)
    return Outcome(
        decision=Decision.NOOP,
        relation=Relation.DUPLICATE,
        reason="This is remembered already; noted that it was said again.",
        memory=twin,
    )


def _make(
    caller: Caller, fact: Fact, index: Index, routing: Routing, *, epoch: int, now: datetime
) -> Memory:
    """The new row, not yet stored, with all that does not depend on other rows."""
    score = importance.score(
        fact.content,
        kind=fact.kind,
        key=fact.key or None,
        opinion=fact.importance,
        policy=caller.policy,
    )
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
        before=fact.before,
        search_text=index.search_text,
        fingerprint=text.fingerprint(fact.content),
        word_count=index.length,
        embedding=index.vector,
        embedder=index.embedder,
        source=fact.source,
        tier=tiers.classify(score.importance, caller.policy),
        visibility=visibility,
        importance=score.importance,
        dimensions=asdict(score.dimensions),
        scored_by=score.path,
        safety=score.safety,
        sensitivity=list(kinds),
        occurred_at=fact.occurred_at,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        created_at=now,
        updated_at=now,
        said_at=now,
        epoch=epoch,
    )


def _store(memory: Memory) -> None:
    memory.save(force_insert=True)
    memory.use = MemoryUse.objects.create(
        memory=memory, owner_id=memory.owner_id, anchor=memory.created_at
    )


def _place(
    memory: Memory, target: Memory | None, routing: Routing, trail: Trail, *, now: datetime
) -> Outcome:
    """Store the new row where the router put it, and move the row it speaks about."""
    conflict: UUID | None = None
    if routing.decision in (Decision.UPDATE, Decision.DELETE):
        assert target is not None
        _retire(target, memory, routing, trail, now=now)
        _store(memory)
        trail.note(Verb.WRITTEN, memory=memory.pk, reason=routing.relation)
    elif routing.history:
        assert target is not None
        _join_history(memory, target, trail)
    elif routing.decision is Decision.CONFLICT:
        memory.status = Status.CONFLICT
        memory.status_reason = routing.reason or Reason.CONTRADICTION
        _store(memory)
        trail.note(Verb.WRITTEN, memory=memory.pk, reason=routing.relation)
        conflict = open_conflict(memory, target, contested=routing.contested, trail=trail)
    else:
        target = None
        _store(memory)
        trail.note(Verb.WRITTEN, memory=memory.pk, reason=routing.relation)
    return Outcome(
        decision=routing.decision,
        relation=routing.relation,
        reason=_say_why(routing),
        memory=memory,
        target=target,
        conflict=conflict,
        unembedded=memory.embedding is None,
    )


def _retire(
    target: Memory, memory: Memory, routing: Routing, trail: Trail, *, now: datetime
) -> None:
    """Old superseded, chain kept. Before the new row is stored: one active value a key.

    Plain words overtake an open question: whatever waited beside the target is retired with it.
    """
    retired = [target]
    if target.status == Status.CONFLICT:
        for entry in open_entries(target):
            retired += [row for row in waiting_members(entry) if row.pk != target.pk]
            trail.rule(entry, Verb.CHANGED, state="settled", settled_at=now, ruling="overtaken")
    for row in retired:
        trail.change(
            row,
            Verb.SUPERSEDED,
            reason=routing.reason or Reason.REPLACED,
            status=Status.SUPERSEDED,
            status_reason=routing.reason or Reason.REPLACED,
            should_forget=routing.should_forget,
            invalidated_at=memory.valid_from or now,
            superseded_by_id=memory.pk,
        )
    memory.replaces_id = target.pk


def _join_history(memory: Memory, target: Memory, trail: Trail) -> None:
    """An older fact that arrives late: put it into the chain before the first newer one.

    Walks the chain from the target backwards, one look-up a link.
    """
    began = memory.valid_from or memory.occurred_at or memory.created_at
    newer = target
    while newer.replaces_id is not None:
        older = Memory.objects.of(memory.owner_id).get(pk=newer.replaces_id)
        if (older.valid_from or older.occurred_at or older.created_at) <= began:
            break
        newer = older
    memory.status = Status.SUPERSEDED
    memory.status_reason = Reason.OUTDATED
    memory.invalidated_at = newer.valid_from or newer.occurred_at or newer.created_at
    memory.superseded_by_id = newer.pk
    older_id = newer.replaces_id
    trail.change(newer, Verb.CHANGED, reason="history", replaces_id=memory.pk)
    memory.replaces_id = older_id
    _store(memory)
    if older_id is not None:
        older = Memory.objects.of(memory.owner_id).get(pk=older_id)
        trail.change(older, Verb.CHANGED, reason="history", superseded_by_id=memory.pk)
    trail.note(Verb.WRITTEN, memory=memory.pk, reason=Relation.HISTORICAL)


def _say_why(routing: Routing) -> str:
    """The decision in a sentence a person understands."""
    cue = f" (“{routing.cue}”)" if routing.cue else ""
    if routing.reason is Reason.INFERRED:
        return "Concluded, not said: it waits until the owner confirms it."
    if routing.reason is Reason.EXTERNAL:
        return "It comes from outside: it waits until the owner confirms it."
    return {
        Decision.ADD: {
            Relation.COEXIST: f"It stands beside what is known{cue}.",
            Relation.HISTORICAL: "It is older than what is known and joins its history.",
        }.get(routing.relation, "Nothing known speaks about this yet."),
        Decision.UPDATE: f"It takes the place of the earlier value{cue}.",
        Decision.DELETE: f"It ends what was known{cue}; the earlier memory can be restored.",
        Decision.CONFLICT: f"It contradicts what is known; the owner is asked{cue}.",
    }.get(routing.decision, routing.relation.value)


def add_memory(
    *, owner: UUID, content: str, key: str = "", value: str = "", now: datetime
) -> Outcome:
    """The owner writes a memory in person, for all his agents to see."""
    with owner_scope(owner):
        rules, epoch = read_rules(owner)
    fact = Fact(content=content, key=key, value=value, visibility=Visibility.USER)
    [outcome] = write_facts(Caller(owner=owner, epoch=epoch, policy=rules), [fact], now=now)
    return outcome
