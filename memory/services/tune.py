"""Change the numbers an owner's memories live by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain.errors import UnsafePolicy
from memory.domain.policy import SCENARIO_NUMBERS
from memory.domain.policy import Policy as Rules
from memory.domain.values import AdminsSee
from memory.models import Policy
from memory.models.events import Actor, Verb
from memory.models.policies import rules_of
from memory.services.errors import InvalidInput
from memory.services.lock import lock_writes
from memory.services.record import Trail


def try_policy(
    numbers: Mapping[str, Any], changes: Mapping[str, Any]
) -> tuple[dict[str, Any], Rules]:
    """The numbers after these changes, and the policy they make; stores nothing.

    Only what differs from the scenario's own is kept. Raises InvalidInput, with the field and its
    range, for what is not safe.
    """
    merged = dict(numbers)
    if "scenario" in changes and changes["scenario"] != merged.get("scenario"):
        for name in SCENARIO_NUMBERS:
            merged.pop(name, None)
    merged |= changes
    try:
        rules = rules_of(merged)
    except UnsafePolicy as error:
        raise InvalidInput(**{error.field: str(error)}) from error
    chosen = {"scenario": rules.scenario.value} if "scenario" in merged else {}
    plain = rules_of(chosen)
    kept = {
        name: getattr(rules, name)
        for name in merged
        if name not in chosen and getattr(rules, name) != getattr(plain, name)
    }
    # The site's own scenario without changes is no choice of the owner's.
    return kept | (chosen if plain != rules_of({}) else {}), rules


def set_policy(
    owner: UUID,
    changes: Mapping[str, Any],
    now: datetime,
    *,
    admins_see: AdminsSee | None = None,
) -> UUID | None:
    """Apply an owner's changes, within the safe ranges.

    Returns the gesture, None where nothing changes.

    A change of the scenario brings its rate and archive line along, unless they are named too.
    Memories keep what happened to them so far; the next sweep goes by the new numbers.
    `admins_see`: how much of what waits the admins' queue shows. Raises InvalidInput with the
    field and its range; then nothing is changed.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        policy, _ = Policy.objects.get_or_create(owner_id=owner)
        numbers, _rules = try_policy(policy.numbers, changes)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.tune(policy, numbers)
        if admins_see is not None and admins_see != policy.admins_see:
            trail.agree(policy, Verb.TUNED, admins_see=admins_see.value)
        return trail.leave_if_changed()
