"""Questions asked of the queue."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db.models import Q

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.jobs import Job  # noqa: F401  (types only)


class JobQuerySet(EpochQuerySet["Job"]):
    def unfinished(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def claimable_at(self, now: datetime) -> Self:
        """Due and held by nobody, or by somebody whose lease ran out."""
        return self.filter(due_at__lte=now).filter(
            Q(status="queued") | Q(status="running", lease_until__lt=now)
        )
