"""Answer a question from an owner's memories, with the reasons, and record that it was asked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.ids import uuid7
from memory.adapters.embedders import EmbedderDown, Vector, get_embedder
from memory.border import owner_scope
from memory.domain import decay, questions, ranking, text
from memory.domain.aggregation import Aggregate, History, Row, aggregate, asks_about_past
from memory.domain.policy import Policy
from memory.domain.values import Kind, Preset, Reason, Source, Status, Strategy, Tier
from memory.models import ConflictMember, Memory, Recall, RecallItem
from memory.models.recalls import Place
from memory.querysets.callers import Caller
from memory.querysets.memories import Found, MemoryQuerySet
from memory.services.errors import InvalidInput

# How many of each sort (nearest, best by words; live, others) are looked at.
CANDIDATES = 100


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
    include_history: bool | None = None
    include_archived: bool = False
    standing: bool = True
    max_tokens: int | None = None
    reinforce: bool = True
    as_of: datetime | None = None
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class Served:
    memory: Memory
    explanation: ranking.Explanation
    rank: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that waits for the owner and bears on the question."""

    conflict: UUID | None
    reason: Reason
    question: str
    memories: Sequence[Memory]
    weight: float


@dataclass(frozen=True, slots=True)
class Left:
    """A row that was left out, and the rule that did it."""

    memory: Memory
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    id: UUID
    question: Question
    paused: bool
    as_of: datetime
    standing: Sequence[tuple[Memory, str]] = ()
    served: Sequence[Served] = ()
    asked: Sequence[Asked] = ()
    history: Sequence[History] = ()
    context: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    stages: Mapping[str, int] = field(default_factory=dict)
    dropped: Sequence[Left] = ()


STAGES = (
    "candidates",
    "below_quality",
    "dropped_by_decay",
    "ranked",
    "superseded_left_out",
    "returned",
)


def recall(caller: Caller, question: Question, *, now: datetime) -> Answer:
    """Find, rank, aggregate, record, reinforce.

    The question is embedded outside the transaction; with the embedder down, words alone decide.
    Raises InvalidInput for an unknown project or a preset of another strategy.
    """
    began = time.perf_counter()
    _check(caller, question)
    at = question.as_of or now
    if caller.paused:
        return Answer(
            id=uuid7(),
            question=question,
            paused=True,
            as_of=at,
            stages=dict.fromkeys(STAGES, 0),
        )
    vector = _embed(question.query)
    with owner_scope(caller.owner):
        answer = find(caller, question, vector=vector, at=at)
        _record(caller, answer, now=now, began=began)
    return answer


def _check(caller: Caller, question: Question) -> None:
    if question.project is not None and question.project not in caller.projects:
        raise InvalidInput(project="there is no project with this slug")
    if question.preset is not None and question.strategy is not Strategy.WEIGHTED:
        raise InvalidInput(preset="a preset belongs to the strategy “weighted”")


def _embed(query: str) -> Vector | None:
    try:
        [vector] = get_embedder().embed([query])
    except EmbedderDown:
        return None
    return vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """Everything read for a question, and its ranking before aggregation."""

    ranked: ranking.Ranking
    known: Mapping[UUID, Memory]
    siblings: Sequence[Memory]
    places: Mapping[UUID, Sequence[ConflictMember]]
    standing: Sequence[tuple[Memory, str]]
    with_history: bool


def consider(
    caller: Caller, question: Question, *, vector: Vector | None, at: datetime
) -> Considered:
    """Read the candidates and rank them as of `at`; changes nothing. Inside owner_scope."""
    policy = caller.policy
    with_history = (
        question.include_history
        if question.include_history is not None
        else asks_about_past(question.query)
    ) or Status.SUPERSEDED in question.filters.status
    seen = Memory.objects.visible_to(caller)
    if question.project is not None:
        seen = seen.in_project(caller.projects[question.project])
    rows, found, standing_ids = _read(
        caller, question, seen, vector=vector, with_archived=with_history
    )
    siblings = _read_siblings(seen, rows.values(), found, with_history=with_history)
    places = _read_places(seen, [row for row in rows.values() if row.status == Status.CONFLICT])
    ranked = ranking.rank(
        (
            as_candidate(rows[item.memory], item, places=places, policy=policy, now=at)
            for item in found
        ),
        strategy=question.strategy,
        preset=question.preset or Preset.STANDARD,
        policy=policy,
    )
    # Safety before rules, newest first.
    standing = sorted(
        ((rows[pk], why) for pk, why in standing_ids),
        key=lambda told: (told[1] != "safety", -told[0].created_at.timestamp(), str(told[0].pk)),
    )
    return Considered(
        ranked=ranked,
        known=rows | {row.pk: row for row in siblings},
        siblings=siblings,
        places=places,
        standing=standing,
        with_history=with_history,
    )


