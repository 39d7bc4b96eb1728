"""Keep a recall: the question, what was returned and why, and as it was told."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

from memory.domain.context import Line
from memory.domain.ranking import Explanation
from memory.domain.values import Kind, Preset, Source, Status, Strategy, Tier
from memory.models import Memory, Recall, RecallItem
from memory.models.recalls import Place
from memory.querysets.callers import Caller
from memory.services.answers import MISSED, Answer, as_line
from memory.services.consider import Filters, Question
from memory.services.reinforce import reinforce

# The moments of a line of the context, as they are kept beside the memory's id and version.
_MOMENTS = ("said_at", "confirmed_at", "began", "ended")
_LISTS: dict[str, Any] = {"status": Status, "kind": Kind, "tier": Tier, "source": Source}


def note_recall(caller: Caller, answer: Answer, *, now: datetime, began: float) -> None:
    """Keep the question, what was returned and why; then let what was returned be reinforced.

    Inside owner_scope. `began`: the reading of time.perf_counter when the question came.
    """
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
                options=_options(question),
                stages={**answer.stages, "left_out": _count_left_out(answer)},
                tokens_before=answer.tokens_before,
                tokens_after=answer.tokens_after,
                milliseconds=round((time.perf_counter() - began) * 1000, 2),
                epoch=caller.epoch,
            )
        ]
    )
    RecallItem.objects.bulk_create(_items(caller, answer))
    if reinforced:
        reinforce(
            caller.owner,
            served=[item.memory.pk for item in answer.served],
            missed=[left.id for left in answer.dropped if left.rule in MISSED],
            now=now,
        )


def _count_left_out(answer: Answer) -> dict[str, int]:
    """How many each rule kept out, of what was told nowhere, not even as history."""
    told = {step.memory for history in answer.history for step in history.steps}
    return dict(Counter(left.rule for left in answer.dropped if str(left.id) not in told))


# The anchor is a time, and the retention says what it does.
_PARTS = tuple(part.name for part in fields(Explanation) if part.name != "anchor")


def _items(caller: Caller, answer: Answer) -> Iterable[RecallItem]:
    def item(memory: Any, place: Place, rank: int, **more: Any) -> RecallItem:
        return RecallItem(
            owner_id=caller.owner,
            recall_id=answer.id,
            memory_id=memory,
            place=place,
            rank=rank,
            **more,
        )

    for rank, (memory, why) in enumerate(answer.standing, start=1):
        yield item(memory.pk, Place.STANDING, rank, parts={"why": why, "told": _told(memory)})
    for served in answer.served:
        parts = {name: getattr(served.explanation, name) for name in _PARTS}
        yield item(
            served.memory.pk,
            Place.MEMORY,
            served.rank,
            score=served.explanation.final,
            parts={
                **{name: value for name, value in parts.items() if value is not None},
                "told": _told(served.memory),
            },
        )
    asked = {
        memory.pk: (rank, entry)
        for rank, entry in enumerate(answer.asked, start=1)
        for memory in entry.memories
    }
    for pk, (rank, entry) in asked.items():
        conflict = {"conflict": str(entry.conflict)} if entry.conflict else {}
        parts = {"reason": entry.reason, "weight": entry.weight, **conflict}
        yield item(pk, Place.ASKED, rank, parts=parts)
    for rank, history in enumerate(answer.history, start=1):
        for step in history.steps:
            ended = step.ended.isoformat() if step.ended else None
            parts = {"from": step.began.isoformat(), "to": ended}
            yield item(step.memory, Place.HISTORY, rank, parts=parts)


def _told(memory: Memory) -> dict[str, Any]:
    """What the context said of a memory beside its words, which its version names."""
    line = as_line(memory)
    told = {name: at.isoformat() for name in _MOMENTS if (at := getattr(line, name)) is not None}
    contested = {"contested": True} if line.contested else {}
    return {"version": memory.version, "status": line.status, **told, **contested}


def line_of(item: RecallItem, content: str) -> Line:
    """The line of the context that told this item, given its words of then. Reads its memory."""
    told = item.parts.get("told")
    if told is None:
        return replace(as_line(item.memory), content=content)
    return Line(
        id=str(item.memory_id),
        content=content,
        status=Status(told["status"]),
        contested=told.get("contested", False),
        **{name: datetime.fromisoformat(told[name]) for name in _MOMENTS if name in told},
    )


def _options(question: Question) -> dict[str, Any]:
    """How it was asked, beyond the columns: only what differs from the default."""
    plain = Question(query="")
    given: dict[str, Any] = {
        name: getattr(question, name)
        for name in ("project", "include_history", "include_archived", "standing", "max_tokens")
        if getattr(question, name) != getattr(plain, name)
    }
    filters = {
        name: value.isoformat() if isinstance(value, datetime) else list(value)
        for name, value in asdict(question.filters).items()
        if value
    }
    return {**given, **({"filters": filters} if filters else {})}


def question_of(recall: Recall) -> Question:
    """The question as it was asked, to be asked again: as of then, and without being a use."""
    options = dict(recall.options)
    filters = dict(options.pop("filters", {}))
    for name, make in _LISTS.items():
        filters[name] = [make(value) for value in filters.get(name, ())]
    for name in ("created_after", "created_before"):
        if name in filters:
            filters[name] = datetime.fromisoformat(filters[name])
    return Question(
        query=recall.query,
        top_k=recall.top_k,
        strategy=Strategy(recall.strategy),
        preset=Preset(recall.preset) if recall.preset else None,
        reinforce=False,
        as_of=recall.as_of,
        filters=Filters(**filters),
        **options,
    )
