"""`/recall`: the context for a question."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from memory.api.boundary import only
from memory.api.errors import invalid
from memory.api.keys import KeyAuth, caller_of
from memory.api.schemas import RecallIn, RecallOut, errors
from memory.api.shapes import show_memory
from memory.domain.policy import Policy
from memory.querysets.callers import Caller
from memory.services.recall import Answer, Filters, Question, recall

router = Router(tags=["recall"])


@router.post(
    "",
    auth=KeyAuth("recall"),
    response={200: RecallOut, **errors(400, 401, 403, 413, 415, 422, 429, 503)},
    exclude_unset=True,
    by_alias=True,
    summary="Recall the context for a question",
)
def recall_memories(request: HttpRequest, body: RecallIn) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    return answer_question(caller, body, now=now)


def answer_question(caller: Caller, body: RecallIn, *, now: datetime) -> dict[str, Any]:
    """Ask, as this agent, and show what was found. Raises ApiError."""
    if body.as_of is not None and body.as_of > now:
        raise invalid({"as_of": "must not lie in the future"})
    question = Question(
        query=body.query,
        top_k=body.top_k,
        project=body.project,
        strategy=body.strategy,
        preset=body.preset,
        include_history=None if body.include_history == "auto" else body.include_history,
        include_archived=body.include_archived,
        include_dropped=body.include_dropped,
        standing=body.standing,
        max_tokens=body.max_tokens,
        reinforce=body.reinforce,
        as_of=body.as_of,
        filters=Filters(**body.filters.model_dump()),
    )
    answer = recall(caller, question, now=now)
    return show_answer(answer, policy=caller.policy, explain=body.explain)


def show_answer(answer: Answer, *, policy: Policy, explain: bool) -> dict[str, Any]:
    """An answer in the shape of API.md. Memories are shown as they were when it was found."""

    def show(memory: Any) -> dict[str, Any]:
        return show_memory(memory, policy=policy, now=answer.as_of)

    return {
        "id": answer.id,
        "query": answer.question.query,
        "paused": answer.paused,
        "as_of": answer.as_of,
        "standing": [{"memory": show(memory), "why": why} for memory, why in answer.standing],
        "memories": [
            {
                "memory": show(item.memory),
                "score": item.explanation.final,
                "rank": item.rank,
                **({"explain": _explain(item.explanation)} if explain else {}),
            }
            for item in answer.served
        ],
        "needs_confirmation": [
            {
                "conflict": entry.conflict,
                "reason": entry.reason,
                "question": entry.question,
                "memories": [show(memory) for memory in entry.memories],
                "weight": entry.weight,
            }
            for entry in answer.asked
        ],
        "history": [
            {
                "topic": history.topic,
                "text": history.text,
                "steps": [
                    {"memory": s.memory, "value": s.value, "from": s.began, "to": s.ended}
                    for s in history.steps
                ],
            }
            for history in answer.history
        ],
        "context": answer.context,
        "tokens": {"before": answer.tokens_before, "after": answer.tokens_after},
        "stages": dict(answer.stages),
        "dropped": [
            {"memory": show(left.memory), "rule": left.rule}
            for left in answer.dropped
            if left.memory is not None
        ],
    }


def _explain(explanation: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(explanation).items() if value is not None}
