"""Questions asked of the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from uuid import UUID

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.events import Event  # noqa: F401  (types only)


class EventQuerySet(EpochQuerySet["Event"]):
    def about(self, memory: UUID) -> Self:
        """What happened to one memory, oldest first."""
        return self.filter(memory=memory).order_by("id")

    def of_gesture(self, gesture: UUID) -> Self:
        """All that one gesture changed, in order."""
        return self.filter(gesture=gesture).order_by("id")

    def recent(self) -> Self:
        return self.order_by("-id")
