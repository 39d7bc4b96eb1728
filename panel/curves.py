"""The geometry of the forgetting curve: from a memory's numbers to points, marks and crossings.

Every y comes from memory.domain.decay; nothing here knows the formula. Coordinates are those of a
viewBox of 640 by 240.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from memory.domain import decay
from memory.domain.policy import Policy
from memory.domain.values import Anchor, Status, Tier

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 36, 628, 12, 212
# No line has more points, and no drawing more marks.
MOST_POINTS = 64
MOST_MARKS = 20
_MOST_STEPS = 28
_FUTURE_POINTS = 32
_DAY = timedelta(days=1)
_LEAST_AHEAD = 7 * _DAY
_MOST_AHEAD = 1830 * _DAY

# What moved the anchor; "rose" moved it not, but the tier.
Kind = Literal["served", "said", "confirmed", "back", "rose"]
Scale = Literal["linear", "log"]


class Step(NamedTuple):
    """A reinforcement, or a rise. `tier` is the memory's from then on."""

    at: datetime
    kind: Kind
    tier: Tier


class Point(NamedTuple):
    x: float
    y: float


class Sample(NamedTuple):
    at: datetime
    left: float


class Line(NamedTuple):
    """A level across the drawing: its name, its height, and when the curve crosses it."""

    name: Literal["stale", "archive", "purge"]
    level: float
    crossed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One side of an open contradiction: what its weight is made of.

    `recent_evidence`: it was said again; what was said long ago is recent no more.
    """

    said_at: datetime
    recent_evidence: bool
    recurrences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A memory's numbers. `steps` in order of time; `earlier`: how many more there were before.

    `first_tier`: the one it had before the first step. `confirmed_tier` and `confirmed_protected`:
    what confirming it would make of it.
    """

    created_at: datetime
    tier: Tier
    steps: Sequence[Step]
    times_served: int
    anchor: datetime
    now: datetime
    policy: Policy
    protected: bool = False
    earlier: int = 0
    waiting: Waiting | None = None
    first_tier: Tier | None = None
    confirmed_tier: Tier | None = None
    confirmed_protected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of time without reinforcement: from when, and what R is made of there."""

    since: datetime
    anchor: datetime
    tier: Tier
    times_served: int

    def left_at(self, at: datetime, policy: Policy) -> float:
        return decay.retention(
            self.anchor, tier=self.tier, times_served=self.times_served, now=at, policy=policy
        )

    def crossing(self, line: float, policy: Policy) -> datetime | None:
        hours = decay.hours_until(
            line, tier=self.tier, times_served=self.times_served, policy=policy
        )
        try:
            return self.anchor + timedelta(hours=hours)
        except OverflowError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What a template needs. Raw samples stand beside points, for the table and for tests."""

    life: Life
    start: datetime
    end: datetime
    scale: Scale
    past: Sequence[Sample]
    future: Sequence[Sample]
    confirmed: Sequence[Sample]
    raw: Sequence[Sample]
    weight: Sequence[Sample]
    lines: Sequence[Line]
    marks: Sequence[Step]
    earlier: int
    now_left: float
    # The moment it falls below the archive line, past or to come; None: never.
    forgotten_at: datetime | None

    def place(self, at: datetime, left: float) -> Point:
        whole = max((self.end - self.start).total_seconds(), 1.0)
        spent = min(max((at - self.start).total_seconds(), 0.0), whole)
        if self.scale == "log":
            # In hours, so that the first day gets as much room as the months after it.
            share = math.log1p(spent / 3600) / math.log1p(whole / 3600)
        else:
            share = spent / whole
        return Point(LEFT + share * (RIGHT - LEFT), height(left))


def height(left: float) -> float:
    """Where a share from 0 to 1 lies."""
    return TOP + (1 - min(1.0, max(0.0, left))) * (BOTTOM - TOP)


def draw(life: Life, *, scale: Scale = "linear") -> Drawing:
    """Lay a memory's life out, from its first drawn reinforcement to past its next crossing."""
    policy, now = life.policy, life.now
    past_steps = [step for step in life.steps if step.at <= now]
    marks = [step for step in past_steps if step.kind != "rose"][-MOST_MARKS:]
    left_out = life.earlier + sum(step.kind != "rose" for step in past_steps) - len(marks)
    kept = past_steps
    if left_out and marks:
        kept = past_steps[past_steps.index(marks[0]) :]
    cut = left_out > 0 or len(kept) > _MOST_STEPS
    segments = _segments(life, kept[-_MOST_STEPS:], cut=cut)
    current = segments[-1]
    start = min(segments[0].since, now)
    forgotten_at = None if life.protected else current.crossing(policy.archive_line, policy)
    end = _end(start, now, forgotten_at)
    floor = decay.protected_floor(policy)

    def shown(samples: Sequence[Sample], *, held: bool = life.protected) -> list[Sample]:
        if not held:
            return list(samples)
        return [Sample(at, max(left, floor)) for at, left in samples]

    past = _sample_past(segments, now, policy, MOST_POINTS)
    future = _sample(current, now, end, policy, _FUTURE_POINTS)
    fresh = Segment(
        since=now,
        anchor=_confirmed_anchor(life),
        tier=life.confirmed_tier or life.tier,
        times_served=life.times_served,
    )
    confirmed = _sample(fresh, now, end, policy, _FUTURE_POINTS)
    raw_now = current.left_at(now, policy)
    dips = min(left for _at, left in (*past, *future)) < floor
    return Drawing(
        life=life,
        start=start,
        end=end,
        scale=scale,
        past=shown(past),
        future=shown(future),
        confirmed=shown(confirmed, held=life.protected or life.confirmed_protected),
        # Below the floor alone is the formula's own curve worth a line.
        raw=_sample_raw(segments, now, end, policy) if life.protected and dips else [],
        weight=_weigh(life, start, end),
        lines=_lines(life, current),
        marks=marks,
        earlier=left_out,
        now_left=decay.effective_retention(raw_now, protected=life.protected, policy=policy),
        forgotten_at=forgotten_at,
    )


