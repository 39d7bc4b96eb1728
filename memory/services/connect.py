"""Connect an agent to its owner, and settle what it may do: its keys, its projects, its sources."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from memory.border import owner_scope
from memory.models import SCOPES, Agent, AgentKey, AgentProject, Project
from memory.models.events import Actor, Verb
from memory.services.admit import make_key
from memory.services.errors import InvalidInput, NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail


def connect_agent(
    *, owner: UUID, name: str, scopes: Sequence[str], now: datetime
) -> tuple[Agent, str]:
    """A new agent with its first key; the key's text is returned this once.

    Raises InvalidInput where the owner has an agent of this name.
    """
    with owner_scope(owner):
        trail = _trail(owner, now)
        try:
            with transaction.atomic():
                agent = Agent.objects.create(owner_id=owner, name=name)
        except IntegrityError:
            raise InvalidInput(name="an agent has this name already") from None
        trail.note(Verb.CONNECTED, row="agent", id=str(agent.pk))
        text = _add_key(trail, agent, scopes, None)
        trail.leave()
    return agent, text


def add_key(
    *,
    owner: UUID,
    agent: UUID,
    scopes: Sequence[str],
    now: datetime,
    expires_at: datetime | None = None,
) -> str:
    """One more key for an agent; its text, this once. Raises NotFound."""
    with owner_scope(owner):
        trail = _trail(owner, now)
        text = _add_key(trail, _agent(owner, agent), scopes, expires_at)
        trail.leave()
    return text


def rotate_key(
    *, owner: UUID, agent: UUID, key: UUID, overlap: timedelta, now: datetime
) -> tuple[Agent, str]:
    """A new key in place of another, which stays good for `overlap`, and no longer than it was.

    Returns the agent and the new key's text, this once. Raises NotFound for a key that is not
    this owner's, or no longer good.
    """
    with owner_scope(owner):
        trail = _trail(owner, now)
        old = _key(owner, agent, key)
        if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
            raise NotFound(str(key))
        ends = now + overlap
        if old.expires_at is None or old.expires_at > ends:
            AgentKey.objects.filter(pk=old.pk).update(expires_at=ends)
        text = _add_key(trail, old.agent, old.scopes, None, instead=old.pk)
        trail.leave()
    return old.agent, text


def revoke_key(*, owner: UUID, agent: UUID, key: UUID, now: datetime) -> UUID:
    """Refused from the next request on, for good. Returns the gesture. Raises NotFound."""
    with owner_scope(owner):
        trail = _trail(owner, now)
        row = _key(owner, agent, key)
        if not AgentKey.objects.filter(pk=row.pk, revoked_at__isnull=True).update(revoked_at=now):
            raise NotFound(str(key))
        trail.note(Verb.KEY_REVOKED, row="agent", id=str(row.agent_id), key=str(row.pk))
        return trail.leave()


def allow_external(*, owner: UUID, agent: UUID, allowed: bool, now: datetime) -> UUID | None:
    """Whether text from outside waits for the owner instead of being refused.

    Returns the gesture, None where it was so already. Raises NotFound.
    """
    with owner_scope(owner):
        trail = _trail(owner, now)
        verb = Verb.ALLOWED if allowed else Verb.BARRED
        trail.agree(_agent(owner, agent), verb, external_allowed=allowed)
        return trail.leave_if_changed()


def place_agent(
    *, owner: UUID, agent: UUID, project: UUID, inside: bool, now: datetime
) -> UUID | None:
    """Put an agent into a project, or take it out.

    Returns the gesture, None where it was so already. Raises NotFound.
    """
    with owner_scope(owner):
        trail = _trail(owner, now)
        set_place(trail, agent, project, inside=inside)
        return trail.leave_if_changed()


def set_place(trail: Trail, agent: UUID, project: UUID, *, inside: bool) -> None:
    """As `place_agent`, within a gesture. Inside owner_scope. Raises NotFound."""
    row = _agent(trail.owner, agent)
    if not Project.objects.of(trail.owner).filter(pk=project).exists():
        raise NotFound(str(project))
    found = AgentProject.objects.of(trail.owner).filter(agent=row, project=project)
    if found.exists() == inside:
        return
    if not inside:
        found.delete()
    else:
        AgentProject.objects.create(owner_id=trail.owner, agent=row, project_id=project)
    verb = Verb.JOINED if inside else Verb.LEFT
    trail.note(verb, row="agentproject", id=str(project), agent=str(row.pk))


def add_project(*, owner: UUID, name: str) -> Project:
    """A new project; its slug, by which agents name it, comes from its name.

    Raises InvalidInput where the owner has one of this slug, or no slug can be made.
    """
    slug = slugify(name, allow_unicode=False)[:50].strip("-")
    with owner_scope(owner):
        if not slug:
            # A name without Latin letters: numbered, since agents type slugs.
            slug = f"project-{Project.objects.of(owner).count() + 1}"
        try:
            with transaction.atomic():
                return Project.objects.create(owner_id=owner, slug=slug, name=name)
        except IntegrityError:
            raise InvalidInput(name="a project has this name already") from None


def _trail(owner: UUID, now: datetime) -> Trail:
    return Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=lock_writes(owner))


def _agent(owner: UUID, agent: UUID) -> Agent:
    row: Agent | None = Agent.objects.of(owner).filter(pk=agent).first()
    if row is None:
        raise NotFound(str(agent))
    return row


def _key(owner: UUID, agent: UUID, key: UUID) -> AgentKey:
    row: AgentKey | None = (
        AgentKey.objects.of(owner).filter(pk=key, agent=agent).select_related("agent").first()
    )
    if row is None:
        raise NotFound(str(key))
    return row


def _add_key(
    trail: Trail,
    agent: Agent,
    scopes: Sequence[str],
    expires_at: datetime | None,
    *,
    instead: UUID | None = None,
) -> str:
    wanted = [scope for scope in SCOPES if scope in scopes]
    if not wanted:
        raise InvalidInput(scopes="a key that may do nothing is of no use")
    row, text = make_key(owner=trail.owner, agent=agent, scopes=wanted, expires_at=expires_at)
    before = str(instead) if instead else None
    trail.note(Verb.KEY_MADE, row="agent", id=str(agent.pk), key=str(row.pk), instead=before)
    return text
