"""How a memory is shown to programs (API.md, "A memory")."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memory.domain.policy import Policy
from memory.models import Memory
from memory.querysets.callers import Caller
from memory.services.outcomes import Outcome


def show_memory(memory: Memory, *, policy: Policy, now: datetime) -> dict[str, Any]:
    """A row selected with `for_showing()`, as JSON: retention as of `now`, times in UTC."""
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
            "conversation": memory.conversation_id,
            "message": memory.message_id,
            "quote": memory.quote or None,
            "at": memory.message.at if memory.message else memory.occurred_at or memory.said_at,
        },
        "metadata": memory.metadata,
        "version": memory.version,
    }


def show_outcomes(
    outcomes: Sequence[Outcome], caller: Caller, *, now: datetime
) -> list[dict[str, Any]]:
    """What became of each fact (API.md, `POST /memories`). Inside owner_scope.

    Rows are read anew: a neighbour may have changed what was written. What the caller may not
    see, such as its own text in quarantine, is null.
    """
    written = [outcome.memory.pk for outcome in outcomes if outcome.memory is not None]
    seen = Memory.objects.visible_to(caller).filter(pk__in=written).for_showing()
    rows = {row.pk: row for row in seen}
    shown = []
    for outcome in outcomes:
        row = rows.get(outcome.memory.pk) if outcome.memory is not None else None
        target = outcome.target
        shown.append(
            {
                "decision": outcome.decision,
                "relation": outcome.relation,
                "reason": outcome.said,
                "decided_by": outcome.decided_by,
                "memory": show_memory(row, policy=caller.policy, now=now) if row else None,
                "target": {"id": target.pk, "status": target.status} if target else None,
                "conflict": outcome.conflict,
            }
        )
    return shown
