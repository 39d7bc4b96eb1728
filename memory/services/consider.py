"""Read what bears on a question and rank it. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from memory.adapters.embedders import Vector, get_embedder
from memory.domain import decay, ranking, text
from memory.domain.aggregation import Aggregate, Row, aggregate, asks_about_past
from memory.domain.policy import Policy
from memory.domain.values import Kind, Preset, Reason, Source, Status, Strategy, Tier
from memory.models import ConflictMember, Memory
from memory.querysets.callers import Caller
from memory.querysets.candidates import Found, find_candidates
from memory.querysets.memories import MemoryQuerySet

# How many of each sort (nearest, best by words; live, others) are looked at, or `top_k` where that
# is more. Each costs some 70 us; looking at 60 changes recall@10 on LoCoMo by nothing, recall@20 by
# less than a third of a point.
CANDIDATES = 24

Places = Mapping[UUID, Sequence[ConflictMember]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What the caller wants to hear about; empty means no filter."""

    status: Sequence[Status] = ()
    kind: Sequence[Kind] = ()
    tier: Sequence[Tier] = ()
    source: Sequence[Source] = ()
    key: Sequence[str] = ()
    topic: Sequence[str] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None

    def apply(self, rows: MemoryQuerySet) -> MemoryQuerySet:
        for name in ("status", "kind", "tier", "source", "key"):
            wanted = getattr(self, name)
            if wanted:
                rows = rows.filter(**{f"{name}__in": list(wanted)})
        if self.topic:
            rows = rows.filter(key__in=list(self.topic))
        if self.created_after is not None:
            rows = rows.filter(created_at__gte=self.created_after)
        if self.created_before is not None:
            rows = rows.filter(created_at__lt=self.created_before)
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and how it should be answered (API.md, `POST /recall`)."""

    query: str
    top_k: int = 8
    project: str | None = None
    strategy: Strategy = Strategy.TEMPERED
    preset: Preset | None = None
    # None: where the question asks about the past.
    include_history: bool | None = None
    include_archived: bool = False
    include_dropped: bool = False
    standing: bool = True
    max_tokens: int | None = None
    reinforce: bool = True
    as_of: datetime | None = None
    filters: Filters = field(default_factory=Filters)

    @property
    def wants_history(self) -> bool:
        asked = self.include_history
        if asked is None:
            asked = asks_about_past(self.query)
        return asked or Status.SUPERSEDED in self.filters.status


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """Everything read for a question, and its ranking before aggregation."""

    ranked: ranking.Ranking
    rows: Mapping[str, Found]
    siblings: Sequence[Memory]
    places: Places
    standing: Sequence[tuple[Found, str]]

    def aggregate(self, question: Question) -> Aggregate:
        """What of it is served, asked about and told as history."""
        return aggregate(
            self.aggregation_rows(),
            include_history=question.wants_history,
            include_archived=question.include_archived,
        )

    def aggregation_rows(self) -> list[Row]:
        """What aggregation groups: the survivors in order, then what belongs to their topics."""
        last = len(self.ranked.ranked) + 1
        return [
            *(self._row(self.rows[item.candidate.id], item.rank) for item in self.ranked.ranked),
            *(self._sibling(memory, last) for memory in self.siblings),
        ]

    def _row(self, found: Found, rank: int) -> Row:
        entry = self.places.get(found.memory)
        return Row(
            id=str(found.memory),
            rank=rank,
            created_at=found.created_at,
            content=found.content,
            status=Status(found.status),
            topic=found.key or None,
            single_valued=found.single_valued,
            value=found.value,
            reason=Reason(found.status_reason) if found.status_reason else None,
            archived=found.archived_at is not None,
            valid_from=found.valid_from,
            valid_to=found.valid_to,
            invalidated_at=found.invalidated_at,
            replaces=str(found.replaces) if found.replaces else None,
            conflict=str(entry[0].conflict_id) if entry else None,
        )

    def _sibling(self, memory: Memory, rank: int) -> Row:
        return Row(
            id=str(memory.pk),
            rank=rank,
            created_at=memory.created_at,
            content=memory.content,
            status=Status(memory.status),
            topic=memory.topic or None,
            single_valued=memory.single_valued,
            value=memory.value,
            reason=Reason(memory.status_reason) if memory.status_reason else None,
            archived=memory.archived_at is not None,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
            invalidated_at=memory.invalidated_at,
            replaces=str(memory.replaces_id) if memory.replaces_id else None,
        )


def consider(
    caller: Caller, question: Question, *, vector: Vector | None, at: datetime
) -> Considered:
    """Read the candidates and rank them as of `at`. Inside owner_scope."""
    policy = caller.policy
    seen = Memory.objects.visible_to(caller)
    if question.project is not None:
        seen = seen.in_project(caller.projects[question.project])
    rows = question.filters.apply(seen)
    if not (question.wants_history or question.include_archived):
        rows = rows.everyday()
    found, standing = find_candidates(
        rows,
        owner=caller.owner,
        tokens=sorted(set(text.query_tokens(question.query))),
        vector=vector,
        embedder=get_embedder().name,
        policy=policy,
        limit=max(CANDIDATES, question.top_k),
        standing=seen.standing(policy) if question.standing else None,
    )
    places = _read_places(seen, [row.memory for row in found if row.status == Status.CONFLICT])
    ranked = ranking.rank(
        (as_candidate(row, places=places, policy=policy, now=at) for row in found),
        strategy=question.strategy,
        preset=question.preset or Preset.STANDARD,
        policy=policy,
    )
    # A link of a chain may be dropped for having faded: history still tells it.
    survivors = {item.candidate.id for item in ranked.ranked}
    return Considered(
        ranked=ranked,
        rows={str(row.memory): row for row in found},
        siblings=_read_siblings(
            seen,
            [row for row in found if str(row.memory) in survivors],
            with_history=question.wants_history,
        ),
        places=places,
        standing=standing,
    )


def _read_siblings(
    seen: MemoryQuerySet, found: Iterable[Found], *, with_history: bool
) -> list[Memory]:
    """Rows that match no word of the question but belong to a topic that does.

    Needed where a topic's past is told, and where a stale row might stand beside an active one.
    """
    rows = list(found)
    keys = {
        row.key
        for row in rows
        if row.key and (with_history or row.status in (Status.STALE, Status.SUPERSEDED))
    }
    if not keys:
        return []
    past = seen if with_history else seen.filter(status=Status.ACTIVE)
    return list(
        past.filter(key__in=keys)
        .exclude(pk__in=[row.memory for row in rows])
        .exclude(status=Status.CONFLICT)
        .order_by("id")
        .for_showing()[:CANDIDATES]
    )


def _read_places(seen: MemoryQuerySet, waiting: Sequence[UUID]) -> Places:
    """For each waiting row, the members of its open entry that the agent may see."""
    if not waiting:
        return {}
    members = (
        ConflictMember.objects.filter(
            conflict__state="open",
            conflict__members__memory__in=waiting,
            memory__in=seen.values("pk"),
        )
        .select_related("conflict", "memory__use", "memory__agent", "memory__project")
        .defer("memory__embedding", "memory__search_text")
        .order_by("conflict_id", "id")
        .distinct()
    )
    by_entry: dict[UUID, list[ConflictMember]] = {}
    for member in members:
        by_entry.setdefault(member.conflict_id, []).append(member)
    return {
        member.memory_id: entry
        for entry in by_entry.values()
        for member in entry
        if not member.bystander
    }


def as_candidate(row: Found, *, places: Places, policy: Policy, now: datetime) -> ranking.Candidate:
    """A row as the ranking sees it."""
    anchor = row.anchor_under(policy)
    hours = decay.hours_between(anchor, now)
    strength = decay.strength(Tier(row.tier), row.times_served, policy)
    return ranking.Candidate(
        id=str(row.memory),
        created_at=row.created_at,
        retention=decay.retention_after(hours, strength),
        semantic=None if row.cosine is None else get_embedder().calibrate(row.cosine),
        bm25=row.bm25,
        bm25_max=row.most,
        importance=row.importance,
        status_weight=status_weight(row, places, policy=policy, now=now),
        source_weight=decay.source_weight(
            Source(row.source), confirmed=row.confirmed_at is not None, policy=policy
        ),
        protected=row.is_protected(policy),
        strength=strength,
        hours=hours,
        anchor=anchor,
    )


def status_weight(row: Found, places: Places, *, policy: Policy, now: datetime) -> float:
    """The weight of a row's status; of a waiting one by age, evidence and recurrences."""
    if row.status != Status.CONFLICT:
        return decay.status_weight(Status(row.status), policy=policy)
    entry = places.get(row.memory, ())
    age = max(timedelta(0), now - row.said_at) / timedelta(days=1)
    return decay.status_weight(
        Status.CONFLICT,
        age_days=age,
        # Said again after it was written: the same thing mentioned elsewhere (requirement 84).
        recent_evidence=row.said_at > row.created_at and age <= policy.conflict_evidence_days,
        recurrences=entry[0].conflict.recurrences if entry else 1,
        policy=policy,
    )
