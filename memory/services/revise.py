"""Change what a memory says, or what is true of it now. Nothing it said before is lost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.domain import importance as scoring
from memory.domain import sensitivity, text, tiers
from memory.domain.admission import admit
from memory.domain.conflicts import Statement, route
from memory.domain.dimensions import is_single_valued
from memory.domain.policy import Policy as Rules
from memory.domain.values import (
    Decision,
    Kind,
    Reason,
    Source,
    Status,
    Visibility,
)
from memory.models import Memory, MemoryRevision, MemoryUse
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.bury import find_tombstone
from memory.services.errors import InvalidInput, NotFound, OwnerOnly, VersionConflict
from memory.services.hold import as_known, open_conflict
from memory.services.index import Index, drop_words, index_texts, put_words, queue_embedding
from memory.services.lock import lock_writes, read_rules
from memory.services.record import Trail

# What a new wording may not do to another row by itself.
_AGAINST = (Decision.CONFLICT, Decision.UPDATE, Decision.DELETE)
_NARROWER = {Visibility.PRIVATE: 0, Visibility.GROUP: 1, Visibility.USER: 2}


def read_for_change(owner: UUID, memory: UUID, *, deleted: bool = False) -> Memory:
    """The row, locked until the transaction ends. Raises NotFound."""
    rows = Memory.objects.of(owner).filter(pk=memory, deleted_at__isnull=not deleted)
    row = rows.select_for_update(of=("self",)).select_related("use").first()
    if row is None:
        raise NotFound(str(memory))
    return row


def check_version(row: Memory, version: int | None) -> None:
    """Raise VersionConflict, with the row as it is now, where the caller saw an older one."""
    if version is not None and version != row.version:
        raise VersionConflict(row)


@dataclass(frozen=True, slots=True)
class Words:
    """New words for a memory, embedded before the transaction that puts them in place."""

    content: str
    key: str
    value: str
    kind: Kind
    index: Index
    # The owner's numbers, by which the new words are scored.
    rules: Rules

    def apply(
        self, row: Memory, trail: Trail, *, verb: Verb = Verb.EDITED, reason: str = ""
    ) -> None:
        """Keep the old words as a revision; replace content, key, vector and postings together.

        A twin in the same space (the same words, still live) makes the edit a merge: this row is
        superseded by the twin, and the event says so. Everything else of the row is kept.
        """
        twin = (
            Memory.objects.of(row.owner_id)
            .live()
            .filter(
                agent=row.agent_id,
                project=row.project_id,
                fingerprint=text.fingerprint(self.content),
            )
            .exclude(pk=row.pk)
            .first()
        )
        MemoryRevision.objects.create(
            owner_id=row.owner_id,
            memory=row,
            version=row.version,
            content=row.content,
            key=row.key,
            value=row.value,
            kind=row.kind,
            created_at=trail.at,
        )
        score = scoring.score(self.content, kind=self.kind, key=self.key or None, policy=self.rules)
        kinds = sensitivity.find_sensitive(self.content, key=self.key)
        changes: dict[str, Any] = {
            "safety": score.safety,
            "single_valued": bool(self.key) and _stays_single(row, self.key),
        }
        if score.importance > row.importance and score.safety >= self.rules.safety_line:
            tier = tiers.classify(score.importance, self.rules)
            changes |= {"importance": score.importance, "tier": tier}
        if sorted(kinds) != sorted(row.sensitivity):
            changes["sensitivity"] = list(kinds)
            if kinds and row.agent_id is not None:
                changes["visibility"] = Visibility.PRIVATE
        if twin is not None:
            changes |= {
                "status": Status.SUPERSEDED,
                "status_reason": Reason.REPLACED,
                "superseded_by_id": twin.pk,
                "invalidated_at": trail.at,
            }
            reason = "merged"
        elif changes["single_valued"] and row.status == Status.ACTIVE:
            _refuse_second_value(row, self.key)
        drop_words(row.owner_id, row.pk)
        trail.change(row, verb, reason=reason, bump=True, data={"revision": row.version}, **changes)
        for name, value in {
            "content": self.content,
            "key": self.key,
            "value": self.value,
            "kind": self.kind,
            "search_text": self.index.search_text,
            "fingerprint": text.fingerprint(self.content),
            "word_count": self.index.length,
            "embedding": self.index.vector,
            "embedder": self.index.embedder,
        }.items():
            setattr(row, name, value)
        row.save(
            update_fields=[
                "content", "key", "value", "kind", "search_text", "fingerprint", "word_count",
                "embedding", "embedder",
            ]
        )  # fmt: skip
        put_words(row.owner_id, [(row.pk, self.index.words, self.index.length)])
        if self.index.vector is None:
            queue_embedding(row.owner_id, epoch=row.epoch, now=trail.at)


def _stays_single(row: Memory, key: str) -> bool:
    """A row that stands beside the value of a single-valued key keeps doing so."""
    return row.single_valued if key == row.key else is_single_valued(key)


def _refuse_second_value(row: Memory, key: str) -> None:
    other = (
        Memory.objects.of(row.owner_id)
        .kept()
        .filter(
            agent=row.agent_id,
            project=row.project_id,
            key=key,
            status=Status.ACTIVE,
            single_valued=True,
        )
        .exclude(pk=row.pk)
        .first()
    )
    if other is not None:
        raise InvalidInput(key="another memory already speaks about this topic; edit that one")


def rewrite(
    owner: UUID,
    memory: UUID,
    content: str | None,
    *,
    key: str | None = None,
    value: str | None = None,
    kind: Kind | None = None,
) -> Words:
    """Prepare new words for a row: embeds them, so never inside a transaction.

    What is None stays as it is. With new content but no new value, a value that the words no
    longer contain is emptied. Raises NotFound.
    """
    with owner_scope(owner):
        row = Memory.objects.of(owner).kept().filter(pk=memory).first()
        rules, _ = read_rules(owner)
    if row is None:
        raise NotFound(str(memory))
    new = content if content is not None else row.content
    if value is None:
        value = row.value if text.match_form(row.value) in text.match_form(new) else ""
    new_key = row.key if key is None else key
    search = text.search_text(
        new, key=new_key or None, value=value or None, before=row.before or None
    )
    [index] = index_texts([search])
    return Words(new, new_key, value, kind or Kind(row.kind), index, rules)


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
    now: datetime,
) -> UUID:
    """The owner edits. Returns the gesture.

    "correct": it was never true; the same memory, its old words in its history. "changed": it was
    true until now (or `valid_from`); a new memory takes its place and the old one is its past.
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
            _replace(row, words, trail, valid_from=valid_from, valid_to=valid_to, extra=extra)
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
    valid_from: datetime | None,
    valid_to: datetime | None,
    extra: dict[str, Any],
) -> None:
    """The old row becomes the past of a new one, which keeps its place, agent and marks."""
    began = valid_from or trail.at
    new = make_successor(row, words, trail, valid_from=began, valid_to=valid_to, **extra)
    trail.change(
        row,
        Verb.SUPERSEDED,
        reason=Reason.REPLACED,
        bump=True,
        status=Status.SUPERSEDED,
        status_reason=Reason.REPLACED,
        invalidated_at=began,
        superseded_by_id=new.pk,
        contested=False,
    )
    if new.single_valued:
        _refuse_second_value(new, new.key)
    store_successor(new, row, words, trail)


