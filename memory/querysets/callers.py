"""Who asks: what an agent's key says about it, read once a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from memory.domain.policy import DEFAULT_POLICY, Policy


@dataclass(frozen=True, slots=True)
class Granted:
    """One thing the owner lets this agent use beyond what is its own (models.Grant)."""

    # Whose memories; None: whoever wrote them.
    source: UUID | None
    sensitivity: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who acts for an owner, with everything that decides what may be seen and done.

    `agent` None: the owner in person, who sees everything of his own.
    """

    owner: UUID
    agent: UUID | None = None
    agent_name: str = ""
    key: UUID | None = None
    scopes: frozenset[str] = frozenset()
    # Slug to id of the owner's projects, and the ids of those the agent is in.
    projects: Mapping[str, UUID] = field(default_factory=dict)
    places: frozenset[UUID] = frozenset()
    grants: tuple[Granted, ...] = ()
    external_allowed: bool = False
    paused: bool = False
    epoch: int = 0
    policy: Policy = DEFAULT_POLICY
