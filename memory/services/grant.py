"""Let agents use more than is their own, and take that back. The owner's alone: no agent can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.domain.sensitivity import NAMES
from memory.models import Agent, AgentProject, Grant, Memory, Project
from memory.models.events import Actor, Verb
from memory.querysets.callers import Granted
from memory.querysets.grants import GrantQuerySet
from memory.services.admit import read_caller
from memory.services.errors import InvalidInput, NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be granted: from whom (None: whoever wrote it), to whom, of what.

    One of `to_agent` and `to_project`; at most one of `sensitivity` and `topic`, neither: anything
    ordinary.
    """

    to_agent: UUID | None = None
    to_project: UUID | None = None
    from_agent: UUID | None = None
    sensitivity: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class More:
    """What one agent would see that it does not see today: how many, and the newest of them."""

    agent: Agent
    count: int
    rows: Sequence[Memory]


SAMPLE = 5


def grant(*, owner: UUID, wish: Wish, now: datetime) -> UUID | None:
    """Grant it, from the next request on.

    Returns the gesture, None where it is in force already. Raises NotFound for an agent or
    project that is not this owner's, InvalidInput for a wish that says nothing or too much.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        _check(owner, wish)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        if _same(owner, wish).in_force().exists():
            return None
        row = Grant(
            owner_id=owner,
            from_agent_id=wish.from_agent,
            to_agent_id=wish.to_agent,
            to_project_id=wish.to_project,
            sensitivity=wish.sensitivity,
            topic=wish.topic,
            created_at=now,
            revoked_at=now,
        )
        # Made as one that does not count, then put in force: undo sets it back to that.
        row.save(force_insert=True)
        trail.agree(row, Verb.GRANTED, revoked_at=None)
        return trail.leave()


def revoke(*, owner: UUID, grant: UUID, now: datetime) -> UUID:
    """Take a grant back: the next recall has none of it. Returns the gesture. Raises NotFound."""
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = Grant.objects.of(owner).in_force().filter(pk=grant).first()
        if row is None:
            raise NotFound(str(grant))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.agree(row, Verb.REVOKED, revoked_at=now)
        return trail.leave()


def preview(owner: UUID, wish: Wish) -> list[More]:
    """What each agent it reaches would see more than today. Inside owner_scope; changes nothing.

    Raises NotFound and InvalidInput as `grant` does.
    """
    _check(owner, wish)
    reached = (
        [wish.to_agent]
        if wish.to_agent
        else AgentProject.objects.of(owner)
        .filter(project=wish.to_project)
        .values_list("agent", flat=True)
    )
    agents = Agent.objects.of(owner).filter(pk__in=reached).order_by("name")
    return [_more(owner, agent, wish) for agent in agents]


def _more(owner: UUID, agent: Agent, wish: Wish) -> More:
    caller = read_caller(owner, agent.pk)
    granted = Granted(wish.from_agent, wish.sensitivity, wish.topic)
    after = replace(caller, grants=(*caller.grants, granted))
    rows = (
        Memory.objects.visible_to(after)
        .exclude(pk__in=Memory.objects.visible_to(caller).values("pk"))
        .for_showing()
        .order_by("-updated_at", "-id")
    )
    return More(agent, rows.count(), list(rows[:SAMPLE]))


def is_in_force(row: Grant) -> bool:
    """Whether the same is granted by another row. Inside owner_scope."""
    wish = Wish(
        to_agent=row.to_agent_id,
        to_project=row.to_project_id,
        from_agent=row.from_agent_id,
        sensitivity=row.sensitivity,
        topic=row.topic,
    )
    return bool(_same(row.owner_id, wish).in_force().exists())


def _same(owner: UUID, wish: Wish) -> GrantQuerySet:
    return Grant.objects.of(owner).filter(
        from_agent=wish.from_agent,
        to_agent=wish.to_agent,
        to_project=wish.to_project,
        sensitivity=wish.sensitivity,
        topic=wish.topic,
    )


def _check(owner: UUID, wish: Wish) -> None:
    if (wish.to_agent is None) == (wish.to_project is None):
        raise InvalidInput(to="names one agent or one project")
    if wish.sensitivity and (wish.topic or wish.sensitivity not in NAMES):
        raise InvalidInput(sensitivity="is not one of the sensitive topics")
    if wish.from_agent is not None and wish.from_agent == wish.to_agent:
        raise InvalidInput(to="an agent sees its own memories already")
    for agent in (wish.from_agent, wish.to_agent):
        if agent is not None and not Agent.objects.of(owner).filter(pk=agent).exists():
            raise NotFound(str(agent))
    if (
        wish.to_project is not None
        and not Project.objects.of(owner).filter(pk=wish.to_project).exists()
    ):
        raise NotFound(str(wish.to_project))
