"""Rows as they would stand after a life of some days, without going through the write path."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from accounts.ids import uuid7
from accounts.models import User
from memory.border import owner_scope
from memory.domain import text
from memory.models import Event, Memory, MemoryUse, Recall, RecallItem
from memory.models.recalls import Place
from tests.conftest import NOW

Put = Callable[..., Memory]


@pytest.fixture
def put() -> Put:
    """A row as it stands: `put(alice, "tea", tier="working", days=40)` was last touched then."""

    def make(owner: User, content: str, *, days: float = 0, **fields: Any) -> Memory:
        touched = NOW - timedelta(days=days)
        use = {
            name: fields.pop(name)
            for name in ("anchor", "times_served", "last_served_at", "missed_chances")
            if name in fields
        }
        fields = {
            "importance": 0.5, "tier": "working", "created_at": touched, "updated_at": touched,
            "said_at": touched, "visibility": "user", **fields,
        }  # fmt: skip
        with owner_scope(owner.pk):
            memory = Memory.objects.create(
                id=uuid7(), owner_id=owner.pk, content=content, search_text=content,
                fingerprint=text.fingerprint(content), **fields,
            )  # fmt: skip
            memory.use = MemoryUse.objects.create(
                memory=memory, owner_id=owner.pk, **{"anchor": touched, **use}
            )
        return memory

    return make


def serve(memory: Memory, at: datetime, *, reinforced: bool = True) -> None:
    """One recall that returned this row."""
    with owner_scope(memory.owner_id):
        recall = Recall.objects.create(
            owner_id=memory.owner_id, query="?", strategy="tempered", asked_at=at, as_of=at,
            reinforced=reinforced, top_k=8,
        )  # fmt: skip
        RecallItem.objects.create(
            owner_id=memory.owner_id, recall=recall, memory=memory, place=Place.MEMORY, rank=1
        )
        use = MemoryUse.objects.get(memory=memory)
        if reinforced:
            MemoryUse.objects.filter(memory=memory).update(
                times_served=use.times_served + 1, last_served_at=at, anchor=max(use.anchor, at)
            )


def reread(memory: Memory) -> Memory:
    with owner_scope(memory.owner_id):
        return Memory.objects.select_related("use").get(pk=memory.pk)


def events_of(memory: Memory, *verbs: str) -> list[Event]:
    with owner_scope(memory.owner_id):
        found = Event.objects.of(memory.owner_id).about(memory.pk)
        return list(found.filter(verb__in=verbs) if verbs else found)


def gesture_of(memory: Memory, verb: str) -> UUID:
    [*_, event] = events_of(memory, verb)
    return event.gesture
