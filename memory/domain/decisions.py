"""Which decision is right for which question, where many are answered alike."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.domain.values import Reason

# Two or more things that do not go together; all else asks of one thing whether it is so.
_PAIRS = (Reason.CONTRADICTION, Reason.ELSEWHERE)


class Decision(StrEnum):
    """What can be said of many questions at once, without naming a memory of each."""

    NEWER = "newer"
    OLDER = "older"
    BOTH = "both"
    TRUE = "true"
    NEITHER = "neither"
    ESCALATE = "escalate"


@dataclass(frozen=True, slots=True)
class Side:
    """One memory of a question. The one that is asked about comes first."""

    memory: UUID
    version: int
    said_at: datetime


def is_pair(reason: str, sides: Sequence[Side]) -> bool:
    return reason in _PAIRS and len(sides) > 1


def fits(decision: Decision, reason: str, sides: Sequence[Side]) -> bool:
    """Whether the decision answers such a question."""
    if not sides:
        return False
    if decision in (Decision.NEWER, Decision.OLDER, Decision.BOTH):
        return is_pair(reason, sides)
    return decision is not Decision.TRUE or not is_pair(reason, sides)


def kept_by(decision: Decision, sides: Sequence[Side]) -> UUID | None:
    """The one memory the decision says is true, if it says that of one.

    The newer is the one that was said last, which need not be the one that was written last.
    """
    if decision is Decision.TRUE:
        return sides[0].memory
    if decision is Decision.NEWER:
        return max(sides, key=lambda side: (side.said_at, side.memory)).memory
    if decision is Decision.OLDER:
        return min(sides, key=lambda side: (side.said_at, side.memory)).memory
    return None


def stamp_of(sides: Sequence[Side]) -> str:
    """What was seen, in short: another memory, other words or another order give another stamp."""
    seen = ";".join(
        f"{side.memory}/{side.version}/{side.said_at.timestamp()}"
        for side in sorted(sides, key=lambda side: side.memory)
    )
    return hashlib.sha256(seen.encode()).hexdigest()[:16]
