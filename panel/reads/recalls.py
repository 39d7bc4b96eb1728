"""What agents asked, newest first, and one line of lists for each key and hour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.border import owner_scope
from memory.models import Agent, ConflictMember, Memory, Policy, Reading, Recall
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.reads.filters import WHEN_DAYS
from panel.visits import read_policy

PAGE = 50
_ASKED, _READ = 1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallFilters:
    """A checked address. Empty means everything."""

    q: str = ""
    agent: str = ""
    what: str = ""
    when: str = ""
    cursor: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.q or self.agent or self.what or self.when)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A recall, or the lists that one key read in one hour."""

    at: datetime
    agent: str
    recall: Recall | None = None
    reading: Reading | None = None

    @property
    def returned(self) -> int:
        return int(self.recall.stages.get("returned", 0)) if self.recall else 0

    @property
    def candidates(self) -> int:
        return int(self.recall.stages.get("candidates", 0)) if self.recall else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallsPage:
    lines: list[Line]
    kept_days: int
    # Whether anything was ever asked, whatever the filters; only where nothing is shown.
    has_any: bool
    next: str


def read_agents(owner: UUID) -> list[Agent]:
    with owner_scope(owner):
        return list(Agent.objects.of(owner).order_by("name"))


def read_recalls(owner: UUID, filters: RecallFilters, *, now: datetime) -> RecallsPage:
    """One page. Raises BadCursor."""
    with owner_scope(owner):
        recalls = Recall.objects.of(owner).select_related("agent")
        readings = Reading.objects.of(owner).select_related("agent", "key")
        if filters.agent:
            agent = UUID(filters.agent)
            recalls, readings = recalls.filter(agent=agent), readings.filter(agent=agent)
        if filters.when:
            since = now - timedelta(days=WHEN_DAYS[filters.when])
            recalls = recalls.filter(asked_at__gte=since)
            readings = readings.filter(hour__gte=since)
        if filters.q:
            recalls = recalls.filter(query__icontains=filters.q)
        if filters.cursor:
            after_recalls, after_readings = _after(filters.cursor, owner)
            recalls, readings = recalls.filter(after_recalls), readings.filter(after_readings)
        found: list[tuple[tuple[Any, ...], Line]] = []
        if filters.what != "read":
            for recall in recalls.order_by("-asked_at", "-id")[: PAGE + 1]:
                name = recall.agent.name if recall.agent else ""
                line = Line(at=recall.asked_at, agent=name, recall=recall)
                found.append(((recall.asked_at, _ASKED, str(recall.pk)), line))
        # Lists have no words to be searched.
        if filters.what != "asked" and not filters.q:
            for reading in readings.order_by("-hour", "-id")[: PAGE + 1]:
                line = Line(at=reading.hour, agent=reading.agent.name, reading=reading)
                found.append(((reading.hour, _READ, reading.pk), line))
        found.sort(key=lambda one: one[0][:2], reverse=True)
        page, more = found[:PAGE], len(found) > PAGE
        policy: Policy = read_policy(owner)
        has_any = bool(page) or (
            Recall.objects.of(owner).exists() or Reading.objects.of(owner).exists()
        )
        return RecallsPage(
            lines=[line for _, line in page],
            kept_days=policy.rules().recall_days,
            has_any=has_any,
            next=_cursor(owner, page[-1][0]) if more else "",
        )


def read_where_it_stands(owner: UUID, memory: UUID) -> tuple[str, UUID | None]:
    """The status of a memory, and the card of Review in which it waits, if it does."""
    with owner_scope(owner):
        status = Memory.objects.of(owner).values_list("status", flat=True).get(pk=memory)
        places = ConflictMember.objects.of(owner).filter(memory=memory, bystander=False)
        card = places.filter(conflict__state="open").values_list("conflict", flat=True).first()
        return status, card


def _cursor(owner: UUID, key: tuple[Any, ...]) -> str:
    at, kind, pk = key
    return write_cursor(owner, "recalls", [at.isoformat(), kind, pk])


def _after(cursor: str, owner: UUID) -> tuple[Q, Q]:
    """What comes after a cursor, among recalls and among readings.

    Newest first; of one moment recalls before readings; of one sort by id, as ordered.
    """
    try:
        written, kind, pk = read_cursor(cursor, owner, "recalls")
        at = datetime.fromisoformat(written)
        if kind == _ASKED:
            return Q(asked_at__lt=at) | Q(asked_at=at, id__lt=UUID(pk)), Q(hour__lte=at)
        if kind == _READ:
            return Q(asked_at__lt=at), Q(hour__lt=at) | Q(hour=at, id__lt=int(pk))
    except (ValueError, TypeError) as error:
        raise BadCursor from error
    raise BadCursor