def find(caller: Caller, question: Question, *, vector: Vector | None, at: datetime) -> Answer:
    """The answer to a question as of `at`; changes nothing. Inside owner_scope."""
    policy = caller.policy
    read = consider(caller, question, vector=vector, at=at)
    ranked, known, places = read.ranked, read.known, read.places
    standing, with_history = read.standing, read.with_history
    result = aggregate(
        [
            *(_as_row(known[UUID(item.candidate.id)], item.rank, places) for item in ranked.ranked),
            *(_as_row(row, len(ranked.ranked) + 1, places) for row in read.siblings),
        ],
        include_history=with_history,
        include_archived=question.include_archived,
        top_k=None,
    )
    matched = {item.candidate.id: item for item in ranked.ranked}
    facts = [row for row in result.facts if row.id in matched]
    facts, over_tokens = _fit(facts[: question.top_k], known, standing, limit=question.max_tokens)
    served = [
        Served(known[UUID(row.id)], matched[row.id].explanation, place)
        for place, row in enumerate(facts, start=1)
    ]
    context = make_context([*(m for m, _ in standing), *(s.memory for s in served)])
    dropped = _left_out(ranked, result, known, facts=facts, over_tokens=over_tokens)
    history = result.history if with_history else ()
    superseded = sum(
        1
        for item in ranked.ranked
        if known[UUID(item.candidate.id)].status == Status.SUPERSEDED and not with_history
    )
    return Answer(
        id=uuid7(),
        question=question,
        paused=False,
        as_of=at,
        standing=standing,
        served=served,
        asked=_ask(result, matched, known, places, policy=policy, at=at),
        history=history,
        context=context,
        tokens_before=sum(
            text.estimate_tokens(known[UUID(item.candidate.id)].content) for item in ranked.ranked
        ),
        tokens_after=text.estimate_tokens(context),
        stages=dict(
            zip(
                STAGES,
                (
                    ranked.candidates,
                    ranked.below_quality,
                    ranked.dropped_by_decay,
                    ranked.survivors,
                    superseded,
                    len(served),
                ),
                strict=True,
            )
        ),
        dropped=dropped,
    )


def _read(
    caller: Caller,
    question: Question,
    seen: MemoryQuerySet,
    *,
    vector: Vector | None,
    with_archived: bool,
) -> tuple[dict[UUID, Memory], list[Found], list[tuple[UUID, str]]]:
    """The candidates and the standing memories, in two statements."""
    rows = question.filters.apply(seen)
    if not (with_archived or question.include_archived):
        rows = rows.everyday()
    found, standing = rows.candidates(
        owner=caller.owner,
        tokens=sorted(set(text.query_tokens(question.query))),
        vector=vector,
        embedder=get_embedder().name,
        policy=caller.policy,
        limit=CANDIDATES,
        standing=seen.standing(caller.policy) if question.standing else None,
    )
    wanted = {item.memory for item in found} | {pk for pk, _ in standing}
    loaded = Memory.objects.filter(owner=caller.owner, pk__in=wanted).for_showing()
    return {row.pk: row for row in loaded}, found, standing


def _read_siblings(
    seen: MemoryQuerySet, rows: Iterable[Memory], found: Sequence[Found], *, with_history: bool
) -> list[Memory]:
    """Rows that match no word of the question but belong to a topic that does.

    Needed where a topic's past is told, and where a stale row might stand beside an active one.
    """
    ids = {item.memory for item in found}
    keys = {
        row.key
        for row in rows
        if row.key
        and row.pk in ids
        and (with_history or row.status in (Status.STALE, Status.SUPERSEDED))
    }
    if not keys:
        return []
    past = seen if with_history else seen.filter(status=Status.ACTIVE)
    return list(
        past.filter(key__in=keys)
        .exclude(pk__in=ids)
        .exclude(status=Status.CONFLICT)
        .order_by("id")
        .for_showing()[:CANDIDATES]
    )


