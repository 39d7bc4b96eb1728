import math

import pytest

from memory.domain import tiers
from memory.domain.errors import BadNumber
from memory.domain.values import Kind, Tier


@pytest.mark.parametrize(
    ("importance", "tier"),
    [
        (0.95, Tier.LONG_TERM),
        (0.8, Tier.LONG_TERM),
        (0.799, Tier.SHORT_TERM),
        (0.72, Tier.SHORT_TERM),
        (0.6, Tier.SHORT_TERM),
        (0.5, Tier.WORKING),
        (0.2, Tier.WORKING),
        (0, Tier.WORKING),
        (1, Tier.LONG_TERM),
    ],
)
def test_classify(importance, tier):
    assert tiers.classify(importance) is tier
    assert tiers.classify_memory_type(importance) == tier.value


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf])
def test_what_is_no_share_is_refused(bad):
    with pytest.raises(BadNumber):
        tiers.classify(bad)
    with pytest.raises(BadNumber):
        tiers.cap_opinion(bad)


def test_a_callers_opinion_is_capped_below_safety():
    assert tiers.cap_opinion(1.0) == 0.89
    assert tiers.cap_opinion(0.4) == 0.4


def test_promotion_is_one_tier_at_a_time():
    assert tiers.promote(Tier.WORKING) is Tier.SHORT_TERM
    assert tiers.promote(Tier.SHORT_TERM) is Tier.LONG_TERM
    assert tiers.promote(Tier.LONG_TERM) is Tier.LONG_TERM


@pytest.mark.parametrize(
    ("tier", "recalls", "days", "may"),
    [
        (Tier.WORKING, 3, 2, True),
        (Tier.WORKING, 3, 1, False),
        (Tier.WORKING, 2, 2, False),
        (Tier.LONG_TERM, 9, 9, False),
    ],
)
def test_promotion_needs_use_on_several_days(tier, recalls, days, may):
    assert tiers.may_promote(tier, distinct_recalls=recalls, distinct_days=days) is may


def test_confirming_vouches_for_permanence_only_where_there_is_any():
    confirm = tiers.tier_after_confirmation
    assert confirm(Tier.WORKING, kind=Kind.SEMANTIC, has_end=False) is Tier.LONG_TERM
    assert confirm(Tier.WORKING, kind=Kind.EPISODIC, has_end=False) is Tier.WORKING
    assert confirm(Tier.SHORT_TERM, kind=Kind.SEMANTIC, has_end=True) is Tier.SHORT_TERM
