"""What waits for the owner, as one list: the queue of Review, and every number that counts it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, CharField, Exists, OuterRef, Q, Value
from django.db.models.functions import Cast

from memory.domain.policy import Policy as Rules
from memory.models import Conflict, Memory, SpotCheck
from memory.querysets.checks import SpotCheckQuerySet
from memory.querysets.conflicts import ConflictQuerySet

# More than these nobody works through at one sitting; the count is exact all the same.
MOST_CARDS = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """A card's place in the queue: what it is, and why it stands where it does."""

    id: UUID
    kind: str
    sensitive: bool
    at: datetime

    @property
    def is_check(self) -> bool:
        return self.kind == "check"


def waiting_cards(owner: UUID, rules: Rules, now: datetime) -> Any:
    """The cards as a queryset of (id, kind, sensitive, at): counted or listed, one statement.

    Inside owner_scope. Sensitive ones first, then what has waited longest.
    """
    return _as_cards(
        Conflict.objects.of(owner).asked(now), SpotCheck.objects.of(owner).asked(now), rules
    )


def _as_cards(entries: ConflictQuerySet, checks: SpotCheckQuerySet, rules: Rules) -> Any:
    touchy = Memory.objects.filter(
        Q(sensitivity__len__gt=0) | Q(safety__gte=rules.safety_line), pk=OuterRef("memory")
    )
    conflicts = entries.order_by().annotate(
        card=Cast("reason", CharField()), sensitive=entries.sensitive(rules.safety_line)
    )
    drawn = checks.order_by().annotate(
        card=Value("check", output_field=CharField()),
        sensitive=Exists(touchy, output_field=BooleanField()),
    )
    return (
        conflicts.values_list("pk", "card", "sensitive", "opened_at")
        .union(drawn.values_list("pk", "card", "sensitive", "drawn_at"), all=True)
        .order_by("-sensitive", "opened_at", "id")
    )


def count_cards(owner: UUID, rules: Rules, now: datetime) -> int:
    """How many cards Review has: the badge, and "6 need you". Inside owner_scope."""
    return int(waiting_cards(owner, rules, now).count())


def read_places(owner: UUID, rules: Rules, now: datetime, *, postponed: bool) -> list[Place]:
    """The queue in order, or what was put off. Inside owner_scope, one statement."""
    rows = waiting_cards(owner, rules, now)
    if postponed:
        rows = _as_cards(
            Conflict.objects.of(owner).postponed(now),
            SpotCheck.objects.of(owner).postponed(now),
            rules,
        )
    return [Place(*row) for row in rows[:MOST_CARDS]]


def count_postponed(owner: UUID, now: datetime) -> int:
    """How many cards were put off. Inside owner_scope, two statements."""
    put_off = (
        Conflict.objects.of(owner).postponed(now),
        SpotCheck.objects.of(owner).postponed(now),
    )
    return sum(cards.count() for cards in put_off)
