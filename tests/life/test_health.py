"""How a store is doing, in numbers."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from accounts.models import User
from memory.border import operations, owner_scope
from memory.domain.health import is_sudden_rise
from memory.domain.policy import Policy as Rules
from memory.models import Memory, Operation, Recall
from memory.services.health import preview_policy, read_health, read_site_health
from memory.services.pin import pin_memory
from memory.services.retain import sweep
from tests.conftest import NOW
from tests.life.conftest import Put


def asked(owner: User, at: datetime, dropped: int) -> None:
    with owner_scope(owner.pk):
        Recall.objects.create(
            owner_id=owner.pk, query="?", strategy="tempered", asked_at=at, as_of=at,
            reinforced=True, top_k=8, stages={"candidates": 9, "dropped_by_decay": dropped},
        )  # fmt: skip


@pytest.mark.parametrize(
    ("today", "before", "alert"),
    [
        (100, [10] * 14, True),
        (30, [10] * 14, False),
        (31, [10] * 14, True),
        (19, [0] * 14, False),
        (20, [0] * 14, True),
        (100, [10] * 4, False),
        (100, [10] * 13 + [500], True),
        (100, [90] * 14, False),
    ],
)
def test_only_a_sudden_rise_alerts(today: int, before: list[int], alert: bool) -> None:
    assert is_sudden_rise(today, before) is alert


def test_the_dead_are_what_recall_would_drop(alice: User, put: Put) -> None:
    put(alice, "alive", days=0)
    put(alice, "faded", days=3)
    put(alice, "dead", days=9)
    put(alice, "protected", days=900, pinned=True)
    put(alice, "waits", days=900, status="conflict", status_reason="inferred")
    found = read_health(alice.pk, now=NOW)
    assert (found.rows, found.dead, found.dead_share, found.archived) == (4, 1, 25.0, 0)
    sweep(now=NOW)
    found = read_health(alice.pk, now=NOW)
    assert (found.rows, found.dead, found.archived, found.wrongly_forgotten) == (2, 0, 2, 0)


def test_dropped_rows_are_counted_by_the_owners_day(alice: User) -> None:
    alice.zone = "Asia/Shanghai"
    alice.save(update_fields=["zone"])
    asked(alice, NOW - timedelta(hours=2), 3)
    # 17:30Z is the next day in Shanghai, 15:59Z is not.
    asked(alice, datetime.fromisoformat("2026-05-30T17:30:00+00:00"), 4)
    asked(alice, datetime.fromisoformat("2026-05-30T15:59:00+00:00"), 5)
    found = read_health(alice.pk, now=NOW)
    assert found.dropped[date(2026, 6, 1)] == 3
    assert found.dropped[date(2026, 5, 31)] == 4
    assert found.dropped[date(2026, 5, 30)] == 5
    assert len(found.dropped) == 3
    assert not found.alert


def test_a_sudden_rise_shows(alice: User) -> None:
    for days in range(1, 10):
        asked(alice, NOW - timedelta(days=days), 5)
    asked(alice, NOW, 60)
    assert read_health(alice.pk, now=NOW).alert


def test_a_row_protected_after_a_machine_archived_it_is_named(alice: User, put: Put) -> None:
    memory = put(alice, "chatter", days=9)
    sweep(now=NOW)
    pin_memory(owner=alice.pk, memory=memory.pk, pinned=True, now=NOW)
    assert read_health(alice.pk, now=NOW).wrongly_forgotten == 1


def test_the_site_counts_everybody_and_says_so(alice: User, bob: User, put: Put) -> None:
    put(alice, "dead", days=9)
    put(bob, "alive")
    asked(bob, NOW, 7)
    found = read_site_health(now=NOW)
    assert (found.rows, found.dead, found.dropped[NOW.date()]) == (2, 1, 7)
    with operations("store_health"):
        assert Operation.objects.filter(reason="store_health").exists()


def test_other_numbers_can_be_looked_at_first(alice: User, put: Put) -> None:
    put(alice, "对花生过敏", tier="long_term", importance=0.95, safety=0.9, days=400)
    put(alice, "likes Go", tier="long_term", importance=0.85, days=90)
    put(alice, "coffee", importance=0.2, days=5)
    now = preview_policy(alice.pk, Rules(), now=NOW)
    slower = preview_policy(alice.pk, Rules(strength_rate=5.0), now=NOW)
    faster = preview_policy(alice.pk, Rules(strength_rate=0.5), now=NOW)
    assert (now.rows, now.forgotten, now.forgotten_important) == (3, 1, 0)
    assert (slower.forgotten, faster.forgotten, faster.forgotten_important) == (0, 2, 1)


def test_reading_it_changes_nothing(alice: User, put: Put) -> None:
    memory = put(alice, "dead", days=9)
    read_health(alice.pk, now=NOW)
    preview_policy(alice.pk, Rules(), now=NOW)
    with owner_scope(alice.pk):
        assert list(Memory.objects.values_list("pk", "version")) == [(memory.pk, 1)]
