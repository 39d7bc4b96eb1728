"""How a store is doing: what lies dead in it, what recall drops for having faded, what went wrong.

Reading changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from accounts.models import User
from memory.border import operations, owner_scope
from memory.domain.decay import require_aware
from memory.domain.health import is_sudden_rise
from memory.domain.policy import Policy as Rules
from memory.models import Memory, Recall
from memory.services.lock import read_rules

DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """`dead_share`: 0 to 100, of the rows of everyday recall those that recall drops as faded.

    `dropped`: how many rows each day's recalls dropped for that, the last day possibly not over.
    `wrongly_forgotten`: protected rows that a machine made stale or archived; it should be 0.
    """

    rows: int
    dead: int
    dead_share: float
    archived: int
    wrongly_forgotten: int
    dropped: Mapping[date, int] = field(default_factory=dict)
    alert: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What other numbers would make of an owner's memories as they are now."""

    rows: int
    forgotten: int
    forgotten_important: int


def read_health(owner: UUID, *, now: datetime, days: int = DAYS) -> Health:
    """One owner's store, by the owner's own calendar."""
    now = require_aware(now, name="now").astimezone(UTC)
    zone = ZoneInfo(User.objects.values_list("zone", flat=True).get(pk=owner))
    with owner_scope(owner):
        rules, _ = read_rules(owner)
        kept = Memory.objects.of(owner).in_force()
        everyday = kept.filter(archived_at__isnull=True)
        rows = everyday.count()
        dead = everyday.dead(now, rules).count()
        found = Recall.objects.of(owner).dropped_by_day(now - timedelta(days=days), zone.key)
        dropped = _every_day(found, now.astimezone(zone).date(), days)
        return Health(
            rows=rows,
            dead=dead,
            dead_share=round(100 * dead / rows, 1) if rows else 0.0,
            archived=kept.filter(archived_at__isnull=False).count(),
            wrongly_forgotten=kept.wrongly_forgotten(rules).count(),
            dropped=dropped,
            alert=_alerts(dropped),
        )


def read_site_health(*, now: datetime, days: int = DAYS, by: UUID | None = None) -> Health:
    """All owners' stores together, in UTC and by the site's numbers, for those who run it.

    Counts alone: no owner, no word of anybody's.
    """
    now = require_aware(now, name="now").astimezone(UTC)
    with operations("store_health", by=by):
        rules = Rules()
        kept = Memory.objects.in_force()
        everyday = kept.filter(archived_at__isnull=True)
        rows, dead = everyday.count(), everyday.dead(now, rules).count()
        found = Recall.objects.dropped_by_day(now - timedelta(days=days), "UTC")
        dropped = _every_day(found, now.date(), days)
        return Health(
            rows=rows,
            dead=dead,
            dead_share=round(100 * dead / rows, 1) if rows else 0.0,
            archived=kept.filter(archived_at__isnull=False).count(),
            wrongly_forgotten=kept.wrongly_forgotten(rules).count(),
            dropped=dropped,
            alert=_alerts(dropped),
        )


def _every_day(found: Mapping[date, int], today: date, days: int) -> dict[date, int]:
    """Every day its number, from the first day somebody asked; the quiet ones 0."""
    since = max(min(found, default=today), today - timedelta(days=days))
    return {
        day: found.get(day, 0)
        for day in (since + timedelta(days=n) for n in range((today - since).days + 1))
    }


def _alerts(dropped: Mapping[date, int]) -> bool:
    *before, today = dropped.values()
    return is_sudden_rise(today, before)


def preview_policy(owner: UUID, rules: Rules, *, now: datetime) -> Preview:
    """How many of the owner's memories would lie below the archive line by these numbers.

    "14 would be forgotten, 3 of them important": what the Settings page says while somebody
    chooses. Two counts in SQL, whatever the size.
    """
    with owner_scope(owner):
        kept = Memory.objects.of(owner).in_force()
        below = kept.below_the_line(now, rules)
        return Preview(
            rows=kept.count(),
            forgotten=below.count(),
            forgotten_important=below.filter(importance__gte=rules.long_term_threshold).count(),
        )
