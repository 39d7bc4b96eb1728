"""Suggest what weeks of weak memories point to. The owner decides; until then nobody is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import combinations
from statistics import fmean
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.db.models import Count

from accounts.ids import uuid7
from accounts.models import User
from memory.adapters.embedders import get_embedder
from memory.border import operations, owner_scope
from memory.domain import importance, sensitivity, text, tiers
from memory.domain.decay import require_aware
from memory.domain.policy import Policy as Rules
from memory.domain.themes import LEAST_MEMBERS, Mention, Theme, find_themes, is_mostly_unspaced
from memory.domain.themes import say_theme as say
from memory.domain.values import Reason, Source, Status, Tier, Visibility
from memory.models import Conflict, ConflictMember, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.services.bury import find_tombstone
from memory.services.index import Index, index_texts, put_words, queue_embedding
from memory.services.lock import lock_writes, read_rules
from memory.services.record import Trail

log = structlog.get_logger(__name__)

# How far back a theme is looked for, and how many memories and suggestions at a time.
WINDOW = timedelta(days=63)
MOST_MENTIONS = 2000
MOST_SUGGESTIONS = 3


def reflect(*, now: datetime) -> int:
    """Look at every owner who has weak memories enough; returns how many suggestions were made."""
    now = require_aware(now, name="now").astimezone(UTC)
    with operations("reflect"):
        owners = list(
            Memory.objects.weak(now - WINDOW, now)
            .order_by("owner_id")
            .values("owner_id")
            .annotate(rows=Count("pk"))
            .filter(rows__gte=LEAST_MEMBERS)
            .values_list("owner_id", flat=True)
        )
    return sum(len(reflect_for(owner, now=now)) for owner in owners)


def reflect_for(owner: UUID, *, now: datetime) -> list[UUID]:
    """Make suggestions from one owner's weak memories; returns the new ones' ids.

    1. Read the weak memories of the last weeks, whether archived or not.
    2. Group them by theme; drop what is known, waits, or was answered before, and what only shares
       a word but not the meaning.
    3. Embed the sentences, outside any transaction.
    4. Store each as a suggestion that waits, citing its members.
    """
    person = User.objects.get(pk=owner)
    with owner_scope(owner):
        rules, epoch = read_rules(owner)
        rows = {
            str(row.pk): row
            for row in Memory.objects.of(owner)
            .weak(now - WINDOW, now)
            .order_by("-created_at", "-id")
            .only("pk", "owner_id", "content", "created_at", "embedding", "embedder", "agent_id",
                  "project_id", "visibility", "sensitivity")[:MOST_MENTIONS]
        }  # fmt: skip
        zone = ZoneInfo(person.zone)
        themes = find_themes(
            [
                Mention(pk, row.content, row.created_at.astimezone(zone).date())
                for pk, row in rows.items()
            ]
        )
        wanted = [
            theme
            for theme in themes
            if _hangs_together([rows[m.id] for m in theme.members], rules)
            and not _is_answered(owner, theme)
        ][:MOST_SUGGESTIONS]
    if not wanted:
        return []
    sentences = [say(theme.name, chinese=_speaks_chinese(person, theme)) for theme in wanted]
    indexes = index_texts(sentences)
    made = []
    for theme, sentence, index in zip(wanted, sentences, indexes, strict=True):
        with owner_scope(owner):
            lock_writes(owner, epoch=epoch)
            made.append(
                _suggest(
                    theme, sentence, index, [rows[m.id] for m in theme.members],
                    rules=rules, epoch=epoch, now=now,
                )
            )  # fmt: skip
    found = [pk for pk in made if pk is not None]
    log.info("reflected", owner=str(owner), rows=len(rows), suggestions=len(found))
    return found


def _hangs_together(rows: Sequence[Memory], rules: Rules) -> bool:
    """Whether those who share the word also mean something alike. Rows without vector: the word."""
    embedder = get_embedder()
    vectors = [
        list(row.embedding)
        for row in rows[:20]
        if row.embedding is not None and row.embedder == embedder.name
    ]
    if len(vectors) < LEAST_MEMBERS:
        return True
    alike = [
        embedder.calibrate(sum(x * y for x, y in zip(one, other, strict=True)))
        for one, other in combinations(vectors, 2)
    ]
    return fmean(alike) >= rules.quality_line


def _is_answered(owner: UUID, theme: Theme) -> bool:
    """Suggested before, whatever became of it; known for long; or taken away by the owner."""
    mine = Memory.objects.of(owner)
    if mine.filter(metadata__theme=theme.key).exists():
        return True
    if mine.in_force().filter(tier=Tier.LONG_TERM, content__icontains=theme.name).exists():
        return True
    return any(
        find_tombstone(owner, say(theme.name, chinese=chinese)) is not None
        for chinese in (True, False)
    )


def _speaks_chinese(person: User, theme: Theme) -> bool:
    if person.language:
        return person.language == User.Language.CHINESE
    return is_mostly_unspaced(m.content for m in theme.members)


def _suggest(
    theme: Theme,
    sentence: str,
    index: Index,
    members: Sequence[Memory],
    *,
    rules: Rules,
    epoch: int,
    now: datetime,
) -> UUID | None:
    """Store one suggestion, unless its members went or somebody else made it meanwhile."""
    owner = members[0].owner_id
    kept = Memory.objects.of(owner).in_force().filter(pk__in=[row.pk for row in members])
    ids = list(kept.order_by("created_at", "id").values_list("pk", flat=True))
    if len(ids) < LEAST_MEMBERS or _is_answered(owner, theme):
        return None
    score = importance.score(sentence, policy=rules)
    topics = set(sensitivity.find_sensitive(sentence)).union(*(row.sensitivity for row in members))
    memory = Memory(
        id=uuid7(),
        owner_id=owner,
        content=sentence,
        value=theme.name,
        metadata={"theme": theme.key},
        search_text=index.search_text,
        fingerprint=text.fingerprint(sentence),
        word_count=index.length,
        embedding=index.vector,
        embedder=index.embedder,
        status=Status.CONFLICT,
        status_reason=Reason.SUGGESTION,
        source=Source.INFERRED,
        tier=tiers.classify(score.importance, rules),
        importance=score.importance,
        dimensions=asdict(score.dimensions),
        scored_by=score.path,
        safety=score.safety,
        sensitivity=sorted(topics),
        created_at=now,
        updated_at=now,
        said_at=now,
        epoch=epoch,
        **_place(members, sensitive=bool(topics)),
    )
    memory.save(force_insert=True)
    MemoryUse.objects.create(memory=memory, owner_id=owner, anchor=now)
    put_words(owner, [(memory.pk, index.words, index.length)])
    if index.vector is None:
        queue_embedding(owner, epoch=epoch, now=now)
    entry = Conflict.objects.create(
        owner_id=owner, reason=Reason.SUGGESTION, opened_at=now, epoch=epoch
    )
    ConflictMember.objects.bulk_create(
        ConflictMember(owner_id=owner, conflict=entry, memory_id=pk, bystander=pk != memory.pk)
        for pk in (memory.pk, *ids)
    )
    trail = Trail(owner=owner, actor=Actor.PROGRAM, at=now, epoch=epoch)
    trail.note(Verb.WRITTEN, memory=memory.pk, reason=Reason.SUGGESTION)
    trail.note(
        Verb.HELD, memory=memory.pk, conflict=entry.pk, reason=Reason.SUGGESTION, members=len(ids)
    )
    trail.leave()
    return memory.pk


def _place(members: Sequence[Memory], *, sensitive: bool) -> dict[str, Any]:
    """Who would see it once confirmed: nobody who does not see all of its members.

    Members of one agent: that agent's. Of several, unless all share them: the owner's alone.
    """
    [agent, *others] = {row.agent_id for row in members}
    shared = all(row.visibility == Visibility.USER for row in members)
    return {
        "agent_id": None if others else agent,
        "visibility": Visibility.USER if shared and not sensitive else Visibility.PRIVATE,
    }