def make_successor(row: Memory, words: Words, trail: Trail, **extra: Any) -> Memory:
    """A row that will replace `row`, with new words; not stored yet, since two active values of
    one topic may not meet. `store_successor` stores it once `row` is past."""
    new: Memory = Memory.objects.of(row.owner_id).get(pk=row.pk)
    new.pk = uuid7()
    new._state.adding = True
    for name, value in {
        "content": words.content, "key": words.key, "value": words.value, "kind": words.kind,
        "single_valued": bool(words.key) and _stays_single(row, words.key),
        "search_text": words.index.search_text, "word_count": words.index.length,
        "fingerprint": text.fingerprint(words.content), "embedding": words.index.vector,
        "embedder": words.index.embedder, "status": Status.ACTIVE, "status_reason": "",
        "source": Source.USER_STATED, "contested": False, "quote": "", "before": row.before,
        "valid_from": None, "valid_to": None, "created_at": trail.at, "updated_at": trail.at,
        "said_at": trail.at, "confirmed_at": None, "archived_at": None, "invalidated_at": None,
        "replaces_id": row.pk, "superseded_by_id": None, "version": 1, **extra,
    }.items():  # fmt: skip
        setattr(new, name, value)
    return new


def store_successor(new: Memory, row: Memory, words: Words, trail: Trail) -> None:
    """Store a successor with the use of the row it replaces."""
    new.save(force_insert=True)
    new.use = MemoryUse.objects.create(
        memory=new,
        owner_id=new.owner_id,
        anchor=trail.at,
        times_served=row.use.times_served,
        last_served_at=row.use.last_served_at,
    )
    put_words(new.owner_id, [(new.pk, words.index.words, words.index.length)])
    if words.index.vector is None:
        queue_embedding(new.owner_id, epoch=new.epoch, now=trail.at)
    trail.note(Verb.WRITTEN, memory=new.pk, reason="replacement")


