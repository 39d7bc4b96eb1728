"""Why a recall is not there any more, as far as that can still be known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts.ids import made_at
from memory.border import owner_scope
from memory.models import Event
from memory.models.events import Verb
from panel.visits import read_policy


@dataclass(frozen=True, slots=True)
class Gone:
    """A recall that is not kept: erased when everything was cleared, or its days were over."""

    kept_days: int
    cleared_at: datetime | None = None


def read_gone(owner: UUID, recall: UUID) -> Gone:
    """By the time in its id, which tells nothing of whether there ever was such a recall."""
    with owner_scope(owner):
        days = read_policy(owner).rules().recall_days
        asked = made_at(recall)
        if asked is None:
            return Gone(days)
        cleared = (
            Event.objects.of(owner)
            .filter(verb=Verb.CLEARED, at__gte=asked, at__lt=asked + timedelta(days=days))
            .order_by("at")
            .values_list("at", flat=True)
            .first()
        )
    return Gone(days, cleared)
