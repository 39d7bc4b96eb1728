"""Questions asked of what waits for the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.conflicts import Conflict  # noqa: F401  (types only)


class ConflictQuerySet(EpochQuerySet["Conflict"]):
    def waiting(self) -> Self:
        """Entries nobody has ruled on."""
        return self.filter(state="open")
