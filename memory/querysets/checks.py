"""Questions asked of the spot checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db.models import Q

from memory.domain.values import Status
from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.checks import SpotCheck  # noqa: F401  (types only)


class SpotCheckQuerySet(EpochQuerySet["SpotCheck"]):
    def waiting(self) -> Self:
        """Open ones whose memory can still be judged: kept, and not overtaken meanwhile."""
        return self.filter(
            Q(state="open", memory__deleted_at__isnull=True) & ~Q(memory__status=Status.SUPERSEDED)
        )
