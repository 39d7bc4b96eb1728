"""Questions asked of what the owner lets agents use beyond what is theirs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.db.models import Q

from memory.querysets.owned import OwnedQuerySet

if TYPE_CHECKING:
    from memory.models.namespaces import Grant  # noqa: F401  (types only)


class GrantQuerySet(OwnedQuerySet["Grant"]):
    def in_force(self) -> Self:
        """Those not revoked."""
        return self.filter(revoked_at__isnull=True)

    def reaching(self, agent: UUID, places: Collection[UUID]) -> Self:
        """Those in force for this agent, itself or by a project it is in."""
        return self.in_force().filter(Q(to_agent=agent) | Q(to_project__in=places))
