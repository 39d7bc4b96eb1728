"""An admin decides many entries alike. Each is a gesture of its own in its owner's Activity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.border import operations
from memory.domain.decisions import Decision, Side, fits, kept_by, stamp_of
from memory.domain.values import Ruling, Status
from memory.models import Conflict, ConflictMember
from memory.services.assist import claim_entry, hand_back, settle_for_owner
from memory.services.errors import (
    AlreadySettled,
    Claimed,
    InvalidInput,
    NotFound,
    VersionConflict,
)
from memory.services.pass_on import pass_entry_on

# A page of the queue.
MOST_AT_ONCE = 50
_RULINGS = {Decision.BOTH: Ruling.BOTH, Decision.NEITHER: Ruling.NEITHER}


class Left(StrEnum):
    """Why an entry was left as it is."""

    CLAIMED = "claimed"
    SETTLED = "settled"
    CHANGED = "changed"
    UNFIT = "unfit"


@dataclass(slots=True)
class Decided:
    """What was done, and what was left alone, with why."""

    done: list[UUID] = field(default_factory=list)
    left: dict[UUID, Left] = field(default_factory=dict)


def decide_many(
    *, seen: Mapping[UUID, str], decision: Decision, by: UUID, note: str, now: datetime
) -> Decided:
    """Take each entry up and decide it, with the same note to each owner.

    `seen`: the entries, each with the stamp of what was on screen. One that somebody else is at,
    that was settled or changed meanwhile, or that the decision does not fit is left as it is; the
    others are decided all the same. Raises InvalidInput for more than MOST_AT_ONCE.
    """
    if len(seen) > MOST_AT_ONCE:
        raise InvalidInput(entry=f"at most {MOST_AT_ONCE} at once")
    found = _read_sides(seen, by)
    decided = Decided()
    for conflict, stamp in seen.items():
        reason, sides = found.get(conflict, ("", []))
        if conflict not in found:
            decided.left[conflict] = Left.SETTLED
        elif stamp_of(sides) != stamp:
            decided.left[conflict] = Left.CHANGED
        elif not fits(decision, reason, sides):
            decided.left[conflict] = Left.UNFIT
        elif why := _decide(conflict, sides, decision, by=by, note=note, now=now):
            decided.left[conflict] = why
        else:
            decided.done.append(conflict)
    return decided


def _decide(
    conflict: UUID,
    sides: Sequence[Side],
    decision: Decision,
    *,
    by: UUID,
    note: str,
    now: datetime,
) -> Left | None:
    """Decide one, in transactions of its own; returns why it was left, if it was."""
    try:
        claim_entry(conflict=conflict, by=by, now=now)
    except Claimed:
        return Left.CLAIMED
    except (AlreadySettled, NotFound):
        return Left.SETTLED
    try:
        if decision is Decision.ESCALATE:
            pass_entry_on(conflict=conflict, by=by, note=note, now=now)
            return None
        settle_for_owner(
            conflict=conflict,
            by=by,
            ruling=_RULINGS.get(decision, Ruling.KEPT),
            keep=kept_by(decision, sides),
            versions={side.memory: side.version for side in sides},
            note=note,
            now=now,
        )
    except (AlreadySettled, NotFound):
        return Left.SETTLED
    except (VersionConflict, InvalidInput):
        # Changed between the reading and the lock: nobody is to wait for the claim to run out.
        hand_back(conflict=conflict, by=by, now=now)
        return Left.CHANGED
    return None


def _read_sides(conflicts: Collection[UUID], by: UUID) -> dict[UUID, tuple[str, list[Side]]]:
    """Of those that may be decided, the reason and the sides: two statements for all."""
    with operations("review_queue", by=by):
        reasons = dict(
            Conflict.objects.helpable().filter(pk__in=conflicts).values_list("pk", "reason")
        )
        sides: defaultdict[UUID, list[Side]] = defaultdict(list)
        for conflict, memory, version, said_at in (
            ConflictMember.objects.filter(conflict__in=reasons, memory__deleted_at__isnull=True)
            .exclude(memory__status=Status.SUPERSEDED)
            .order_by("bystander", "id")
            .values_list("conflict", "memory", "memory__version", "memory__said_at")
        ):
            sides[conflict].append(Side(memory, version, said_at))
        return {conflict: (reason, sides[conflict]) for conflict, reason in reasons.items()}
