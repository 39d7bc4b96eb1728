"""Fading: how much of a memory is left, and what its status and source let it weigh.

One family of functions serves recall, panel, sweeps, admin and plots. Larger `strength_rate` and
larger strength fade slower; the classic rate, where larger fades faster, is `classic_lambda`.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime

from memory.domain.errors import BadNumber, NaiveTime, UnknownStatus
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.values import Anchor, ArchiveSignal, Source, Status, Tier

# S0's own names (requirement 11).
DEFAULT_DECAY_RATE = 1.5
DEFAULT_DECAY_RATE_MULTIPLIERS: Mapping[str, float] = {
    "working": 1.0,
    "short_term": 7.0,
    "long_term": 60.0,
}
HOURS_PER_DAY = 24
SECONDS_PER_HOUR = 3600


def require_aware(moment: datetime, *, name: str) -> datetime:
    """The moment itself, or `NaiveTime` when it has no offset."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveTime(name)
    return moment


def hours_between(anchor: datetime, now: datetime) -> float:
    """Hours from anchor to now, 0 for a future anchor (clock skew must not make R exceed 1)."""
    require_aware(anchor, name="anchor")
    require_aware(now, name="now")
    # In UTC: two times of one zone would be subtracted by the clock on the wall.
    elapsed = now.astimezone(UTC) - anchor.astimezone(UTC)
    return max(0.0, elapsed.total_seconds() / SECONDS_PER_HOUR)


def strength(tier: Tier, times_served: int, policy: Policy = DEFAULT_POLICY) -> float:
    """S in days: rate * M * (1 + f * ln(1 + n)) (requirement 7). Larger fades slower."""
    served = max(0, times_served)
    reinforcement = 1 + policy.reinforcement_factor * math.log1p(served)
    return policy.strength_rate * policy.multiplier(tier) * reinforcement


def retention(
    anchor: datetime,
    *,
    tier: Tier,
    times_served: int,
    now: datetime,
    policy: Policy = DEFAULT_POLICY,
) -> float:
    """R = exp(-hours / (24 * S)), clamped to 0 to 1 (requirements 6 and 12).

    A future anchor gives exactly 1. Raises `NaiveTime`.
    """
    return retention_after(hours_between(anchor, now), strength(tier, times_served, policy))


def retention_after(hours: float, strength: float) -> float:
    """R after so many hours for a strength S in days: the formula of `retention` itself."""
    return max(0.0, min(1.0, math.exp(-hours / (HOURS_PER_DAY * strength))))


