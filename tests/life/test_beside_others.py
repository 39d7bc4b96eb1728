"""A sweep while others write, edit and recall: whoever came last with words wins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import User
from memory.border import owner_scope
from memory.models import Event, Memory, MemoryUse
from memory.services.lock import lock_writes
from memory.services.reinforce import reinforce
from memory.services.retain import Sweep, sweep
from tests.conftest import NOW
from tests.life.conftest import Put, events_of, reread


def in_thread(act: Callable[[], object]) -> threading.Thread:
    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_rows_of_an_owner_who_is_being_written_for_wait(
    committed: None, alice: User, bob: User, put: Put
) -> None:
    hers, his = put(alice, "chatter", days=5), put(bob, "chatter", days=5)
    with owner_scope(alice.pk):
        lock_writes(alice.pk)
        in_thread(lambda: sweep(now=NOW, only=[Sweep.ARCHIVE])).join()
    assert reread(hers).archived_at is None
    assert reread(his).archived_at == NOW
    assert sweep(now=NOW, only=[Sweep.ARCHIVE]) == {"archive": 1}


def test_a_row_that_is_being_recalled_is_left_alone(committed: None, alice: User, put: Put) -> None:
    memory = put(alice, "chatter", days=5)
    with owner_scope(alice.pk):
        reinforce(alice.pk, served=[memory.pk], missed=[], now=NOW)
        in_thread(lambda: sweep(now=NOW, only=[Sweep.ARCHIVE])).join()
    assert reread(memory).archived_at is None
    assert sweep(now=NOW, only=[Sweep.ARCHIVE]) == {"archive": 0}


def test_an_edit_between_finding_and_changing_wins(
    committed: None, alice: User, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row is found to be due; before its batch comes, the owner pins it."""
    from memory.services import retain

    memory, other = put(alice, "chatter", days=5), put(alice, "more chatter", days=5)
    change = retain._change

    def edit_first(*args: object) -> object:
        def pin() -> None:
            with owner_scope(alice.pk):
                Memory.objects.filter(pk=memory.pk).update(pinned=True)

        in_thread(pin).join()
        return change(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(retain, "_change", edit_first)
    assert sweep(now=NOW, only=[Sweep.ARCHIVE]) == {"archive": 1}
    assert reread(memory).archived_at is None
    assert not events_of(memory)
    assert reread(other).archived_at == NOW


def test_two_sweeps_at_once_do_it_once(committed: None, alice: User, put: Put) -> None:
    for n in range(60):
        put(alice, f"chatter {n}", days=5)
    counts: list[dict[str, int]] = []
    threads = [
        in_thread(lambda: counts.append(sweep(now=NOW, only=[Sweep.ARCHIVE], wait=20, batch=5)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.join()
    assert sorted(count["archive"] for count in counts) == [0, 60]
    with owner_scope(alice.pk):
        assert Event.objects.of(alice).count() == 60


def test_recalls_and_sweeps_do_not_deadlock(committed: None, alice: User, put: Put) -> None:
    rows = [put(alice, f"chatter {n}", days=1.7) for n in range(80)]
    ids = [row.pk for row in rows]
    failures: list[BaseException] = []

    def recall_all() -> None:
        try:
            for _ in range(15):
                with owner_scope(alice.pk):
                    reinforce(alice.pk, served=ids[::2], missed=ids[1::2], now=NOW)
        except Exception as error:
            failures.append(error)

    thread = in_thread(recall_all)
    swept = 0
    for hours in range(15):
        swept += sum(sweep(now=NOW + timedelta(hours=8 * hours), batch=7).values())
    thread.join()
    assert not failures
    with owner_scope(alice.pk):
        served = MemoryUse.objects.filter(memory__in=ids[::2])
        assert set(served.values_list("times_served", flat=True)) == {15}
    # What was served meanwhile fades more slowly.
    assert swept >= 40


def test_memory_stays_flat(committed: None, alice: User, put: Put) -> None:
    """Statements grow with the rows, what is held at a time does not."""
    import tracemalloc

    for n in range(120):
        put(alice, f"chatter {n}", days=5)
    sweep(now=NOW - timedelta(days=4))
    tracemalloc.start()
    sweep(now=NOW, batch=2)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3_000_000
