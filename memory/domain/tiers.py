"""How fast a new memory will fade, and when it moves up. No rule here ever demotes."""

import math

from memory.domain.errors import BadNumber
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.values import Kind, Tier

# S0's own names (requirement 18).
LONG_TERM_THRESHOLD = 0.8
SHORT_TERM_THRESHOLD = 0.6

_NEXT = {Tier.WORKING: Tier.SHORT_TERM, Tier.SHORT_TERM: Tier.LONG_TERM}


def classify(importance: float, policy: Policy = DEFAULT_POLICY) -> Tier:
    """The tier of an importance from 0 to 1 (requirements 18 to 20). Raises `BadNumber`."""
    if not math.isfinite(importance) or not 0 <= importance <= 1:
        raise BadNumber("importance", importance, low=0, high=1)
    if importance >= policy.long_term_threshold:
        return Tier.LONG_TERM
    if importance >= policy.short_term_threshold:
        return Tier.SHORT_TERM
    return Tier.WORKING


def classify_memory_type(importance: float) -> str:
    """S0's own name for `classify`, with S0's thresholds (requirement 18)."""
    return classify(importance).value


def cap_opinion(opinion: float, policy: Policy = DEFAULT_POLICY) -> float:
    """A caller's importance, held at the cap: .9 and above is for safety, which rules decide."""
    if not math.isfinite(opinion) or not 0 <= opinion <= 1:
        raise BadNumber("importance", opinion, low=0, high=1)
    return min(opinion, policy.caller_importance_cap)


def promote(tier: Tier) -> Tier:
    """One tier up; long_term stays."""
    return _NEXT.get(tier, tier)


def may_promote(
    tier: Tier,
    *,
    distinct_recalls: int,
    distinct_days: int,
    policy: Policy = DEFAULT_POLICY,
) -> bool:
    """Served in enough recalls on enough days to move one tier up (requirements 20 and 120).

    Both counts are since the last promotion, so that one busy week moves it once.
    """
    return (
        tier is not Tier.LONG_TERM
        and distinct_recalls >= policy.promotion_recalls
        and distinct_days >= policy.promotion_days
    )


def tier_after_confirmation(tier: Tier, *, kind: Kind, has_end: bool) -> Tier:
    """Where the owner's confirmation puts a memory.

    Confirming what happened, or what holds until a date (`has_end`), vouches for its truth,
    not its permanence: those keep their tier.
    """
    return tier if kind is Kind.EPISODIC or has_end else Tier.LONG_TERM