def anchor_of(
    created: datetime,
    *,
    last_served: datetime | None = None,
    last_said: datetime | None = None,
    confirmed: datetime | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> datetime:
    """The moment R is counted from: the latest reinforcement, or creation (requirement 5.5 c).

    Raises `NaiveTime`.
    """
    require_aware(created, name="created")
    moments = [created]
    for name, moment in (
        ("last_served", last_served),
        ("last_said", last_said),
        ("confirmed", confirmed),
    ):
        if moment is not None:
            moments.append(require_aware(moment, name=name))
    return created if policy.anchor is Anchor.CREATED else max(moments)


def is_protected(
    *,
    status: Status,
    safety: float | None,
    pinned: bool,
    confirmed: bool,
    tier: Tier,
    policy: Policy = DEFAULT_POLICY,
) -> bool:
    """Whether no machine may fade, archive, purge or rewrite the memory.

    Active or stale, and safety-critical, pinned, or confirmed by the owner into long_term.
    """
    if status not in (Status.ACTIVE, Status.STALE):
        return False
    if pinned or (safety is not None and safety >= policy.safety_line):
        return True
    return confirmed and tier is Tier.LONG_TERM


def protected_floor(policy: Policy = DEFAULT_POLICY) -> float:
    """The lowest effective retention of a protected memory: archive line + margin (5.5 l)."""
    return policy.archive_line + policy.protected_margin


def effective_retention(r: float, *, protected: bool, policy: Policy = DEFAULT_POLICY) -> float:
    """R as sweeps and ranking see it: never below the floor for a protected memory."""
    return max(r, protected_floor(policy)) if protected else r


def archive_value(r: float, *, importance: float, policy: Policy = DEFAULT_POLICY) -> float:
    """What is held against the archive line: R, or importance * R (requirement 5.5 l).

    Unprotected memories only: the protected stand at their floor (`effective_retention`).
    """
    return r if policy.archive_signal is ArchiveSignal.RETENTION else importance * r


def hours_until(
    line: float, *, tier: Tier, times_served: int = 0, policy: Policy = DEFAULT_POLICY
) -> float:
    """Hours from the anchor until R falls to `line`; 0 for a line of 1, infinite for 0."""
    if math.isnan(line):
        raise BadNumber("line", line, low=0, high=1)
    if line <= 0:
        return math.inf
    if line >= 1:
        return 0.0
    return -math.log(line) * HOURS_PER_DAY * strength(tier, times_served, policy)


def classic_lambda(tier: Tier, times_served: int = 0, policy: Policy = DEFAULT_POLICY) -> float:
    """The classic rate per hour, where larger fades faster: 1 / (24 * S) (5.5 b)."""
    return 1 / (HOURS_PER_DAY * strength(tier, times_served, policy))


def conflict_weight(
    age_days: float, has_recent_evidence: bool, policy: Policy = DEFAULT_POLICY
) -> float:
    """S1's weight of one side of a contradiction, uncapped: 0 to 2 (requirement 82)."""
    halvings = max(0.0, age_days) / policy.conflict_half_life_days
    evidence = (
        policy.conflict_with_evidence if has_recent_evidence else policy.conflict_without_evidence
    )
    return float(0.5**halvings) * evidence


def status_weight(
    status: Status,
    *,
    age_days: float = 0.0,
    recent_evidence: bool = False,
    recurrences: int = 1,
    policy: Policy = DEFAULT_POLICY,
) -> float:
    """How much a status lets a memory count, 0 to 1 (requirements 61, 82, 85; 5.5 k2, k3).

    `age_days`, `recent_evidence` and `recurrences` (detections, from 1) matter only to conflict:
    days since that side was last said, and whether it was said elsewhere lately.
    """
    if status is not Status.CONFLICT:
        weight = policy.settled_weight(status)
        if weight is None:
            raise UnknownStatus(status)
        return weight
    weight = conflict_weight(age_days, recent_evidence, policy)
    if policy.conflict_weight_cap is not None:
        weight = min(policy.conflict_weight_cap, weight)
    return weight * float(policy.conflict_recurrence ** (max(1, recurrences) - 1))


def source_weight(
    source: Source, *, confirmed: bool = False, policy: Policy = DEFAULT_POLICY
) -> float:
    """How much a source lets a memory count; the owner's confirmation counts as their word."""
    return policy.source_weight(Source.USER_STATED if confirmed else source)


def freshness(*, age_days: float, policy: Policy = DEFAULT_POLICY) -> float:
    """.5^(days/30), S1's recency (requirement 72). Days since the anchor."""
    return float(0.5 ** (max(0.0, age_days) / policy.freshness_half_life_days))


def calculate_strength(
    memory_type: str, access_count: int, decay_rate: float = DEFAULT_DECAY_RATE
) -> float:
    """S0's own name for `strength`, with S0's parameters (requirements 7 and 11). Days."""
    multiplier = DEFAULT_DECAY_RATE_MULTIPLIERS[memory_type]
    return decay_rate * multiplier * (1 + math.log1p(max(0, access_count)))


def calculate_retention(
    created_at: datetime,
    memory_type: str,
    access_count: int,
    current_time: datetime,
    decay_rate: float = DEFAULT_DECAY_RATE,
) -> float:
    """S0's own name for `retention`, counted from creation (requirements 6 and 11)."""
    hours = hours_between(created_at, current_time)
    r = math.exp(
        -hours / (HOURS_PER_DAY * calculate_strength(memory_type, access_count, decay_rate))
    )
    return max(0.0, min(1.0, r))
