"""The forgetting curve as SQL: the same formula as memory.domain.decay, held equal by a test."""

from __future__ import annotations

from datetime import datetime

from django.db.models import (
    Case,
    DurationField,
    Expression,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    Q,
    Value,
    When,
)
from django.db.models.functions import Cast, Exp, Greatest, Least, Ln

from memory.domain.policy import Policy
from memory.domain.values import Anchor, Status, Tier


class Epoch(Func):
    """Seconds in an interval."""

    template = "extract(epoch from %(expressions)s)::float8"
    output_field = FloatField()


def _number(value: float) -> Value:
    return Value(float(value), output_field=FloatField())


def protected_condition(policy: Policy, prefix: str = "") -> Q:
    """The rows no machine may fade, archive or retire (DESIGN "Protection")."""
    return Q(**{f"{prefix}status__in": [Status.ACTIVE, Status.STALE]}) & (
        Q(**{f"{prefix}safety__gte": policy.safety_line})
        | Q(**{f"{prefix}pinned": True})
        | Q(**{f"{prefix}confirmed_at__isnull": False, f"{prefix}tier": Tier.LONG_TERM})
    )


def retention_expression(now: datetime, policy: Policy) -> Expression:
    """Raw R of a memory, 0 to 1, at `now`: exp(-hours / (24 * S)), requirement 6.

    S = rate * M * (1 + f * ln(1 + n)) in days, requirement 7. Joins MemoryUse.
    """
    anchor = F("created_at") if policy.anchor is Anchor.CREATED else F("use__anchor")
    elapsed = ExpressionWrapper(Value(now) - anchor, output_field=DurationField())
    hours = Greatest(Epoch(elapsed) / _number(3600), _number(0))
    multiplier = Case(
        When(tier=Tier.WORKING, then=_number(policy.multiplier_working)),
        When(tier=Tier.SHORT_TERM, then=_number(policy.multiplier_short_term)),
        default=_number(policy.multiplier_long_term),
        output_field=FloatField(),
    )
    served = Ln(_number(1) + Cast(F("use__times_served"), FloatField()))
    strength = (
        _number(policy.strength_rate)
        * multiplier
        * (_number(1) + _number(policy.reinforcement_factor) * served)
    )
    # PostgreSQL takes exp(-800) for an error instead of 0.
    exponent = Greatest(-hours / (_number(24) * strength), _number(-700))
    return Least(Greatest(Exp(exponent), _number(0)), _number(1))
