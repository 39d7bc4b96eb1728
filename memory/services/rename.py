"""The owner renames a topic, or makes two of them one, or says whether it holds one value or many.

What is written later under the old name goes to the new one: the rule is kept for this owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.domain import text
from memory.domain.keys import is_single_valued
from memory.domain.values import Kind, Reason, Status
from memory.models import Memory, TopicRule
from memory.models.events import Actor, Verb
from memory.services.errors import InvalidInput, NotFound
from memory.services.hold import open_conflict
from memory.services.index import Index, index_texts
from memory.services.lock import lock_writes, read_rules
from memory.services.place import Fact
from memory.services.record import Trail
from memory.services.reword import Words

# All of a topic moves in one transaction: more than these is not one.
MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class Renamed:
    """What came of it. `asked`: how many rows now wait, since two values exclude each other."""

    gesture: UUID
    moved: int
    asked: int


def rename_topic(*, owner: UUID, from_key: str, to_key: str, now: datetime) -> Renamed:
    """Move every memory of a topic to another, which may exist already.

    Where both hold one active value in the same place and the values differ, nobody chooses: both
    wait for the owner. All or nothing. The embedder is asked outside the transaction. Raises
    NotFound where the topic has no memory, InvalidInput for the same or an empty name.
    """
    if not to_key or to_key == from_key:
        raise InvalidInput(name="give it another name")
    with owner_scope(owner):
        rules, _ = read_rules(owner)
        rows = _rows(owner, from_key)
    if not rows:
        raise NotFound(from_key)
    if len(rows) > MOST_ROWS:
        raise InvalidInput(name="too many memories to move at once")
    indexes = _index(rows, to_key)
    with owner_scope(owner):
        epoch = lock_writes(owner)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        single = _holds_one(owner, to_key)
        asked = moved = 0
        for row in _rows(owner, from_key):
            if row.pk not in indexes:
                continue
            words = Words(
                content=row.content,
                key=to_key,
                value=row.value,
                kind=Kind(row.kind),
                index=indexes[row.pk],
                rules=rules,
                single_valued=single and row.single_valued,
            )
            asked += _move(row, words, trail, at_once=single)
            moved += 1
        rule, _made = TopicRule.objects.update_or_create(
            owner_id=owner,
            from_key=from_key,
            epoch=epoch,
            defaults={"to_key": to_key, "made_at": now},
        )
        trail.note(Verb.RENAMED, rule=rule.pk, moved=moved)
        return Renamed(trail.leave(), moved, asked)


def set_topic_values(*, owner: UUID, key: str, single: bool, now: datetime) -> UUID:
    """Say whether two values of a topic exclude each other; returns the gesture.

    Many: what stands there now stops excluding what comes. One: holds from the next statement on,
    nothing that stands there is chosen away.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        found = TopicRule.objects.of(owner).filter(from_key=key).first()
        was = found.single_valued if found else None
        rule, _made = TopicRule.objects.update_or_create(
            owner_id=owner,
            from_key=key,
            epoch=epoch,
            defaults={"single_valued": single},
            create_defaults={"to_key": key, "single_valued": single, "made_at": now},
        )
        rows = [row for row in _rows(owner, key) if row.status in (Status.ACTIVE, Status.STALE)]
        places: dict[tuple[UUID | None, UUID | None], int] = {}
        for row in rows:
            place = (row.agent_id, row.project_id)
            places[place] = places.get(place, 0) + 1
        for row in rows:
            alone = places[row.agent_id, row.project_id] == 1
            if row.single_valued != single and (alone or not single):
                trail.change(row, Verb.CHANGED, reason="values", single_valued=single)
        trail.note(Verb.CHANGED, reason="values", rule=rule.pk, was=was)
        return trail.leave()


def follow_topics(owner: UUID, facts: Sequence[Fact]) -> list[Fact]:
    """The facts under the names their owner uses. One statement, none where no fact has a key."""
    if not any(fact.key for fact in facts):
        return list(facts)
    with owner_scope(owner):
        rules = TopicRule.objects.of(owner).by_key()
    return [_follow(fact, rules) for fact in facts] if rules else list(facts)


def current_name(key: str, rules: Mapping[str, TopicRule]) -> str:
    """The key by which the owner now calls a topic. Only later rules are followed from one to the
    next, so that a name taken back leads nowhere."""
    since: datetime | None = None
    while (rule := rules.get(key)) is not None and rule.to_key != key:
        if since is not None and rule.made_at <= since:
            break
        key, since = rule.to_key, rule.made_at
    return key


def _follow(fact: Fact, rules: Mapping[str, TopicRule]) -> Fact:
    if not fact.key:
        return fact
    key = current_name(fact.key, rules)
    said = rules.get(key)
    single = said.single_valued if said is not None else None
    if key == fact.key and single is None:
        return fact
    if key == fact.key:
        return replace(fact, single_valued=single)
    # From here on the key is the owner's, no longer one that was only found in the words.
    chosen = single if single is not None else is_single_valued(key)
    return replace(fact, key=key, detected=False, single_valued=chosen)


def _rows(owner: UUID, key: str) -> list[Memory]:
    found = Memory.objects.of(owner).kept().filter(key=key).select_related("use")
    return list(found.order_by("created_at", "id")[: MOST_ROWS + 1])


def _index(rows: Iterable[Memory], key: str) -> dict[UUID, Index]:
    rows = list(rows)
    texts = [
        text.search_text(row.content, key=key, value=row.value or None, before=row.before or None)
        for row in rows
    ]
    return dict(zip([row.pk for row in rows], index_texts(texts), strict=True))


def _holds_one(owner: UUID, key: str) -> bool:
    rule = TopicRule.objects.of(owner).filter(from_key=key).first()
    if rule is not None and rule.single_valued is not None:
        return bool(rule.single_valued)
    return is_single_valued(key)


def _move(row: Memory, words: Words, trail: Trail, *, at_once: bool) -> int:
    """Give one row its new key; 1 where it now waits beside the value that stands there."""
    rival = None
    if at_once and row.single_valued and row.status == Status.ACTIVE:
        rival = (
            Memory.objects.of(row.owner_id)
            .kept()
            .filter(
                agent=row.agent_id,
                project=row.project_id,
                key=words.key,
                status=Status.ACTIVE,
                single_valued=True,
            )
            .select_related("use")
            .first()
        )
    if rival is None:
        words.apply(row, trail, verb=Verb.RENAMED)
        return 0
    if text.match_form(rival.value) == text.match_form(row.value) and row.value:
        # The same value in other words: both stand, neither excludes the other.
        replace(words, single_valued=False).apply(row, trail, verb=Verb.RENAMED)
        return 0
    trail.change(
        row,
        Verb.HELD,
        reason=Reason.CONTRADICTION,
        status=Status.CONFLICT,
        status_reason=Reason.CONTRADICTION,
    )
    words.apply(row, trail, verb=Verb.RENAMED)
    open_conflict(row, rival, contested=rival.is_protected(words.rules), trail=trail)
    return 1
