"""Give a memory other words, or a successor that has them: embedded first, then put in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.domain import importance as scoring
from memory.domain import sensitivity, text, tiers
from memory.domain.dimensions import detect, is_single_valued
from memory.domain.policy import Policy as Rules
from memory.domain.values import Kind, Reason, Source, Status, Visibility
from memory.models import Memory, MemoryRevision, MemoryUse
from memory.models.events import Verb
from memory.services.errors import InvalidInput, NotFound
from memory.services.gather import LONGEST_KEY
from memory.services.hold import has_rival
from memory.services.index import Index, drop_words, index_texts, put_words, queue_embedding
from memory.services.lock import read_rules
from memory.services.record import Trail


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
    # What the dimension found in the words is; None where the key was given, or stays as it was.
    single_valued: bool | None = None

    def is_single(self, row: Memory) -> bool:
        """A row that stands beside the value of a single-valued key keeps doing so."""
        if self.key == row.key:
            return bool(self.key) and row.single_valued
        if self.single_valued is not None:
            return self.single_valued
        return bool(self.key) and is_single_valued(self.key)

    def apply(
        self, row: Memory, trail: Trail, *, verb: Verb = Verb.EDITED, reason: str = ""
    ) -> Memory:
        """Keep the old words as a revision; replace content, key, vector and postings together.

        A twin in the same space (the same words, still live) makes the edit a merge: this row is
        superseded by the twin, and the event says so. Everything else of the row is kept. Returns
        the row that says these words now.
        """
        twin = find_twin(row, self.content)
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
            "single_valued": self.is_single(row),
        }
        if score.importance > row.importance and score.safety >= self.rules.safety_line:
            tier = tiers.classify(score.importance, self.rules)
            changes |= {"importance": score.importance, "tier": tier}
        if sorted(kinds) != sorted(row.sensitivity):
            changes["sensitivity"] = list(kinds)
            if kinds and row.agent_id is not None:
                changes["visibility"] = Visibility.PRIVATE
        # What two rows may not share even for a moment goes first; the trail notes it with all.
        first: dict[str, Any] = {"single_valued": False} if self.key != row.key else {}
        if twin is not None:
            past = {
                "status": Status.SUPERSEDED,
                "status_reason": Reason.REPLACED,
                "superseded_by_id": twin.pk,
                "invalidated_at": trail.at,
            }
            changes |= past
            first |= past
            reason = "merged"
        elif changes["single_valued"] and row.status == Status.ACTIVE:
            refuse_second_value(row, self.key)
        drop_words(row.owner_id, row.pk)
        revision = row.version
        if first:
            Memory.objects.filter(pk=row.pk).update(**first)
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
        trail.change(row, verb, reason=reason, bump=True, data={"revision": revision}, **changes)
        put_words(row.owner_id, [(row.pk, self.index.words, self.index.length)])
        if self.index.vector is None:
            queue_embedding(row.owner_id, epoch=row.epoch, now=trail.at)
        return row if twin is None else twin


def find_twin(row: Memory, content: str) -> Memory | None:
    """Another memory in the row's space that says the same and is not past."""
    twin: Memory | None = (
        Memory.objects.of(row.owner_id)
        .live()
        .filter(agent=row.agent_id, project=row.project_id, fingerprint=text.fingerprint(content))
        .exclude(pk=row.pk)
        .select_related("use")
        .first()
    )
    return twin


def refuse_twin(row: Memory, content: str) -> None:
    if find_twin(row, content) is not None:
        raise InvalidInput(content="another memory says the same already; confirm that one")


def refuse_second_value(row: Memory, key: str) -> None:
    if has_rival(row, key):
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

    What is None stays as it is, except that new content moves a key which was found in the old
    words, and empties a value that the new ones no longer contain. Raises NotFound.
    """
    with owner_scope(owner):
        row = Memory.objects.of(owner).kept().filter(pk=memory).first()
        rules, _ = read_rules(owner)
    if row is None:
        raise NotFound(str(memory))
    new = content if content is not None else row.content
    kept = row.value if text.match_form(row.value) in text.match_form(new) else ""
    new_kind = kind or Kind(row.kind)
    found = detect(new, kind=new_kind) if key is None and _was_found(row) else None
    single = None
    if found is not None and len(found.key) <= LONGEST_KEY:
        new_key, single = found.key, found.single_valued
        value = found.value if value is None else value
    elif key is None and row.key and not kept and content is not None and _was_found(row):
        # The words no longer speak about what they were filed under.
        new_key = ""
    else:
        new_key = row.key if key is None else key
    value = kept if value is None else value
    search = text.search_text(
        new, key=new_key or None, value=value or None, before=row.before or None
    )
    [index] = index_texts([search])
    return Words(new, new_key, value, new_kind, index, rules, single)


def _was_found(row: Memory) -> bool:
    """Whether the row's key comes from its words, or it has none: a caller's own key stays."""
    if not row.key:
        return True
    found = detect(row.content, kind=Kind(row.kind))
    return found is not None and found.key == row.key


def make_successor(row: Memory, words: Words, trail: Trail, **extra: Any) -> Memory:
    """A row that will replace `row`, with new words; not stored yet, since two active values of
    one topic may not meet. `store_successor` stores it once `row` is past."""
    new: Memory = Memory.objects.of(row.owner_id).get(pk=row.pk)
    new.pk = uuid7()
    new._state.adding = True
    for name, value in {
        "content": words.content, "key": words.key, "value": words.value, "kind": words.kind,
        "single_valued": words.is_single(row),
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
    """Store a successor with the use of the row it replaces.

    A row that came back after it was replaced has a successor already: the chain does not fork.
    """
    if row.successor() is not None:
        new.replaces_id = None
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
