"""Questions asked of the answers kept for repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.idempotency import Idempotency  # noqa: F401  (types only)


class IdempotencyQuerySet(EpochQuerySet["Idempotency"]):
    def speaking_of(self, memories: Sequence[UUID]) -> Self:
        """Answers that show one of these memories."""
        return self.filter(memories__overlap=list(memories))

    def older_than(self, moment: datetime) -> Self:
        return self.filter(created_at__lt=moment)
