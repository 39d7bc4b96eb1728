"""Change rows and leave the trail, in one go: no status changes without its event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Model

from accounts.ids import uuid7
from memory.models import Conflict, Event, Memory
from memory.models.events import Actor, Verb


def _plain(value: Any) -> Any:
    """A field's value as JSON can hold it and the field's to_python can read it back."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return value


@dataclass(kw_only=True)
class Trail:
    """The events of one gesture. `leave` writes them all; until then nothing is recorded.

    Must be used and left inside one owner_scope: the rows and their history commit together.
    """

    owner: UUID
    actor: Actor
    at: datetime
    epoch: int
    agent: UUID | None = None
    gesture: UUID = field(default_factory=uuid7)
    events: list[Event] = field(default_factory=list)

    def note(
        self,
        verb: Verb,
        *,
        memory: UUID | None = None,
        conflict: UUID | None = None,
        reason: str = "",
        **data: Any,
    ) -> None:
        """Add a line. `data`: ids, codes and numbers only, never words."""
        self.events.append(
            Event(
                owner_id=self.owner,
                gesture=self.gesture,
                verb=verb,
                reason=reason,
                actor=self.actor,
                agent_id=self.agent,
                memory_id=memory,
                conflict_id=conflict,
                data=data,
                at=self.at,
                epoch=self.epoch,
            )
        )

    def change(
        self,
        memory: Memory,
        verb: Verb,
        *,
        reason: str = "",
        conflict: UUID | None = None,
        bump: bool = False,
        data: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        """Set these fields of a memory, and note what stood before and stands now.

        `bump`: a change that version and updated_at count (words, validity, visibility, pin).
        """
        before, after = _apply(memory, changes)
        if bump:
            Memory.objects.filter(pk=memory.pk).update(version=F("version") + 1, updated_at=self.at)
            memory.version += 1
            memory.updated_at = self.at
        self.note(
            verb,
            memory=memory.pk,
            conflict=conflict,
            reason=reason,
            before=before,
            after=after,
            **(data or {}),
        )

    def rule(self, entry: Conflict, verb: Verb, *, reason: str = "", **changes: Any) -> None:
        """Set these fields of a conflict, noting before and after."""
        before, after = _apply(entry, changes)
        self.note(verb, conflict=entry.pk, reason=reason, before=before, after=after)

    def leave(self) -> UUID:
        """Write the events; returns the gesture's id."""
        Event.objects.bulk_create(self.events)
        self.events = []
        return self.gesture


def _apply(row: Model, changes: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    before = {name: _plain(getattr(row, name)) for name in changes}
    type(row)._default_manager.filter(pk=row.pk).update(**changes)
    for name, value in changes.items():
        setattr(row, name, value)
    return before, {name: _plain(value) for name, value in changes.items()}
