"""What a recall answers: the facts and their reasons, what is asked, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.domain import ranking
from memory.domain.aggregation import History
from memory.domain.context import Line
from memory.domain.values import Reason, Status
from memory.models import Memory
from memory.services.consider import Question

STAGES = (
    "candidates",
    "below_quality",
    "dropped_by_decay",
    "ranked",
    "superseded_left_out",
    "returned",
)
# Rules under which a row passed stage 1 and was not returned all the same.
MISSED = frozenset({"beyond_top_k", "beyond_max_tokens", "topic_has_active"})


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
    """A row that was left out, and the rule that did it. `memory`: loaded where asked for."""

    id: UUID
    rule: str
    memory: Memory | None = None


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


def as_line(memory: Memory) -> Line:
    """A memory as the context tells it."""
    return Line(
        id=str(memory.pk),
        content=memory.content,
        status=Status(memory.status),
        said_at=memory.said_at,
        confirmed_at=memory.confirmed_at,
        began=memory.valid_from or memory.occurred_at,
        ended=memory.valid_to,
        contested=memory.contested,
    )
