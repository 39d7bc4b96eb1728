"""Answer a question from an owner's memories, with the reasons, and record that it was asked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from accounts.ids import uuid7
from memory.adapters.embedders import EmbedderDown, Vector, get_embedder
from memory.border import owner_scope
from memory.domain import questions, text
from memory.domain.aggregation import Aggregate, Row
from memory.domain.context import make_context
from memory.domain.policy import Policy
from memory.domain.values import Reason, Status, Strategy
from memory.models import Memory
from memory.querysets.callers import Caller
from memory.services.answers import STAGES, Answer, Asked, Left, Served, as_line
from memory.services.consider import Considered, Filters, Question, consider, status_weight
from memory.services.errors import InvalidInput
from memory.services.note_recall import note_recall


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
    vector = embed_question(question.query)
    with owner_scope(caller.owner):
        answer = find(caller, question, vector=vector, at=at)
        note_recall(caller, answer, now=now, began=began)
    return answer


def _check(caller: Caller, question: Question) -> None:
    if question.project is not None and question.project not in caller.projects:
        raise InvalidInput(project="there is no project with this slug")
    if question.preset is not None and question.strategy is not Strategy.WEIGHTED:
        raise InvalidInput(preset="a preset belongs to the strategy “weighted”")


def embed_question(query: str) -> Vector | None:
    """The question's vector, None with the embedder down. Leaves the process."""
    try:
        [vector] = get_embedder().embed([query])
    except EmbedderDown:
        return None
    return vector


def find(caller: Caller, question: Question, *, vector: Vector | None, at: datetime) -> Answer:
    """The answer to a question as of `at`; changes nothing. Inside owner_scope."""
    return compose(caller, question, consider(caller, question, vector=vector, at=at), at=at)


def compose(caller: Caller, question: Question, read: Considered, *, at: datetime) -> Answer:
    """The answer made of what was read and ranked for a question. Inside owner_scope."""
    result = read.aggregate(question)
    matched = {item.candidate.id: item for item in read.ranked.ranked}
    eligible = [row for row in result.facts if row.id in matched]
    facts = eligible[: question.top_k]
    loaded = _load(
        caller,
        [
            *(UUID(row.id) for row in facts),
            *(row.memory for row, _ in read.standing),
            *(
                UUID(waiting.rows[0].id)
                for waiting in result.waiting
                if UUID(waiting.rows[0].id) not in read.places
            ),
        ],
    )
    standing = [(loaded[row.memory], why) for row, why in read.standing]
    facts, context = _fit(facts, loaded, standing, limit=question.max_tokens)
    spent = text.estimate_tokens(context)
    told = {row.id for row in facts}
    # Without aggregation and limits every row that ranked would have been told.
    unsaid = sum(
        text.estimate_tokens(read.rows[item.candidate.id].content)
        for item in read.ranked.ranked
        if item.candidate.id not in told
    )
    dropped = _left_out(read, result, facts=facts, eligible=eligible[: question.top_k])
    if question.include_dropped:
        rows = _load(caller, [left.id for left in dropped])
        dropped = [replace(left, memory=rows[left.id]) for left in dropped]
    return Answer(
        id=uuid7(),
        question=question,
        paused=False,
        as_of=at,
        standing=standing,
        served=[
            Served(loaded[UUID(row.id)], matched[row.id].explanation, place)
            for place, row in enumerate(facts, start=1)
        ],
        asked=_ask(read, result, loaded, policy=caller.policy, at=at),
        history=result.history,
        context=context,
        tokens_before=spent + unsaid,
        tokens_after=spent,
        stages=_count_stages(read, returned=len(facts), with_history=question.wants_history),
        dropped=dropped,
    )


def _load(caller: Caller, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    rows = Memory.objects.filter(owner=caller.owner, pk__in=ids).for_showing() if ids else ()
    return {row.pk: row for row in rows}


def _fit(
    facts: Sequence[Row],
    loaded: Mapping[UUID, Memory],
    standing: Sequence[tuple[Memory, str]],
    *,
    limit: int | None,
) -> tuple[list[Row], str]:
    """As many whole facts as the token budget holds, best first, and the context they make.

    The lowest go first; what must always be known is told even where it alone is over the budget.
    """
    kept = list(facts)
    always = [as_line(memory) for memory, _ in standing]
    while True:
        context = make_context([*always, *(as_line(loaded[UUID(row.id)]) for row in kept)])
        if not kept or limit is None or text.estimate_tokens(context) <= limit:
            return kept, context
        kept.pop()


def _ask(
    read: Considered,
    result: Aggregate,
    loaded: Mapping[UUID, Memory],
    *,
    policy: Policy,
    at: datetime,
) -> list[Asked]:
    asked = []
    for waiting in result.waiting:
        first = read.rows[waiting.rows[0].id]
        entry = read.places.get(first.memory, ())
        memories = [member.memory for member in entry] or [loaded[first.memory]]
        reason = Reason(entry[0].conflict.reason if entry else first.status_reason)
        asked.append(
            Asked(
                conflict=entry[0].conflict_id if entry else None,
                reason=reason,
                question=questions.ask(
                    reason,
                    [memory.content for memory in memories]
                    if reason is Reason.CONTRADICTION
                    else [first.content],
                ),
                memories=memories,
                weight=status_weight(first, read.places, policy=policy, now=at),
            )
        )
    return asked


def _left_out(
    read: Considered, result: Aggregate, *, facts: Sequence[Row], eligible: Sequence[Row]
) -> list[Left]:
    """Every matched row that is not among the facts, with the first rule that kept it out."""
    left = [Left(UUID(drop.candidate.id), drop.rule.value) for drop in read.ranked.dropped]
    returned = {row.id for row in facts}
    in_reach = {row.id for row in eligible}
    served = {row.id for row in result.facts}
    for item in read.ranked.ranked:
        row = read.rows[item.candidate.id]
        pk = item.candidate.id
        if pk in returned:
            continue
        if row.status == Status.CONFLICT:
            rule = "waits_for_owner"
        elif row.status == Status.SUPERSEDED:
            rule = "superseded"
        elif pk in in_reach:
            rule = "beyond_max_tokens"
        elif pk in served:
            rule = "beyond_top_k"
        elif row.archived_at is not None:
            rule = "archived"
        else:
            rule = "topic_has_active"
        left.append(Left(row.memory, rule))
    return left


def _count_stages(read: Considered, *, returned: int, with_history: bool) -> dict[str, int]:
    past = sum(
        read.rows[item.candidate.id].status == Status.SUPERSEDED for item in read.ranked.ranked
    )
    counts = (
        read.ranked.candidates,
        read.ranked.below_quality,
        read.ranked.dropped_by_decay,
        read.ranked.survivors,
        0 if with_history else past,
        returned,
    )
    return dict(zip(STAGES, counts, strict=True))


__all__ = ["Answer", "Filters", "Question", "Served", "as_line", "compose", "find", "recall"]
