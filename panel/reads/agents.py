"""Who acts for the owner, how much each did and how much each may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, Sum

from memory.border import owner_scope
from memory.models import (
    Agent,
    AgentKey,
    AgentProject,
    Grant,
    Memory,
    Policy,
    Project,
    Reading,
    Recall,
)
from memory.services.admit import read_callers
from panel.reads.sharing import Sentence, as_sentences

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One agent, as its card shows it."""

    agent: Agent
    last_seen: datetime | None
    reads: int
    writes: int
    sees: int
    keys: int
    projects: Sequence[Project]


@dataclass(frozen=True, slots=True)
class Members:
    """A project, and who is in it."""

    project: Project
    agents: Sequence[Agent]


@dataclass(frozen=True, slots=True)
class AgentsPage:
    cards: Sequence[Card]
    projects: Sequence[Members]
    total: int
    paused: bool


@dataclass(frozen=True, slots=True)
class Key:
    """A key, with what it is worth now: "good", "ending", "expired" or "revoked"."""

    row: AgentKey
    state: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A project, and whether the agent is in it."""

    project: Project
    inside: bool


@dataclass(frozen=True, slots=True)
class AgentPage:
    card: Card
    total: int
    keys: Sequence[Key]
    seats: Sequence[Seat]
    grants: Sequence[Sentence]


def read_agents(owner: UUID, now: datetime) -> AgentsPage:
    """All cards, by name; as many statements for one agent as for twenty."""
    with owner_scope(owner):
        agents = list(Agent.objects.of(owner).order_by("name"))
        cards, total = _cards(owner, agents, now)
        projects = [
            Members(project, [card.agent for card in cards if project in card.projects])
            for project in Project.objects.of(owner).order_by("name", "id")
        ]
        paused = Policy.objects.of(owner).filter(paused=True).exists()
    return AgentsPage(cards, projects, total, paused)


def read_agent(owner: UUID, agent: UUID, now: datetime) -> AgentPage | None:
    """One agent with its keys, its projects and what it was granted; None where there is none."""
    with owner_scope(owner):
        row = Agent.objects.of(owner).filter(pk=agent).first()
        if row is None:
            return None
        [card], total = _cards(owner, [row], now)
        keys = [
            Key(key, _state(key, now))
            for key in AgentKey.objects.of(owner).filter(agent=row).order_by("-created_at")
        ]
        inside = set(
            AgentProject.objects.of(owner).filter(agent=row).values_list("project", flat=True)
        )
        seats = [Seat(p, p.pk in inside) for p in Project.objects.of(owner).order_by("name")]
        grants = as_sentences(Grant.objects.of(owner).reaching(row.pk, inside))
    return AgentPage(card, total, keys, seats, grants)


def _state(key: AgentKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is None:
        return "good"
    return "expired" if key.expires_at <= now else "ending"


def _cards(owner: UUID, agents: Sequence[Agent], now: datetime) -> tuple[list[Card], int]:
    callers = read_callers(owner, agents)
    total, sees = Memory.objects.of(owner).count_visible_to(callers)
    good = Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    keys = _by_agent(
        AgentKey.objects.of(owner), good=Count("pk", filter=good), seen=Max("last_used_at")
    )
    since = now - WEEK
    recalls = _by_agent(Recall.objects.of(owner).filter(asked_at__gte=since), n=Count("pk"))
    lists = _by_agent(Reading.objects.of(owner).filter(hour__gte=since), n=Sum("requests"))
    written = _by_agent(
        Memory.objects.of(owner).kept().filter(created_at__gte=since), n=Count("pk")
    )
    places: dict[UUID, list[Project]] = {}
    seats = AgentProject.objects.of(owner).select_related("project")
    for seat in seats.order_by("project__name", "project"):
        places.setdefault(seat.agent_id, []).append(seat.project)
    cards = [
        Card(
            agent=agent,
            last_seen=keys.get(agent.pk, {}).get("seen"),
            reads=recalls.get(agent.pk, {}).get("n", 0) + (lists.get(agent.pk, {}).get("n") or 0),
            writes=written.get(agent.pk, {}).get("n", 0),
            sees=sees[agent.pk],
            keys=keys.get(agent.pk, {}).get("good", 0),
            projects=places.get(agent.pk, []),
        )
        for agent in agents
    ]
    return cards, total


def _by_agent(rows: Any, **counted: Any) -> Mapping[UUID, dict[str, Any]]:
    found = rows.order_by().values("agent").annotate(**counted)
    return {row["agent"]: row for row in found}
