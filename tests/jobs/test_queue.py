"""The queue: the row is what counts, a message is only a nudge."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from memory import tasks
from memory.border import operations, owner_scope
from memory.models import Job, Memory
from memory.services import dispatch
from memory.services.index import queue_embedding
from tests.conftest import ApiClient
from tests.product import Product


@pytest.fixture
def without_vector(alice: User, make_memory: Callable[..., Memory]) -> Memory:
    """A row that still needs its vector, and the job that says so."""
    row = make_memory(alice, "likes green tea", embedding=None, embedder="")
    with owner_scope(alice.pk):
        queue_embedding(alice.pk, epoch=0, now=timezone.now())
    return row


def read(owner: User, row: Memory) -> Memory:
    with owner_scope(owner.pk):
        return Memory.objects.get(pk=row.pk)


def job_of(owner: User) -> Job:
    with owner_scope(owner.pk):
        return Job.objects.get()


def test_a_job_gives_the_row_its_vector(alice: User, without_vector: Memory) -> None:
    assert dispatch.run_due_jobs() == 1
    row = read(alice, without_vector)
    assert (row.embedder, len(row.embedding)) == ("use-multilingual-v3", 512)
    assert job_of(alice).status == "done"
    assert dispatch.run_due_jobs() == 0


def test_one_waiting_job_is_enough(alice: User, without_vector: Memory) -> None:
    with owner_scope(alice.pk):
        queue_embedding(alice.pk, epoch=0, now=timezone.now())
        assert Job.objects.count() == 1


def test_a_held_job_is_left_to_its_holder_until_the_lease_runs_out(
    alice: User, without_vector: Memory
) -> None:
    held = dispatch.claim_job()
    assert held is not None
    assert dispatch.claim_job() is None
    with operations("test"):
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    taken = dispatch.claim_job()
    assert taken is not None
    assert (taken.pk, taken.attempts) == (held.pk, 2)


def test_a_holder_that_lost_its_lease_records_nothing(alice: User, without_vector: Memory) -> None:
    first = dispatch.claim_job()
    with operations("test"):
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = dispatch.claim_job()
    assert first is not None
    assert second is not None
    dispatch._finish(first)
    assert job_of(alice).status == "running"
    dispatch._finish(second)
    assert job_of(alice).status == "done"


def test_a_failed_job_is_tried_again_later_and_not_for_ever(
    alice: User, without_vector: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: Job) -> None:
        raise RuntimeError("planted")

    monkeypatch.setitem(dispatch.KINDS, "embed", fail)
    dispatch.run_due_jobs()
    job = job_of(alice)
    assert (job.status, job.error) == ("queued", "RuntimeError")
    assert job.due_at > timezone.now()
    with operations("test"):
        Job.objects.update(due_at=timezone.now(), attempts=dispatch.MOST_ATTEMPTS - 1)
    dispatch.run_due_jobs()
    assert job_of(alice).status == "failed"


def test_the_lease_is_renewed_while_the_work_runs(
    committed: None, alice: User, without_vector: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "RENEW_EVERY", 0.1)
    leases: list[Any] = []

    def look(job: Job) -> None:
        leases.append(job_of(alice).lease_until)
        time.sleep(0.5)
        leases.append(job_of(alice).lease_until)

    monkeypatch.setitem(dispatch.KINDS, "embed", look)
    dispatch.run_due_jobs()
    assert leases[1] > leases[0]


def test_a_row_edited_meanwhile_keeps_its_own_vector(
    alice: User, without_vector: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.adapters.embedders import get_embedder

    real = get_embedder()

    class Slow:
        name = real.name

        def embed(self, texts: Any) -> Any:
            with owner_scope(alice.pk):
                Memory.objects.filter(pk=without_vector.pk).update(search_text="edited meanwhile")
            return real.embed(texts)

    monkeypatch.setattr("memory.services.reembed.get_embedder", Slow)
    dispatch.run_due_jobs()
    assert read(alice, without_vector).embedding is None


def test_with_the_broker_away_a_nudge_costs_little_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from config.celery import app

    monkeypatch.setattr(app.conf, "broker_url", "redis+socket:///nowhere/broker.sock")
    with app.connection_for_write(url="redis+socket:///nowhere/broker.sock") as away:
        monkeypatch.setattr(
            tasks.sweep_jobs,
            "apply_async",
            lambda **more: app.send_task("memory.tasks.sweep_jobs", connection=away, **more),
        )
        began = time.monotonic()
        tasks.nudge()
    assert time.monotonic() - began < 2


def test_two_workers_never_hold_the_same_job(committed: None, alice: User) -> None:
    now = timezone.now()
    with owner_scope(alice.pk):
        Job.objects.bulk_create(
            Job(owner=alice, kind="embed", due_at=now, created_at=now) for _ in range(40)
        )
    claimed: list[Any] = []

    def claim() -> None:
        while (job := dispatch.claim_job()) is not None:
            claimed.append(job.pk)
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 40


def test_a_real_worker_picks_the_job_up(
    product: Product, committed: None, alice: User, without_vector: Memory
) -> None:
    tasks.nudge()
    deadline = time.monotonic() + 30
    while read(alice, without_vector).embedding is None:
        assert time.monotonic() < deadline, product.log.read_text()[-2000:]
        time.sleep(0.1)


def test_sixteen_identical_writes_at_once_are_one_memory(
    committed: None, alice: User, agent: ApiClient
) -> None:
    decisions: list[str] = []

    def write() -> None:
        decisions.append(agent.write("likes green tea")["decision"])
        connection.close()

    agent.get("me")
    threads = [threading.Thread(target=write) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(decisions) == ["ADD", *["NOOP"] * 15]
    assert agent.get("memories").json()["total"] == 1


def test_parallel_recalls_lose_no_count(committed: None, alice: User, agent: ApiClient) -> None:
    row = agent.write("likes green tea")["memory"]

    def ask() -> None:
        agent.recall("green tea")
        connection.close()

    for _ in range(5):
        threads = [threading.Thread(target=ask) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert agent.get(f"memories/{row['id']}").json()["access_count"] == 50
