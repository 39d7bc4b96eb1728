"""When the owner was last here: what "new since your last visit" is counted from."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from memory.models import Policy

# A visit ends after this much silence.
PAUSE = timedelta(hours=1)
# Not every page of one visit needs writing down.
_GRAIN = timedelta(minutes=1)


def read_policy(owner: UUID) -> Policy:
    """The owner's row of numbers, or an unsaved one with Memoir's. Inside owner_scope."""
    found: Policy | None = Policy.objects.of(owner).first()
    return found or Policy(owner_id=owner)


def note_visit(policy: Policy, now: datetime) -> None:
    """Move the visit on; a new one begins after the pause. Inside owner_scope."""
    last = policy.visited_at
    if last is not None and now - last < _GRAIN:
        return
    if last is not None and now - last >= PAUSE:
        policy.visit_before = last
    policy.visited_at = now
    if policy._state.adding:
        Policy.objects.bulk_create([policy], ignore_conflicts=True)
        return
    Policy.objects.of(policy.owner_id).update(
        visited_at=policy.visited_at, visit_before=policy.visit_before
    )
