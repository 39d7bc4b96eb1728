"""What the tests of acts look at: rows, words, and everything an undo must restore."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Memory, Posting

COMPARED = (
    "content", "key", "value", "status", "status_reason", "source", "tier", "importance",
    "visibility", "confirmed_at", "archived_at", "deleted_at", "invalidated_at", "replaces_id",
    "superseded_by_id", "contested", "should_forget", "pinned", "valid_from", "valid_to",
    "fingerprint", "search_text", "embedder", "word_count",
)  # fmt: skip


def read(owner: User, memory: Memory | UUID) -> Memory:
    pk = memory if isinstance(memory, UUID) else memory.pk
    with owner_scope(owner.pk):
        return Memory.objects.select_related("use").get(pk=pk)


def snapshot(owner: User) -> dict[str, Any]:
    with owner_scope(owner.pk):
        return {
            str(row.pk): {name: getattr(row, name) for name in COMPARED}
            for row in Memory.objects.of(owner)
        } | {
            str(entry.pk): (entry.state, entry.ruling, entry.recurrences)
            for entry in Conflict.objects.of(owner)
        }


def words_of(owner: User, memory: Memory) -> set[str]:
    with owner_scope(owner.pk):
        return set(Posting.objects.filter(memory=memory).values_list("token", flat=True))
