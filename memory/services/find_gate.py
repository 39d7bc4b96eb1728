"""Why was this not told? The first gate of a recall that a memory does not pass."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory.domain.values import Status
from memory.models import Memory
from memory.querysets.callers import Caller
from memory.querysets.memories import MemoryQuerySet
from memory.services.answers import Answer
from memory.services.consider import Question


class Gate(StrEnum):
    """The gates in the order they are passed. SERVED and STANDING are none: it was told."""

    NOT_YET = "not_yet"
    SERVED = "served"
    STANDING = "standing"
    PAUSED = "paused"
    VISIBILITY = "visibility"
    FILTER = "filter"
    WAITS = "waits_for_owner"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    NOT_A_CANDIDATE = "not_a_candidate"
    FADED = "dropped_by_decay"
    BELOW_QUALITY = "below_quality"
    TOPIC_HAS_ACTIVE = "topic_has_active"
    BEYOND_TOP_K = "beyond_top_k"
    BEYOND_MAX_TOKENS = "beyond_max_tokens"


def find_gate(
    caller: Caller, question: Question, answer: Answer, memory: Memory, *, asked_at: datetime
) -> Gate:
    """The first gate this memory fails for this question, given the answer to it.

    Inside owner_scope; two statements. `asked_at`: what was written later was not there to tell.
    """
    if memory.created_at > asked_at:
        return Gate.NOT_YET
    if memory.pk in {item.memory.pk for item in answer.served}:
        return Gate.SERVED
    if memory.pk in {row.pk for row, _ in answer.standing}:
        return Gate.STANDING
    if caller.paused:
        return Gate.PAUSED
    row = Memory.objects.visible_to(caller).filter(pk=memory.pk)
    if not row.exists():
        return Gate.VISIBILITY
    if not _filtered(row, caller, question).exists():
        return Gate.FILTER
    if memory.status == Status.CONFLICT:
        return Gate.WAITS
    if memory.status == Status.SUPERSEDED:
        return Gate.SUPERSEDED
    if memory.archived_at is not None and not question.include_archived:
        return Gate.ARCHIVED
    rule = next((left.rule for left in answer.dropped if left.id == memory.pk), "")
    return Gate(rule) if rule else Gate.NOT_A_CANDIDATE


def _filtered(rows: MemoryQuerySet, caller: Caller, question: Question) -> MemoryQuerySet:
    if question.project is not None:
        rows = rows.in_project(caller.projects[question.project])
    return question.filters.apply(rows)
