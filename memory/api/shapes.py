"""How a memory is shown to programs (API.md, "A memory")."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memory.domain.policy import Policy
from memory.models import Memory


def show_memory(memory: Memory, *, policy: Policy, now: datetime) -> dict[str, Any]:
    """A row selected with `for_showing()`, as JSON: retention as of `now`, times in UTC."""
    quote = memory.quote or None
    return {
        "id": memory.pk,
        "content": memory.content,
        "kind": memory.kind,
        "key": memory.key or None,
        "value": memory.value or None,
        "topic": memory.topic or None,
        "status": memory.status,
        "status_reason": memory.status_reason or None,
        "is_active": memory.is_active,
        "source": memory.source,
        "tier": memory.tier,
        "importance": memory.importance,
        "protected": memory.is_protected(policy),
        "pinned": memory.pinned,
        "contested": memory.contested,
        "retention": memory.retention(policy, now),
        "access_count": memory.use.times_served,
        "visibility": memory.visibility,
        "agent": memory.agent.name if memory.agent else None,
        "project": memory.project.slug if memory.project else None,
        "sensitivity": memory.sensitivity,
        "confidence": memory.confidence,
        "occurred_at": memory.occurred_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "confirmed_at": memory.confirmed_at,
        "last_served_at": memory.use.last_served_at,
        "archived_at": memory.archived_at,
        "replaces": memory.replaces_id,
        "superseded_by": memory.superseded_by_id,
        "invalidated_at": memory.invalidated_at,
        "provenance": {
            "conversation": None,
            "message": None,
            "quote": quote,
            "at": memory.occurred_at or memory.said_at,
        },
        "metadata": memory.metadata,
        "version": memory.version,
    }
