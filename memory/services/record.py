"""Change rows and leave the trail, in one go: no status changes without its event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Expression, F, Model
from django.db.models.expressions import Combinable
from django.db.models.functions import JSONObject

from accounts.ids import uuid7
from memory.domain.values import Status
from memory.models import AdminNote, Conflict, Event, Memory, Policy
from memory.models.events import Actor, Verb
from memory.querysets.memories import MemoryQuerySet


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
        What belongs to the past is contested by nothing any more.
        """
        if changes.get("status") == Status.SUPERSEDED and memory.contested:
            changes["contested"] = False
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

    def tune(self, policy: Policy, numbers: Mapping[str, Any]) -> None:
        """Give the owner's policy these numbers, noting before and after, where they differ."""
        before, after = _apply(policy, {"numbers": dict(numbers)})
        if before != after:
            self.note(Verb.TUNED, before=before, after=after)

    def agree(self, row: Model, verb: Verb, **changes: Any) -> None:
        """Set these fields of an agent, a grant or the policy: what the owner settles with agents.

        `data` names the row, so that the gesture can be taken back (memory.services.undo). What was
        so already is not noted again: a second click, or another tab, is no second act.
        """
        before, after = _apply(row, changes)
        if before == after:
            return
        self.note(verb, row=str(row._meta.model_name), id=str(row.pk), before=before, after=after)

    def explain(self, conflict: UUID, text: str, *, by: UUID) -> None:
        """Keep what an admin says of this gesture; the owner reads it."""
        AdminNote.objects.create(
            owner_id=self.owner,
            conflict_id=conflict,
            gesture=self.gesture,
            by_id=by,
            text=text,
            at=self.at,
            epoch=self.epoch,
        )

    def leave(self) -> UUID:
        """Write the events; returns the gesture's id."""
        Event.objects.bulk_create(self.events)
        self.events = []
        return self.gesture

    def leave_if_changed(self) -> UUID | None:
        """As `leave`; None where nothing was noted, since there is nothing to take back."""
        return self.leave() if self.events else None


# The due rows are locked first, whoever else holds one keeps it (SKIP LOCKED), and what is due is
# decided on the row as it is then: an edit or a recall that came in between wins.
_CHANGE_MANY = """
WITH due AS MATERIALIZED (
    {rows} FOR NO KEY UPDATE OF memory_memory, memory_memoryuse SKIP LOCKED
), changed AS (
    UPDATE memory_memory m SET {sets} FROM due WHERE m.id = due.id
    RETURNING m.id, m.owner_id, m.epoch, due.why, due.was, due.numbers
)
INSERT INTO memory_event (owner_id, gesture, verb, reason, actor, memory_id, data, at, epoch)
SELECT owner_id, gen_random_uuid(), %s, why, %s, id,
       jsonb_build_object('before', was, 'after', %s::jsonb) || numbers, %s, epoch
FROM changed
"""


def change_many(
    rows: MemoryQuerySet,
    verb: Verb,
    *,
    actor: Actor,
    at: datetime,
    why: Expression,
    numbers: Mapping[str, Combinable],
    **changes: Any,
) -> int:
    """`Trail.change` for all rows a queryset finds, in one statement; returns how many.

    The queryset must join MemoryUse. Each row's event is a gesture of its own, so that each can be
    taken back by itself, and carries its own `numbers`. Rows held by anybody else are left out.
    """
    found = rows.order_by().values(
        "id",
        why=why,
        was=JSONObject(**{name: F(name) for name in changes}),
        numbers=JSONObject(**numbers),
    )
    sql, params = found.query.sql_with_params()
    names = {field.attname: field.column for field in Memory._meta.concrete_fields}
    after = json.dumps({name: _plain(value) for name, value in changes.items()})
    with connection.cursor() as cursor:
        cursor.execute(
            _CHANGE_MANY.format(rows=sql, sets=", ".join(f"{names[n]} = %s" for n in changes)),
            [*params, *changes.values(), verb, actor, after, at],
        )
        return int(cursor.rowcount)


def _apply(row: Model, changes: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    before = {name: _plain(getattr(row, name)) for name in changes}
    type(row)._default_manager.filter(pk=row.pk).update(**changes)
    for name, value in changes.items():
        setattr(row, name, value)
    return before, {name: _plain(value) for name, value in changes.items()}
