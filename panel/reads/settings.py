"""What the Settings page shows of the owner's memories: numbers, never words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from memory.border import owner_scope
from memory.domain.decay import classic_lambda, strength
from memory.domain.policy import Policy as Rules
from memory.domain.values import Tier
from memory.services.health import Health, Preview, preview_policy, read_health
from panel.visits import read_policy
from panel.words import TIER, Words

# The days the small chart has room for.
_DAYS_DRAWN = 14


@dataclass(frozen=True, slots=True)
class Rate:
    """How one tier fades: days of strength, and the classic rate beside it (requirement 25)."""

    words: object
    code: str
    days: str
    classic: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What numbers would do: to the curves, and to the memories that are there."""

    rules: Rules
    preview: Preview
    now: Preview
    rates: list[Rate]

    @property
    def differs(self) -> bool:
        return self.preview != self.now


@dataclass(frozen=True, slots=True)
class Condition:
    """How the store is doing, for the template."""

    health: Health
    days: list[tuple[date, int, int]]

    @property
    def most(self) -> int:
        return max((number for _, number, _ in self.days), default=0)

    @property
    def today(self) -> int:
        return self.days[-1][1] if self.days else 0


class InForce(NamedTuple):
    """What holds for an owner today."""

    rules: Rules
    # How much of what waits admins see.
    admins_see: str
    paused: bool


def read_rules(owner: UUID) -> InForce:
    """One statement."""
    with owner_scope(owner):
        policy = read_policy(owner)
        return InForce(policy.rules(), policy.admins_see, policy.paused)


def read_effect(owner: UUID, rules: Rules, current: Rules, *, now: datetime) -> Effect:
    """What these numbers would make of the owner's memories, beside what holds now."""
    held = preview_policy(owner, current, now=now)
    would = held if rules == current else preview_policy(owner, rules, now=now)
    return Effect(rules, would, held, rates_of(rules))


def rates_of(rules: Rules) -> list[Rate]:
    names: Words = TIER
    return [
        Rate(
            names[tier],
            tier.value,
            f"{strength(tier, 0, rules):.3g}",
            f"{classic_lambda(tier, 0, rules):.3g}",
        )
        for tier in (Tier.LONG_TERM, Tier.SHORT_TERM, Tier.WORKING)
    ]


def read_condition(owner: UUID, *, now: datetime) -> Condition:
    """The store's health; the last days' drops with their heights in percent."""
    health = read_health(owner, now=now)
    last = list(health.dropped.items())[-_DAYS_DRAWN:]
    most = max((number for _, number in last), default=0)
    return Condition(
        health, [(day, number, round(100 * number / most) if most else 0) for day, number in last]
    )
