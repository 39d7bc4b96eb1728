"""One retention: the domain function and the SQL expression agree."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from memory.border import owner_scope
from memory.domain.decay import retention
from memory.domain.policy import Policy
from memory.domain.values import Anchor, Tier
from memory.models import Memory, MemoryUse
from tests.conftest import NOW


@pytest.fixture
def row(alice: User, make_memory: Callable[..., Memory]) -> Memory:
    return make_memory(alice, "likes tea")


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    hours=st.floats(-1000, 200_000),
    served=st.integers(0, 100_000),
    tier=st.sampled_from(Tier),
    rate=st.floats(0.1, 20),
    factor=st.floats(0, 5),
    anchor=st.sampled_from(Anchor),
)
def test_they_agree_to_a_billionth(
    row: Memory,
    hours: float,
    served: int,
    tier: Tier,
    rate: float,
    factor: float,
    anchor: Anchor,
) -> None:
    policy = Policy(strength_rate=rate, reinforcement_factor=factor, anchor=anchor)
    now = NOW + timedelta(hours=hours)
    created = NOW - timedelta(days=3)
    with owner_scope(row.owner_id):
        Memory.objects.filter(pk=row.pk).update(tier=tier, created_at=created)
        MemoryUse.objects.filter(memory=row).update(anchor=NOW, times_served=served)
        [found] = Memory.objects.filter(pk=row.pk).with_retention(now, policy)
        found.use = MemoryUse.objects.get(memory=row)
    expected = retention(
        found.use.anchor_under(policy, created),
        tier=tier, times_served=served, now=now, policy=policy,
    )  # fmt: skip
    assert found.retention_now == pytest.approx(expected, abs=1e-9)
    assert 0 <= found.retention_now <= 1


@pytest.mark.parametrize(
    ("hours", "working", "short_term", "long_term"),
    [(1, 0.972604, 0.996040, 0.999537), (24, 0.513417, 0.909156, 0.988950),
     (168, 0.00940356, 0.513417, 0.925170), (720, 2.06115e-9, 0.0574326, 0.716531),
     (2880, 1.805e-35, 1.088e-5, 0.263597)],
)  # fmt: skip
def test_the_table_holds_through_sql(
    row: Memory, hours: int, working: float, short_term: float, long_term: float
) -> None:
    """Requirements 5.3."""
    for tier, expected in zip(Tier, (working, short_term, long_term), strict=True):
        with owner_scope(row.owner_id):
            Memory.objects.filter(pk=row.pk).update(tier=tier)
            MemoryUse.objects.filter(memory=row).update(anchor=NOW, times_served=0)
            [found] = Memory.objects.filter(pk=row.pk).with_retention(
                NOW + timedelta(hours=hours), Policy()
            )
        assert found.retention_now == pytest.approx(expected, rel=2e-4)


def test_a_row_from_the_future_is_wholly_there(row: Memory) -> None:
    with owner_scope(row.owner_id):
        MemoryUse.objects.filter(memory=row).update(anchor=NOW + timedelta(days=3650))
        [found] = Memory.objects.filter(pk=row.pk).with_retention(NOW, Policy())
        assert found.retention_now == 1.0
        [early] = Memory.objects.filter(pk=row.pk).with_retention(
            datetime(1, 1, 2, tzinfo=UTC), Policy()
        )
        assert early.retention_now == 1.0
