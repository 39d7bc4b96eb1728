"""What a sweep changes, what it leaves alone, and what it says about it."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.errors import NaiveTime
from memory.domain.values import Tier
from memory.models import Event, Memory, Policy, Tombstone
from memory.services.erase import delete_memory, erase_now
from memory.services.errors import CannotUndo, NotFound
from memory.services.mark import mark_still_true
from memory.services.retain import Sweep, SweepRunning, list_purge, sweep
from memory.services.undo import undo_gesture
from tests.conftest import NOW
from tests.life.conftest import Put, events_of, gesture_of, reread, serve

DAY = timedelta(days=1)


def run(now: datetime = NOW, *only: Sweep, **more: Any) -> dict[str, int]:
    return sweep(now=now, only=only or None, **more)


# -- Archiving ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tier", "days", "archived"),
    [("working", 1.80, False), ("working", 1.82, True), ("short_term", 12.6, False),
     ("short_term", 12.7, True), ("long_term", 108.3, False), ("long_term", 108.4, True)],
)  # fmt: skip
def test_below_the_line_goes_to_the_archive(
    alice: User, put: Put, tier: str, days: float, archived: bool
) -> None:
    memory = put(alice, "chatter", tier=tier, days=days)
    assert run(NOW, Sweep.ARCHIVE) == {"archive": int(archived)}
    assert (reread(memory).archived_at == NOW) is archived


def test_the_event_holds_its_numbers(alice: User, put: Put) -> None:
    memory = put(alice, "coffee today", days=3)
    run(NOW, Sweep.ARCHIVE)
    [event] = events_of(memory)
    assert (event.verb, event.actor, event.reason, event.at) == (
        "archived", "program", "faded", NOW,
    )  # fmt: skip
    assert event.data["retention"] == pytest.approx(math.exp(-2), abs=1e-6)
    assert (event.data["line"], event.data["days"]) == (0.3, 3)
    assert event.data["before"] == {"archived_at": None}
    assert event.data["after"] == {"archived_at": NOW.isoformat()}


@pytest.mark.parametrize(("tier", "archived"), [("short_term", True), ("long_term", False)])
def test_idle_rows_go_even_above_the_line(alice: User, put: Put, tier: str, archived: bool) -> None:
    """5.5 e: 30 days unused, but not in long_term. Served often, so R is still high."""
    memory = put(alice, "busy once", tier=tier, days=31, times_served=100)
    run(NOW, Sweep.ARCHIVE)
    assert (reread(memory).archived_at is not None) is archived
    if archived:
        [event] = events_of(memory)
        assert event.reason == "idle"
        assert event.data["retention"] > 0.3


def test_idle_counts_from_the_last_use_whatever_r_counts_from(alice: User, put: Put) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(
            owner=alice, numbers={"anchor": "created", "multiplier_short_term": 59.0}
        )
    used = put(alice, "used", tier="short_term", days=32, anchor=NOW - 3 * DAY)
    idle = put(alice, "idle", tier="short_term", days=32)
    run(NOW, Sweep.ARCHIVE)
    assert reread(used).archived_at is None
    assert reread(idle).archived_at == NOW


def test_the_forgetting_score_can_decide_instead(alice: User, bob: User, put: Put) -> None:
    """5.5 l: importance times R against the line, for owners who chose so."""
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"archive_signal": "forgetting_score"})
    hers = put(alice, "so so", importance=0.5, tier="working", days=0.9)
    his = put(bob, "so so", importance=0.5, tier="working", days=0.9)
    run(NOW, Sweep.ARCHIVE)
    assert reread(hers).archived_at == NOW
    assert reread(his).archived_at is None


# -- Going stale, expiring ------------------------------------------------------------------------


def test_long_unsaid_and_faded_is_stale(alice: User, put: Put) -> None:
    old = put(alice, "edits in Vim", tier="long_term", days=181)
    said = put(alice, "said lately", tier="long_term", days=400, said_at=NOW - 179 * DAY)
    served = put(alice, "served", tier="long_term", days=181, anchor=NOW - DAY)
    assert run(NOW, Sweep.STALE) == {"stale": 1}
    assert (reread(old).status, reread(old).status_reason) == ("stale", "faded")
    assert reread(said).status == reread(served).status == "active"
    [event] = events_of(old)
    assert (event.verb, event.reason, event.data["line"]) == ("outdated", "faded", 0.5)


def test_an_end_that_has_passed_makes_it_stale(alice: User, put: Put) -> None:
    ended = put(alice, "in Berlin", valid_to=NOW, days=0)
    later = put(alice, "in Rome", valid_to=NOW + timedelta(seconds=1), days=0)
    assert run(NOW, Sweep.EXPIRE) == {"expire": 1}
    assert (reread(ended).status, reread(ended).status_reason) == ("stale", "expired")
    assert reread(later).status == "active"
    assert run(NOW, Sweep.EXPIRE) == {"expire": 0}


def test_still_true_outlives_the_end(alice: User, put: Put) -> None:
    memory = put(alice, "in Berlin", valid_to=NOW - DAY, days=2)
    run(NOW, Sweep.EXPIRE)
    mark_still_true(owner=alice.pk, memory=memory.pk, now=NOW)
    assert run(NOW + DAY, Sweep.EXPIRE) == {"expire": 0}
    assert (reread(memory).status, reread(memory).valid_to) == ("active", None)


# -- What no sweep touches ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "protection",
    [{"safety": 0.9}, {"pinned": True}, {"confirmed_at": NOW - 900 * DAY, "tier": "long_term"}],
)
def test_the_protected_never_fade(alice: User, put: Put, protection: dict[str, Any]) -> None:
    memory = put(alice, "对花生过敏", days=900, **protection)
    before = reread(memory)
    assert not any(run().values())
    assert _row(reread(memory)) == _row(before)


@pytest.mark.parametrize("reason", ["contradiction", "inferred", "external", "quarantined"])
def test_what_waits_is_left_alone(alice: User, put: Put, reason: str) -> None:
    memory = put(
        alice, "perhaps", status="conflict", status_reason=reason, days=900, valid_to=NOW - DAY
    )
    before = reread(memory)
    assert not any(run().values())
    assert _row(reread(memory)) == _row(before)


def test_a_clock_ten_years_ahead_changes_nothing(alice: User, put: Put) -> None:
    memory = put(alice, "from a fast clock", days=-3650)
    assert not any(run().values())
    assert reread(memory).archived_at is None


def test_a_naive_time_is_an_error(alice: User) -> None:
    with pytest.raises(NaiveTime):
        sweep(now=datetime(2026, 6, 1, 12))  # noqa: DTZ001


def _row(memory: Memory) -> dict[str, Any]:
    own = {f.attname: getattr(memory, f.attname) for f in Memory._meta.concrete_fields}
    use = {f.attname: getattr(memory.use, f.attname) for f in memory.use._meta.concrete_fields}
    return {**own, "use": use}


# -- Only their own columns, once, and never over an edit ----------------------------------------


def test_a_sweep_changes_its_own_columns_alone(alice: User, put: Put) -> None:
    memory = put(alice, "coffee", tier="long_term", days=400)
    before = _row(reread(memory))
    assert run() == {"promote": 0, "expire": 0, "stale": 1, "archive": 1, "purge": 0, "erase": 0}
    after = _row(reread(memory))
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"status", "status_reason", "archived_at"}


def test_twice_is_once(alice: User, put: Put) -> None:
    memory = put(alice, "coffee", days=400, tier="long_term")
    run()
    assert not any(run().values())
    assert not any(run(NOW + timedelta(hours=1)).values())
    assert len(events_of(memory)) == 2


def test_a_dry_run_counts_and_changes_nothing(alice: User, put: Put) -> None:
    memory = put(alice, "coffee", days=400, tier="long_term")
    counts = run(dry_run=True)
    assert (counts["stale"], counts["archive"]) == (1, 1)
    assert reread(memory).archived_at is None
    assert not events_of(memory)


def test_small_batches_come_to_the_same(alice: User, bob: User, put: Put) -> None:
    for n in range(7):
        put(alice if n % 2 else bob, f"chatter {n}", days=5)
    assert run(NOW, Sweep.ARCHIVE, batch=2) == {"archive": 7}


def test_each_owner_by_their_own_numbers(alice: User, bob: User, put: Put) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"scenario": "safety"})
    with owner_scope(bob.pk):
        Policy.objects.create(owner=bob, numbers={"scenario": "lively"})
    hers = put(alice, "note", tier="short_term", days=20)
    his = put(bob, "note", tier="short_term", days=20)
    run(NOW, Sweep.ARCHIVE)
    assert reread(hers).archived_at is None
    assert reread(his).archived_at == NOW
    [event] = events_of(his)
    assert event.data["line"] == 0.4


def test_numbers_that_are_no_longer_safe_stop_only_their_owner(
    alice: User, bob: User, put: Put
) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"strength_rate": 99.0})
    hers, his = put(alice, "a", days=5), put(bob, "b", days=5)
    assert run(NOW, Sweep.ARCHIVE) == {"archive": 1}
    assert reread(hers).archived_at is None
    assert reread(his).archived_at == NOW


def test_cleared_rows_are_no_longer_looked_at(alice: User, put: Put) -> None:
    put(alice, "old epoch", days=5)
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, epoch=1)
    assert run(NOW, Sweep.ARCHIVE) == {"archive": 0}


# -- Undo -----------------------------------------------------------------------------------------


def test_archiving_can_be_undone_and_is_not_repeated_at_once(alice: User, put: Put) -> None:
    memory = put(alice, "coffee", days=5)
    run(NOW, Sweep.ARCHIVE)
    undo_gesture(owner=alice.pk, gesture=gesture_of(memory, "archived"), now=NOW)
    assert reread(memory).archived_at is None
    assert run(NOW + timedelta(hours=1), Sweep.ARCHIVE) == {"archive": 0}


def test_going_stale_can_be_undone_and_is_not_repeated_at_once(alice: User, put: Put) -> None:
    memory = put(alice, "coffee", tier="working", days=200)
    run(NOW, Sweep.STALE)
    undo_gesture(owner=alice.pk, gesture=gesture_of(memory, "outdated"), now=NOW)
    assert (reread(memory).status, reread(memory).status_reason) == ("active", "")
    assert run(NOW + 100 * DAY, Sweep.STALE) == {"stale": 0}


def test_expiring_can_be_undone_and_is_not_repeated(alice: User, put: Put) -> None:
    memory = put(alice, "in Berlin", valid_to=NOW - DAY, days=2)
    run(NOW, Sweep.EXPIRE)
    undo_gesture(owner=alice.pk, gesture=gesture_of(memory, "outdated"), now=NOW)
    assert reread(memory).status == "active"
    assert run(NOW + DAY, Sweep.EXPIRE) == {"expire": 0}


def test_one_row_is_undone_without_the_others(alice: User, put: Put) -> None:
    one, other = put(alice, "one", days=5), put(alice, "other", days=5)
    run(NOW, Sweep.ARCHIVE)
    undo_gesture(owner=alice.pk, gesture=gesture_of(one, "archived"), now=NOW)
    assert reread(one).archived_at is None
    assert reread(other).archived_at == NOW


# -- Rising ---------------------------------------------------------------------------------------


def test_three_recalls_on_two_days_lift_one_tier(alice: User, put: Put) -> None:
    memory = put(alice, "learns Rust", tier="working", days=3)
    for hours in (30, 29, 1):
        serve(memory, NOW - timedelta(hours=hours))
    assert run(NOW, Sweep.PROMOTE) == {"promote": 1}
    assert reread(memory).tier == Tier.SHORT_TERM
    [event] = events_of(memory)
    assert (event.verb, event.actor) == ("promoted", "program")
    assert event.data["before"] == {"tier": "working"}
    assert (event.data["recalls"], event.data["days"]) == (3, 2)
    # One tier a time: the same recalls do not count again.
    assert run(NOW + timedelta(hours=1), Sweep.PROMOTE) == {"promote": 0}
    for hours in (2, 3, 26):
        serve(memory, NOW + timedelta(hours=hours))
    assert run(NOW + 2 * DAY, Sweep.PROMOTE) == {"promote": 1}
    assert reread(memory).tier == Tier.LONG_TERM


@pytest.mark.parametrize(
    ("hours", "reinforced"),
    [((30, 1), True), ((3, 2, 1), True), ((30, 29, 1), False)],
    ids=["two recalls", "one day", "recalls that reinforce nothing"],
)
def test_less_does_not_lift(
    alice: User, put: Put, hours: tuple[int, ...], reinforced: bool
) -> None:
    memory = put(alice, "learns Rust", tier="working", days=3, times_served=5)
    for ago in hours:
        serve(memory, NOW - timedelta(hours=ago), reinforced=reinforced)
    assert run(NOW, Sweep.PROMOTE) == {"promote": 0}


def test_days_are_the_owners_own(alice: User, put: Put) -> None:
    """Midnight in UTC is eight in the morning in Shanghai: one day, not two."""
    alice.zone = "Asia/Shanghai"
    alice.save(update_fields=["zone"])
    memory = put(alice, "learns Rust", tier="working", days=3)
    midnight = NOW.replace(hour=0)
    for minutes in (-10, -5, 5):
        serve(memory, midnight + timedelta(minutes=minutes))
    assert run(NOW, Sweep.PROMOTE) == {"promote": 0}
    serve(memory, midnight + timedelta(hours=17))
    assert run(NOW + DAY, Sweep.PROMOTE) == {"promote": 1}


def test_a_zone_the_database_does_not_know_counts_in_utc(alice: User, put: Put) -> None:
    alice.zone = "Mars/Olympus"
    alice.save(update_fields=["zone"])
    memory = put(alice, "learns Rust", tier="working", days=3)
    for hours in (30, 29, 1):
        serve(memory, NOW - timedelta(hours=hours))
    assert run(NOW, Sweep.PROMOTE) == {"promote": 1}


def test_rising_can_be_undone_and_needs_new_use(alice: User, put: Put) -> None:
    memory = put(alice, "learns Rust", tier="working", days=3)
    for hours in (30, 29, 1):
        serve(memory, NOW - timedelta(hours=hours))
    run(NOW, Sweep.PROMOTE)
    undo_gesture(owner=alice.pk, gesture=gesture_of(memory, "promoted"), now=NOW)
    assert reread(memory).tier == Tier.WORKING
    assert run(NOW + DAY, Sweep.PROMOTE) == {"promote": 0}


def test_what_rises_is_not_archived_in_the_same_run(alice: User, put: Put) -> None:
    memory = put(alice, "learns Rust", tier="working", days=9)
    for days in (8, 7, 6):
        serve(memory, NOW - days * DAY)
    run()
    assert (reread(memory).tier, reread(memory).archived_at) == (Tier.SHORT_TERM, None)


# -- Taking away ----------------------------------------------------------------------------------


def test_recently_deleted_is_erased_after_its_days(alice: User, put: Put) -> None:
    memory = put(alice, "a secret of mine", days=1)
    delete_memory(owner=alice.pk, memory=memory.pk, now=NOW)
    assert run(NOW + 7 * DAY - timedelta(seconds=1), Sweep.ERASE) == {"erase": 0}
    assert run(NOW + 7 * DAY, Sweep.ERASE) == {"erase": 1}
    with owner_scope(alice.pk):
        assert not Memory.objects.filter(pk=memory.pk).exists()
        assert Tombstone.objects.of(alice).of_memory(memory.pk).exists()
        [event] = Event.objects.of(alice).filter(verb="erased")
    assert (event.memory_id, event.reason, event.data["days"]) == (None, "deleted", 7)
    with pytest.raises(CannotUndo):
        undo_gesture(owner=alice.pk, gesture=event.gesture, now=NOW)


@pytest.mark.parametrize(("days", "gone"), [(3, True), (4, False)])
def test_how_long_is_the_owners_to_say(alice: User, put: Put, days: int, gone: bool) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"days_recently_deleted": days})
    memory = put(alice, "soon gone", days=1)
    delete_memory(owner=alice.pk, memory=memory.pk, now=NOW)
    assert run(NOW + 3 * DAY, Sweep.ERASE) == {"erase": int(gone)}


def test_with_no_days_it_is_erased_at_once(alice: User, put: Put) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"days_recently_deleted": 0})
    memory = put(alice, "at once", days=1)
    gesture = delete_memory(owner=alice.pk, memory=memory.pk, now=NOW)
    with owner_scope(alice.pk):
        assert not Memory.objects.filter(pk=memory.pk).exists()
        assert Tombstone.objects.of(alice).of_memory(memory.pk).exists()
    with pytest.raises(CannotUndo):
        undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)


def test_the_owner_need_not_wait(alice: User, put: Put) -> None:
    memory = put(alice, "now", days=1)
    with pytest.raises(NotFound):
        erase_now(owner=alice.pk, memory=memory.pk, now=NOW)
    delete_memory(owner=alice.pk, memory=memory.pk, now=NOW)
    erase_now(owner=alice.pk, memory=memory.pk, now=NOW)
    with owner_scope(alice.pk):
        assert not Memory.objects.filter(pk=memory.pk).exists()
        [event] = Event.objects.of(alice)
    assert (event.verb, event.actor, event.memory_id) == ("erased", "owner", None)


def test_what_came_from_another_row_stays(alice: User, put: Put) -> None:
    old = put(alice, "Java", days=9, status="superseded", status_reason="replaced")
    new = put(alice, "Go", days=1, replaces_id=old.pk)
    delete_memory(owner=alice.pk, memory=old.pk, now=NOW)
    assert run(NOW + 8 * DAY, Sweep.ERASE) == {"erase": 1}
    assert reread(new).replaces_id is None


def _purgeable(put: Put, owner: User, content: str, **fields: Any) -> Memory:
    return put(
        owner, content,
        **{"days": 60, "archived_at": NOW - 40 * DAY, "importance": 0.2, "missed_chances": 3,
           "times_served": 1, **fields},
    )  # fmt: skip


def test_the_purge_is_off_unless_asked_for(alice: User, put: Put) -> None:
    _purgeable(put, alice, "chatter")
    assert run(NOW, Sweep.PURGE) == {"purge": 0}


@pytest.mark.parametrize(
    ("fields", "purged"),
    [
        ({}, True),
        ({"times_served": 0, "missed_chances": 0}, True),
        ({"missed_chances": 2}, False),
        ({"times_served": 0, "missed_chances": 0, "importance": 0.6}, False),
        ({"archived_at": None}, False),
        ({"archived_at": NOW - 29 * DAY}, False),
        ({"tier": "short_term"}, False),
        ({"confirmed_at": NOW - 50 * DAY}, False),
        ({"pinned": True}, False),
        ({"safety": 0.9}, False),
        ({"contested": True}, False),
        ({"status": "conflict", "status_reason": "inferred"}, False),
    ],
)  # fmt: skip
def test_the_purge_takes_chatter_alone(
    alice: User, put: Put, fields: dict[str, Any], purged: bool
) -> None:
    with owner_scope(alice.pk):
        policy = Policy.objects.create(owner=alice, numbers={"purge_enabled": True})
    memory = _purgeable(put, alice, "chatter", **fields)
    with owner_scope(alice.pk):
        listed = list_purge(owner=alice.pk, rules=policy.rules(), now=NOW)
    assert listed == ([memory.pk] if purged else [])
    assert run(NOW, Sweep.PURGE, dry_run=True) == {"purge": int(purged)}
    assert run(NOW, Sweep.PURGE) == {"purge": int(purged)}
    with owner_scope(alice.pk):
        assert Memory.objects.filter(pk=memory.pk).exists() is not purged
        # Machines leave no tombstone: what is said again is remembered again.
        assert not Tombstone.objects.of(alice).exists()


def test_one_sweep_at_a_time(committed: None) -> None:
    import threading

    from django.db import connection

    from memory.services.lock import held_alone

    seen: list[str] = []

    def other() -> None:
        try:
            sweep(now=NOW)
        except SweepRunning:
            seen.append("refused")
        finally:
            connection.close()

    with held_alone("memoir:sweep"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == ["refused"]
    assert sweep(now=NOW)["archive"] == 0
