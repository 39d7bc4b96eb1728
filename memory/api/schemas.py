"""What goes in and comes out, typed: the source of openapi.json."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja.schema import Schema
from pydantic import AfterValidator, Field, model_validator

from memory.api.boundary import Flag, Input, Limit, Share, Text, Time
from memory.domain.extraction import Role
from memory.domain.values import Kind, Preset, Source, Status, Strategy, Tier, Visibility
from memory.models.jobs import JobStatus
from memory.models.recalls import Outcome

Content = Annotated[str, Text(2000, minimum=1)]
Key = Annotated[str, Text(200, multiline=False)]
Value = Annotated[str, Text(2000)]
Slug = Annotated[str, Text(50, minimum=1, multiline=False)]


def _check_metadata(value: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(value, ensure_ascii=False).encode()) > 4096:
        raise ValueError("is larger than 4 KiB")
    if _depth(value) > 5:
        raise ValueError("is nested deeper than 5")
    return value


def _depth(value: Any) -> int:
    inner = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    )
    return 0 if inner is None else 1 + max((_depth(item) for item in inner), default=0)


Metadata = Annotated[dict[str, Any], AfterValidator(_check_metadata)]


class FactIn(Input):
    content: Content
    kind: Kind = Kind.SEMANTIC
    key: Key | None = None
    value: Value | None = None
    source: Source = Source.USER_STATED
    quote: Annotated[str, Text(4000)] | None = None
    conversation: UUID | None = None
    message: UUID | None = None
    importance: Share | None = None
    occurred_at: Time | None = None
    valid_from: Time | None = None
    valid_to: Time | None = None
    project: Slug | None = None
    visibility: Visibility = Visibility.PRIVATE
    metadata: Metadata = Field(default_factory=dict)
    resolves: UUID | None = None

    @model_validator(mode="after")
    def check_dates(self) -> FactIn:
        if self.valid_from and self.valid_to and self.valid_from > self.valid_to:
            raise ValueError("valid_from must not be after valid_to")
        return self


class FactsIn(Input):
    facts: Annotated[list[FactIn], Field(min_length=1, max_length=50)]


class MessageIn(Input):
    role: Role
    content: Annotated[str, Text(10_000)]
    at: Time | None = None
    id: Annotated[str, Text(200, multiline=False)] | None = None


class ConversationIn(Input):
    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=200)]
    project: Slug | None = None
    title: Annotated[str, Text(200, multiline=False)] | None = None
    incognito: Flag = False


class FiltersIn(Input):
    status: list[Status] = Field(default_factory=list)
    kind: list[Kind] = Field(default_factory=list)
    tier: list[Tier] = Field(default_factory=list)
    source: list[Source] = Field(default_factory=list)
    key: Annotated[list[Key], Field(max_length=100)] = Field(default_factory=list)
    topic: Annotated[list[Key], Field(max_length=100)] = Field(default_factory=list)
    created_after: Time | None = None
    created_before: Time | None = None


class ListIn(FiltersIn):
    """The query of `GET /memories`: the filters of recall, and a page."""

    visibility: list[Visibility] = Field(default_factory=list)
    project: Key | None = None
    q: Annotated[str, Text(200)] | None = None
    sort: Literal[
        "-updated_at", "updated_at", "-created_at", "created_at", "retention", "-retention",
        "importance", "-importance",
    ] = "-updated_at"  # fmt: skip
    limit: Limit = 50
    cursor: Annotated[str, Text(1000)] | None = None


class PageIn(Input):
    limit: Limit = 50
    cursor: Annotated[str, Text(1000)] | None = None


class FeedbackIn(Input):
    memory: UUID
    outcome: Outcome


class RecallIn(Input):
    query: Annotated[str, Text(4000, minimum=1)]
    top_k: Annotated[int, Field(ge=1, le=100, strict=True)] = 8
    project: Slug | None = None
    strategy: Strategy = Strategy.TEMPERED
    preset: Preset | None = None
    include_history: Flag | Literal["auto"] = "auto"
    include_archived: Flag = False
    include_dropped: Flag = False
    explain: Flag = False
    standing: Flag = True
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None
    reinforce: Flag = True
    as_of: Time | None = None
    filters: FiltersIn = Field(default_factory=FiltersIn)


class PatchIn(Input):
    version: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    content: Content | None = None
    key: Key | None = None
    value: Value | None = None
    kind: Kind | None = None
    visibility: Visibility | None = None
    metadata: Metadata | None = None


# -- Answers ---------------------------------------------------------------------------------------


class ErrorBody(Schema):
    code: str
    message: str
    details: dict[str, Any]


class ErrorOut(Schema):
    error: ErrorBody


class ProvenanceOut(Schema):
    conversation: UUID | None
    message: UUID | None
    quote: str | None
    at: Time | None


class MemoryOut(Schema):
    id: UUID
    content: str
    kind: Kind
    key: str | None
    value: str | None
    topic: str | None
    status: Status
    status_reason: str | None
    is_active: bool
    source: Source
    tier: Tier
    importance: float
    protected: bool
    pinned: bool
    contested: bool
    retention: float
    access_count: int
    visibility: Visibility
    agent: str | None
    project: str | None
    sensitivity: list[str]
    confidence: float | None
    occurred_at: Time | None
    valid_from: Time | None
    valid_to: Time | None
    created_at: Time
    updated_at: Time
    confirmed_at: Time | None
    last_served_at: Time | None
    archived_at: Time | None
    replaces: UUID | None
    superseded_by: UUID | None
    invalidated_at: Time | None
    provenance: ProvenanceOut
    metadata: dict[str, Any]
    version: int


class TargetOut(Schema):
    id: UUID
    status: Status


class ResultOut(Schema):
    decision: str
    relation: str
    reason: str
    decided_by: str
    memory: MemoryOut | None
    target: TargetOut | None
    conflict: UUID | None


class ResultsOut(Schema):
    results: list[ResultOut]


class QueuedOut(Schema):
    id: UUID
    status: JobStatus


class ReceivedOut(Schema):
    conversation: UUID | None
    job: QueuedOut | None
    paused: bool | None = None
    incognito: bool | None = None


class ProgressOut(Schema):
    done: int
    total: int


class JobOut(Schema):
    id: UUID
    status: JobStatus
    progress: ProgressOut
    results: list[ResultOut]
    error: str | None


class IgnoredOut(Schema):
    decision: Literal["IGNORED"]
    paused: Literal[True]


class PageOut(Schema):
    results: list[MemoryOut]
    next: str | None
    total: int
    paused: bool = False


class ConflictOut(Schema):
    conflict: UUID
    reason: str
    question: str
    opened_at: Time
    recurrences: int
    memories: list[MemoryOut]


class ConflictPageOut(Schema):
    results: list[ConflictOut]
    next: str | None
    total: int
    paused: bool = False


class StandingOut(Schema):
    memory: MemoryOut
    why: Literal["safety", "rule"]


class ServedOut(Schema):
    memory: MemoryOut
    score: float
    rank: int
    explain: dict[str, Any] | None = None


class AskedOut(Schema):
    conflict: UUID | None
    reason: str
    question: str
    memories: list[MemoryOut]
    weight: float


class StepOut(Schema):
    memory: UUID
    value: str
    # `from` is a word of Python's.
    began: Time = Field(alias="from", serialization_alias="from")
    to: Time | None


class HistoryOut(Schema):
    topic: str | None
    text: str
    steps: list[StepOut]


class DroppedOut(Schema):
    memory: MemoryOut
    rule: str


class RecallOut(Schema):
    id: UUID
    query: str
    paused: bool
    as_of: Time
    standing: list[StandingOut]
    memories: list[ServedOut]
    needs_confirmation: list[AskedOut]
    history: list[HistoryOut]
    context: str
    tokens: dict[str, int]
    stages: dict[str, int]
    dropped: list[DroppedOut]


class ChangeOut(Schema):
    """One line of a memory's history: a revision (what it said) or an event (what happened)."""

    type: Literal["revision", "event"]
    at: Time
    version: int | None = None
    content: str | None = None
    key: str | None = None
    value: str | None = None
    kind: str | None = None
    verb: str | None = None
    reason: str | None = None
    actor: str | None = None
    agent: str | None = None
    gesture: UUID | None = None


class ChangesOut(Schema):
    results: list[ChangeOut]


class MeOut(Schema):
    owner: str
    agent: str
    scopes: list[str]
    projects: list[str]
    paused: bool


class HealthOut(Schema):
    status: Literal["ok"]


def errors(*statuses: int) -> dict[Any, Any]:
    """The error answers an operation documents."""
    return dict.fromkeys(statuses, ErrorOut)


EVERY_ERROR = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
