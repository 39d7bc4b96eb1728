"""A preview tells how far it is to the end, though nothing of it is ever committed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Job, Memory
from memory.services import exchange, take_in
from memory.services.progress import stop_job
from tests.exchange.conftest import preview

pytestmark = pytest.mark.usefixtures("committed")
EIGHT = b"\n".join(b"I own a %s" % what for what in (
    b"cello", b"boat", b"bicycle", b"kettle", b"piano", b"tent", b"canoe", b"lathe",
))  # fmt: skip


def elsewhere(act: Callable[[], Any]) -> Any:
    """What comes of it on another connection."""

    def act_and_close() -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act_and_close).result()


def before_each_row(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    take_one = take_in._take_one

    def take(*args: Any) -> Any:
        act()
        return take_one(*args)

    monkeypatch.setattr(exchange, "PART", 2)
    monkeypatch.setattr(take_in, "_take_one", take)


def test_both_halves_of_a_preview_tell_how_far_they_are(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done() -> int:
        with owner_scope(alice.pk):
            return Job.objects.of(alice).get().done

    seen: list[int] = []
    before_each_row(monkeypatch, lambda: seen.append(elsewhere(done)))
    parcel = preview(alice, EIGHT)
    assert seen == [4, 4, 5, 5, 6, 6, 7, 7]
    assert parcel.state == "ready"
    assert done() == 8


def test_a_preview_is_stopped_in_its_second_half_too(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[int] = []

    def stop() -> None:
        with owner_scope(alice.pk):
            job = Job.objects.of(alice).get().pk
        stop_job(owner=alice.pk, job=job, now=timezone.now())

    def at_third() -> None:
        rows.append(1)
        if len(rows) == 3:
            elsewhere(stop)

    before_each_row(monkeypatch, at_third)
    assert preview(alice, EIGHT).state == "making"
    assert len(rows) == 4
    with owner_scope(alice.pk):
        assert Job.objects.of(alice).get().status == "stopped"
        assert not Memory.objects.of(alice).exists()
