"""Let an agent in by its key, and make keys."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from memory.border import owner_scope
from memory.models import Agent, AgentKey, AgentProject, Grant, Policy, Project
from memory.models.policies import rules_of
from memory.querysets.callers import Caller, Granted


class KeyRefused(Exception):
    """A key that lets nobody in; `code` is API.md's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def hash_key(key: str) -> bytes:
    """SHA-256: 32 random bytes need no slow hash."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def make_key(
    *, owner: UUID, agent: Agent, scopes: list[str], expires_at: datetime | None = None
) -> tuple[AgentKey, str]:
    """A new key for an agent; its text is returned this once and stored nowhere."""
    prefix = secrets.token_hex(4)
    text = f"mk_{prefix}_{secrets.token_urlsafe(32)}"
    with owner_scope(owner):
        key = AgentKey.objects.create(
            owner_id=owner,
            agent=agent,
            prefix=prefix,
            hash=hash_key(text),
            scopes=scopes,
            expires_at=expires_at,
        )
    return key, text


def admit_key(text: str, *, now: datetime) -> Caller:
    """Who this key speaks for. Raises KeyRefused (unknown_key, revoked_key, expired_key).

    One statement, through a function that may see all keys and answers for one hash.
    """
    wanted = hash_key(text)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memoir_key(%s)", [wanted])
        columns = [column.name for column in cursor.description]
        found = cursor.fetchone()
    if found is None:
        raise KeyRefused("unknown_key")
    row = dict(zip(columns, found, strict=True))
    if not hmac.compare_digest(bytes(row["hash"]), wanted) or not row["owner_active"]:
        raise KeyRefused("unknown_key")
    if row["revoked_at"] is not None and row["revoked_at"] <= now:
        raise KeyRefused("revoked_key")
    if row["expires_at"] is not None and row["expires_at"] <= now:
        raise KeyRefused("expired_key")
    numbers = _json(row["numbers"])
    return Caller(
        owner=row["owner"],
        agent=row["agent"],
        agent_name=row["agent_name"],
        key=row["id"],
        scopes=frozenset(row["scopes"]),
        projects={slug: UUID(pk) for slug, pk in _json(row["projects"]).items()},
        places=frozenset(row["places"]),
        grants=tuple(
            Granted(UUID(source) if source else None, sensitivity, topic)
            for source, sensitivity, topic in _json(row["grants"])
        ),
        external_allowed=row["external_allowed"],
        paused=row["paused"],
        epoch=row["epoch"],
        policy=rules_of(numbers),
    )


def read_caller(owner: UUID, agent: UUID) -> Caller:
    """An agent as it is now, for work that goes on after its request. Inside owner_scope.

    Raises Agent.DoesNotExist. No key, no scopes: what was asked for was allowed when it was asked.
    """
    [caller] = read_callers(owner, [Agent.objects.of(owner).get(pk=agent)])
    return caller


def read_callers(owner: UUID, agents: Sequence[Agent]) -> list[Caller]:
    """Agents of an owner, as they are now; four statements for all. Inside owner_scope."""
    policy = Policy.objects.of(owner).first() or Policy(owner_id=owner)
    rules = policy.rules()
    projects = dict(Project.objects.of(owner).values_list("slug", "pk"))
    inside = list(AgentProject.objects.of(owner).values_list("agent", "project"))
    grants = list(Grant.objects.of(owner).in_force().order_by("id"))
    callers = []
    for agent in agents:
        places = frozenset(project for who, project in inside if who == agent.pk)
        callers.append(
            Caller(
                owner=owner,
                agent=agent.pk,
                agent_name=agent.name,
                projects=projects,
                places=places,
                grants=tuple(
                    Granted(grant.from_agent_id, grant.sensitivity, grant.topic)
                    for grant in grants
                    if grant.to_agent_id == agent.pk or grant.to_project_id in places
                ),
                external_allowed=agent.external_allowed,
                paused=agent.paused or policy.paused,
                epoch=policy.epoch,
                policy=rules,
            )
        )
    return callers


def _json(value: object) -> Any:
    return json.loads(value) if isinstance(value, str) else value
