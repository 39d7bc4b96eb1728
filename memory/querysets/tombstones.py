"""Questions asked of what the owner took away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.db.models import Q

from memory.querysets.owned import OwnedQuerySet

if TYPE_CHECKING:
    from memory.models.tombstones import Tombstone  # noqa: F401  (types only)


class TombstoneQuerySet(OwnedQuerySet["Tombstone"]):
    def standing(self) -> Self:
        """Those the owner has not lifted."""
        return self.filter(lifted_at__isnull=True)

    def over(self, *, strict: Sequence[str], loose: Sequence[str]) -> Self:
        """Those of the same words, or of a paraphrase, newest first."""
        about = Q(strict__in=strict)
        if loose:
            about |= Q(loose__in=loose)
        return self.standing().filter(about).order_by("-deleted_at", "-id")

    def of_memory(self, memory: UUID) -> Self:
        return self.standing().filter(memory=memory)