def mark_outdated(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner says it may no longer hold: stale. Returns the gesture."""
    return _mark(owner, memory, Verb.OUTDATED, Status.STALE, Reason.OUTDATED, now=now)


def mark_still_true(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner says it holds: active again, said now, back from the archive."""
    return _mark(owner, memory, Verb.STILL_TRUE, Status.ACTIVE, "", now=now)


def _mark(
    owner: UUID, memory: UUID, verb: Verb, status: Status, reason: str, *, now: datetime
) -> UUID:
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        if row.status not in (Status.ACTIVE, Status.STALE):
            raise InvalidInput(status="only a memory that is served can be marked so")
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        changes: dict[str, Any] = {"status": status, "status_reason": reason}
        if status is Status.ACTIVE:
            if row.single_valued:
                _refuse_second_value(row, row.key)
            changes |= {"said_at": now, "archived_at": None}
            if row.valid_to is not None and row.valid_to <= now:
                # It has outlived the end it was given; kept, the next sweep would end it again.
                changes["valid_to"] = None
            MemoryUse.objects.filter(memory=row, anchor__lt=now).update(anchor=now)
        trail.change(row, verb, bump="valid_to" in changes, **changes)
        return trail.leave()


def archive_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """The owner puts a memory aside: out of everyday recall, still in its history."""
    return _set(owner, memory, Verb.ARCHIVED, now=now, archived_at=now)


def unarchive_memory(*, owner: UUID, memory: UUID, now: datetime) -> UUID:
    """Back into everyday recall; a reinforcement, or the next sweep would put it aside again."""
    return _set(owner, memory, Verb.UNARCHIVED, now=now, reinforced=True, archived_at=None)


def pin_memory(*, owner: UUID, memory: UUID, pinned: bool, now: datetime) -> UUID:
    """Protect a memory from fading and from machines, or stop doing so."""
    return _set(owner, memory, Verb.PINNED, now=now, bump=True, pinned=pinned)


def share_memory(*, owner: UUID, memory: UUID, visibility: Visibility, now: datetime) -> UUID:
    """Let more or fewer agents see a memory. The owner's alone: no agent may widen."""
    return _set(owner, memory, Verb.SHARED, now=now, bump=True, visibility=visibility)


def _set(
    owner: UUID,
    memory: UUID,
    verb: Verb,
    *,
    now: datetime,
    bump: bool = False,
    reinforced: bool = False,
    **changes: Any,
) -> UUID:
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        if changes.get("visibility") == Visibility.GROUP and row.project_id is None:
            raise InvalidInput(visibility="sharing with a project needs a memory of that project")
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.change(row, verb, bump=bump, **changes)
        if reinforced:
            MemoryUse.objects.filter(memory=row, anchor__lt=now).update(anchor=now)
        return trail.leave()


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
            content=words.content, key=words.key, value=words.value, source=Source(row.source)
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