def _read_places(
    seen: MemoryQuerySet, waiting: Sequence[Memory]
) -> dict[UUID, list[ConflictMember]]:
    """For each waiting row, the members of its open entry that the agent may see."""
    if not waiting:
        return {}
    members = (
        ConflictMember.objects.filter(
            conflict__state="open",
            conflict__members__memory__in=[row.pk for row in waiting],
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


def as_candidate(
    memory: Memory,
    found: Found,
    *,
    places: Mapping[UUID, Sequence[ConflictMember]],
    policy: Policy,
    now: datetime,
) -> ranking.Candidate:
    """A row as the ranking sees it."""
    embedder = get_embedder()
    anchor = memory.use.anchor_under(policy, memory.created_at)
    return ranking.Candidate(
        id=str(memory.pk),
        created_at=memory.created_at,
        retention=decay.retention(
            anchor,
            tier=Tier(memory.tier),
            times_served=memory.use.times_served,
            now=now,
            policy=policy,
        ),
        semantic=None if found.cosine is None else embedder.calibrate(found.cosine),
        bm25=found.bm25,
        bm25_max=found.most,
        importance=memory.importance,
        status_weight=_status_weight(memory, places, policy=policy, now=now),
        source_weight=decay.source_weight(
            Source(memory.source), confirmed=memory.confirmed_at is not None, policy=policy
        ),
        protected=memory.is_protected(policy),
        strength=decay.strength(Tier(memory.tier), memory.use.times_served, policy),
        hours=decay.hours_between(anchor, now),
        anchor=anchor,
    )


def _status_weight(
    memory: Memory,
    places: Mapping[UUID, Sequence[ConflictMember]],
    *,
    policy: Policy,
    now: datetime,
) -> float:
    entry = places.get(memory.pk, ())
    age = max(timedelta(0), now - memory.said_at) / timedelta(days=1)
    return decay.status_weight(
        Status(memory.status),
        age_days=age,
        # Said again after it was written: the same thing mentioned elsewhere (requirement 84).
        recent_evidence=memory.said_at > memory.created_at and age <= policy.conflict_evidence_days,
        recurrences=entry[0].conflict.recurrences if entry else 1,
        policy=policy,
    )


def _as_row(memory: Memory, rank: int, places: Mapping[UUID, Sequence[ConflictMember]]) -> Row:
    entry = places.get(memory.pk)
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
        conflict=str(entry[0].conflict_id) if entry else None,
    )


def _ask(
    result: Aggregate,
    matched: Mapping[str, ranking.Ranked],
    known: Mapping[UUID, Memory],
    places: Mapping[UUID, Sequence[ConflictMember]],
    *,
    policy: Policy,
    at: datetime,
) -> list[Asked]:
    asked = []
    for waiting in result.waiting:
        first = known[UUID(waiting.rows[0].id)]
        entry = places.get(first.pk, ())
        memories = [member.memory for member in entry] or [first]
        reason = Reason(entry[0].conflict.reason) if entry else Reason(first.status_reason)
        asked.append(
            Asked(
                conflict=entry[0].conflict_id if entry else None,
                reason=reason,
                question=questions.ask(
                    reason,
                    [m.content for m in memories]
                    if reason is Reason.CONTRADICTION
                    else [first.content],
                ),
                memories=memories,
                weight=_status_weight(first, places, policy=policy, now=at),
            )
        )
    return asked


def _fit(
    facts: Sequence[Row],
    known: Mapping[UUID, Memory],
    standing: Sequence[tuple[Memory, str]],
    *,
    limit: int | None,
) -> tuple[list[Row], list[Row]]:
    """As many whole facts as the token budget holds, best first; the lowest go first.

    What must always be known is told even where it alone is over the budget.
    """
    kept = list(facts)
    cut: list[Row] = []
    if limit is None:
        return kept, cut
    always = [memory for memory, _ in standing]
    while kept:
        context = make_context([*always, *(known[UUID(row.id)] for row in kept)])
        if text.estimate_tokens(context) <= limit:
            break
        cut.insert(0, kept.pop())
    return kept, cut


def make_context(memories: Iterable[Memory]) -> str:
    """Text ready for a prompt: one line a fact, dates included, each once."""
    lines: dict[UUID, str] = {}
    for memory in memories:
        if memory.pk not in lines:
            lines[memory.pk] = f"- {' '.join(memory.content.split())} ({_date(memory)})"
    return "\n".join(lines.values())


def _date(memory: Memory) -> str:
    since = memory.valid_from or memory.occurred_at
    if memory.status == Status.STALE:
        return f"may be out of date, said {memory.said_at:%Y-%m-%d}"
    if memory.confirmed_at is not None:
        words = f"confirmed {memory.confirmed_at:%Y-%m-%d}"
    else:
        words = f"said {memory.said_at:%Y-%m-%d}"
    until = f" until {memory.valid_to:%Y-%m-%d}" if memory.valid_to else ""
    start = f"since {since:%Y-%m-%d}{until}, " if since else ""
    return f"{start}{words}{', contested' if memory.contested else ''}"


def _left_out(
    ranked: ranking.Ranking,
    result: Aggregate,
    known: Mapping[UUID, Memory],
    *,
    facts: Sequence[Row],
    over_tokens: Sequence[Row],
) -> list[Left]:
    """Every matched row that is not among the facts, with the first rule that kept it out."""
    left = [Left(known[UUID(d.candidate.id)], d.rule.value) for d in ranked.dropped]
    returned = {row.id for row in facts}
    too_long = {row.id for row in over_tokens}
    eligible = {row.id for row in result.facts}
    for item in ranked.ranked:
        pk = item.candidate.id
        memory = known[UUID(pk)]
        if pk in returned:
            continue
        if memory.status == Status.CONFLICT:
            rule = "waits_for_owner"
        elif memory.status == Status.SUPERSEDED:
            rule = "superseded"
        elif pk in too_long:
            rule = "beyond_max_tokens"
        elif pk in eligible:
            rule = "beyond_top_k"
        elif memory.archived_at is not None:
            rule = "archived"
        else:
            rule = "topic_has_active"
        left.append(Left(memory, rule))
    return left


def _record(caller: Caller, answer: Answer, *, now: datetime, began: float) -> None:
    """Keep the question, what was returned and why; then let what was returned be reinforced."""
    question = answer.question
    reinforced = question.reinforce and question.as_of is None
    Recall.objects.bulk_create(
        [
            Recall(
                id=answer.id,
                owner_id=caller.owner,
                agent_id=caller.agent,
                query=question.query,
                strategy=question.strategy,
                preset=question.preset or "",
                asked_at=now,
                as_of=answer.as_of,
                reinforced=reinforced,
                top_k=question.top_k,
                stages=dict(answer.stages),
                tokens_before=answer.tokens_before,
                tokens_after=answer.tokens_after,
                milliseconds=round((time.perf_counter() - began) * 1000, 2),
                epoch=caller.epoch,
            )
        ]
    )
    RecallItem.objects.bulk_create(_items(caller, answer))
    if reinforced:
        served = [item.memory.pk for item in answer.served]
        missed = [
            left.memory.pk
            for left in answer.dropped
            if left.rule in ("beyond_top_k", "beyond_max_tokens", "topic_has_active")
        ]
        reinforce(caller.owner, served=served, missed=missed, now=now)


def _items(caller: Caller, answer: Answer) -> list[RecallItem]:
    def item(memory: Memory, place: Place, rank: int | None, **more: Any) -> RecallItem:
        return RecallItem(
            owner_id=caller.owner,
            recall_id=answer.id,
            memory=memory,
            place=place,
            rank=rank,
            **more,
        )

    items = [
        item(m, Place.STANDING, n, parts={"why": why})
        for n, (m, why) in enumerate(answer.standing, start=1)
    ]
    for served in answer.served:
        parts = asdict(replace(served.explanation, anchor=None))
        items.append(
            item(
                served.memory,
                Place.MEMORY,
                served.rank,
                score=served.explanation.final,
                parts={name: value for name, value in parts.items() if value is not None},
            )
        )
    asked = {m.pk: (n, m) for n, entry in enumerate(answer.asked, start=1) for m in entry.memories}
    items += [item(m, Place.ASKED, n) for n, m in asked.values()]
    return items


def reinforce(
    owner: UUID, *, served: Sequence[UUID], missed: Sequence[UUID], now: datetime
) -> None:
    """Count what was served and what had its chance, in one statement.

    Rows are locked in id order, so that overlapping recalls queue instead of deadlocking. Only
    MemoryUse changes: the rows with the words, their version and updated_at stay untouched.
    """
    if not served and not missed:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_memoryuse u SET"
            " times_served = u.times_served + CASE WHEN l.served THEN 1 ELSE 0 END,"
            " missed_chances = u.missed_chances + CASE WHEN l.served THEN 0 ELSE 1 END,"
            " last_served_at = CASE WHEN l.served"
            "   THEN greatest(u.last_served_at, %(now)s) ELSE u.last_served_at END,"
            " anchor = CASE WHEN l.served THEN greatest(u.anchor, %(now)s) ELSE u.anchor END"
            " FROM (SELECT memory_id, memory_id = ANY(%(served)s) AS served"
            "       FROM memory_memoryuse WHERE owner_id = %(owner)s"
            "       AND memory_id = ANY(%(all)s) ORDER BY memory_id FOR UPDATE) l"
            " WHERE u.memory_id = l.memory_id",
            {
                "now": now,
                "owner": owner,
                "served": list(served),
                "all": [*served, *missed],
            },
        )