def _segments(life: Life, steps: Sequence[Step], *, cut: bool) -> list[Segment]:
    """The stretches between reinforcements. The last one is what the store says now."""
    by_creation = life.policy.anchor is Anchor.CREATED
    served = max(0, life.times_served - sum(step.kind == "served" for step in steps))
    created = min(life.created_at, life.now)
    found = []
    if not cut:
        first_tier = life.first_tier or (steps[0].tier if steps else life.tier)
        found.append(
            Segment(since=created, anchor=life.created_at, tier=first_tier, times_served=served)
        )
    for step in steps:
        served += step.kind == "served"
        anchor = step.at
        if step.kind == "rose":
            anchor = found[-1].anchor if found else life.anchor
        found.append(
            Segment(
                since=max(step.at, created),
                anchor=life.created_at if by_creation else anchor,
                tier=step.tier,
                times_served=served,
            )
        )
    last = found[-1] if found else None
    found[-1:] = [
        Segment(
            since=last.since if last else created,
            anchor=life.created_at if by_creation else life.anchor,
            tier=life.tier,
            times_served=life.times_served,
        )
    ]
    return found


def _confirmed_anchor(life: Life) -> datetime:
    return life.created_at if life.policy.anchor is Anchor.CREATED else life.now


def _end(start: datetime, now: datetime, forgotten_at: datetime | None) -> datetime:
    """Past the next crossing with a little room, never less than a week nor a quarter ahead."""
    ahead = max(_LEAST_AHEAD, (now - start) / 4)
    if forgotten_at is not None and forgotten_at > now:
        ahead = max(ahead, (forgotten_at - now) * 1.15)
    return now + min(ahead, _MOST_AHEAD)


def _sample_past(
    segments: Sequence[Segment], now: datetime, policy: Policy, most: int
) -> list[Sample]:
    """Both ends of every stretch and as many points between as fit."""
    each = max(2, most // len(segments))
    found: list[Sample] = []
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        until = min(following.since, now) if following else now
        found += _sample(segment, segment.since, max(until, segment.since), policy, each)
    return found[-MOST_POINTS:]


def _sample_raw(
    segments: Sequence[Segment], now: datetime, end: datetime, policy: Policy
) -> list[Sample]:
    """What the formula alone would leave, past and future in one line."""
    past = _sample_past(segments, now, policy, MOST_POINTS - _FUTURE_POINTS)
    points = max(2, MOST_POINTS - len(past))
    return [*past, *_sample(segments[-1], now, end, policy, points)]


def _sample(
    segment: Segment, since: datetime, until: datetime, policy: Policy, points: int
) -> list[Sample]:
    """Closer together at the beginning, where the curve bends most."""
    if until <= since:
        return [Sample(since, segment.left_at(since, policy))]
    shares = [(n / (points - 1)) ** 1.5 for n in range(points)]
    moments = [since + (until - since) * share for share in shares]
    return [Sample(at, segment.left_at(at, policy)) for at in moments]


def _lines(life: Life, current: Segment) -> list[Line]:
    policy = life.policy
    levels: list[tuple[Literal["stale", "archive", "purge"], float]] = [
        ("stale", policy.stale_line),
        ("archive", policy.archive_line),
    ]
    if policy.purge_enabled and life.tier is Tier.WORKING:
        levels.append(("purge", policy.purge_line))
    return [
        Line(name, level, None if life.protected else current.crossing(level, policy))
        for name, level in levels
    ]


def _weigh(life: Life, start: datetime, end: datetime) -> list[Sample]:
    """The weight of a side that waits, over the same time."""
    if life.waiting is None:
        return []
    waiting = life.waiting
    since = max(start, min(waiting.said_at, life.now))
    found = []
    for n in range(_FUTURE_POINTS):
        at = since + (end - since) * (n / (_FUTURE_POINTS - 1))
        age = max(0.0, (at - waiting.said_at) / _DAY)
        weight = decay.status_weight(
            Status.CONFLICT,
            age_days=age,
            recent_evidence=waiting.recent_evidence and age <= life.policy.conflict_evidence_days,
            recurrences=waiting.recurrences,
            policy=life.policy,
        )
        found.append(Sample(at, min(1.0, weight)))
    return found


def draw_tiers(policy: Policy, *, days: int = 120) -> dict[Tier, list[tuple[float, float]]]:
    """The three tiers side by side from day 0, never served: (day, how much is left)."""
    found = {}
    for tier in Tier:
        strength = decay.strength(tier, 0, policy)
        shares = [(n / (MOST_POINTS - 1)) ** 2 for n in range(MOST_POINTS)]
        found[tier] = [(days * s, math.exp(-days * s / strength)) for s in shares]
    return found
