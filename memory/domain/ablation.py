"""What another strength rate would keep, forget and let through (requirements 24 and 28)."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from statistics import fmean
from typing import Any

from memory.domain.decay import effective_retention, retention
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.values import Tier

RATES = (0.5, 1.0, 1.5, 3.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A memory as the ablation sees it."""

    importance: float
    tier: Tier
    anchor: datetime
    times_served: int = 0
    protected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one rate makes of them. Shares are 0 to 100, retention 0 to 1.

    `forgotten_important`: importance from the long-term threshold, raw R below the archive line,
    protection ignored (requirement 5.6's column). `wrongly_forgotten`: protected, yet dropped or
    below the line as recall and sweeps see it; 0 or the floor does not hold. `noise`: chatter at
    or above the line.
    """

    rate: float
    mean_retention: float
    kept: int
    forgotten: int
    forgotten_important: int
    wrongly_forgotten: int
    noise: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def ablate(
    rows: Sequence[Held],
    *,
    now: datetime,
    rates: Iterable[float] = RATES,
    policy: Policy = DEFAULT_POLICY,
) -> list[Outcome]:
    """The table of requirement 24 over the same rows. Raises UnsafePolicy for an unsafe rate."""
    return [_weigh(rows, replace(policy, strength_rate=float(rate)), now=now) for rate in rates]


def _weigh(rows: Sequence[Held], policy: Policy, *, now: datetime) -> Outcome:
    line = policy.archive_line
    raw = [
        retention(row.anchor, tier=row.tier, times_served=row.times_served, now=now, policy=policy)
        for row in rows
    ]
    left = [
        effective_retention(r, protected=row.protected, policy=policy)
        for r, row in zip(raw, rows, strict=True)
    ]
    noise = sum(
        row.importance < policy.short_term_threshold and r >= line
        for r, row in zip(raw, rows, strict=True)
    )
    return Outcome(
        rate=policy.strength_rate,
        mean_retention=round(fmean(raw), 4) if raw else 0.0,
        kept=sum(r >= line for r in raw),
        forgotten=sum(r < line for r in raw),
        forgotten_important=sum(
            row.importance >= policy.long_term_threshold and r < line
            for r, row in zip(raw, rows, strict=True)
        ),
        wrongly_forgotten=sum(
            row.protected and (r < line or r < policy.decay_floor)
            for r, row in zip(left, rows, strict=True)
        ),
        noise=round(100 * noise / len(rows), 2) if rows else 0.0,
    )
