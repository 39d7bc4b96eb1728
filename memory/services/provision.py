"""Make what an agent needs to begin: its owner, itself, its project, and always a new key."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, AgentKey, AgentProject, Project
from memory.services.admit import make_key


@dataclass(frozen=True, slots=True)
class Provision:
    owner: UUID
    agent: UUID
    key: str


def provision(
    *,
    email: str,
    agent: str,
    project: str | None = None,
    scopes: list[str],
    fresh: bool = False,
) -> Provision:
    """Missing ones are made, existing ones kept; the key is always new and shown this once.

    `fresh`: the agent's earlier keys are revoked, so that they do not pile up.
    """
    with transaction.atomic():
        owner = User.objects.filter(email=email.lower()).first() or User.objects.create_user(email)
    with owner_scope(owner.pk):
        row, _ = Agent.objects.get_or_create(owner=owner, name=agent)
        if project is not None:
            place, _ = Project.objects.get_or_create(
                owner=owner, slug=project, defaults={"name": project}
            )
            AgentProject.objects.get_or_create(owner=owner, agent=row, project=place)
        if fresh:
            AgentKey.objects.of(owner.pk).filter(agent=row, revoked_at__isnull=True).update(
                revoked_at=timezone.now()
            )
    _, key = make_key(owner=owner.pk, agent=row, scopes=scopes)
    return Provision(owner.pk, row.pk, key)
