"""Clear all takes everything of one owner, whatever state it is in, and nothing of another's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Status
from memory.evaluation.dialogues import StoredRow
from memory.evaluation.recall import store_rows
from memory.models import Memory, MemoryRevision, MemoryUse, Posting, RecallItem
from memory.services.archive import archive_memory
from memory.services.dispatch import run_due_jobs
from memory.services.erase import clear_all, delete_memory
from memory.services.index import index_texts
from tests.conftest import NOW, ApiClient, count_statements

MakeMemory = Callable[..., Memory]
READ = ("memories", "memories?status=superseded", "memories?status=conflict", "conflicts")


def test_two_hundred_and_fifty_of_every_kind_are_all_gone(
    alice: User, bob: User, agent: ApiClient, make_memory: MakeMemory
) -> None:
    def hand_over(facts: list[dict[str, str]]) -> None:
        assert agent.post("memories", {"facts": facts}).status_code == 201

    for said in ("desk {} is oak", "desk {} is now pine", "lamp {} is red", "lamp {} is blue"):
        thing, value = said.split()[0], said.split()[-1]
        hand_over(
            [
                {"content": f"my {said.format(n)}", "key": f"user.{thing}{n}", "value": value}
                for n in range(10)
            ]
        )
    hand_over([{"content": f"may play instrument {n}", "source": "inferred"} for n in range(10)])
    for number in range(10):
        archive_memory(owner=alice.pk, memory=make_memory(alice, f"was at concert {number}").pk,
                       now=NOW)  # fmt: skip
        delete_memory(owner=alice.pk, memory=make_memory(alice, f"a crush {number}").pk, now=NOW)
    for start in range(0, 180, 36):
        hand_over([{"content": f"has read book number {start + n}"} for n in range(36)])
    mine = make_memory(bob, "has read book number 1")
    agent.recall("desk lamp book")
    with owner_scope(alice.pk):
        every = Memory.objects.of(alice.pk)
        kinds = dict.fromkeys(every.values_list("status", flat=True))
        assert {Status.ACTIVE, Status.SUPERSEDED, Status.CONFLICT} <= set(kinds)
        assert every.count() == 250

    assert clear_all(owner=alice.pk, now=timezone.now()).total == 250
    run_due_jobs()

    for path in READ:
        answer = agent.get(path).json()
        assert (answer["results"], answer.get("total", 0)) == ([], 0), path
    answer = agent.recall("desk lamp book", include_archived=True, include_history=True)
    assert [answer[part] for part in ("memories", "standing", "history", "needs_confirmation")] == [
        [], [], [], [],
    ]  # fmt: skip
    with owner_scope(alice.pk):
        for table in (Memory, MemoryUse, MemoryRevision, Posting, RecallItem):
            assert table.objects.count() == 0, table
    with owner_scope(bob.pk):
        assert Memory.objects.get().pk == mine.pk


@pytest.mark.parametrize("number", [2_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_thousands_are_gone_at_once_and_erased_in_batches(
    committed: None, alice: User, agent: ApiClient, number: int
) -> None:
    """The person waits for one short transaction, however much there is."""
    rows = [StoredRow(f"has read book number {n}", NOW, (str(n),)) for n in range(number)]
    indexes = index_texts([row.content for row in rows[:10]])
    with owner_scope(alice.pk):
        store_rows(alice.pk, rows, indexes * (number // 10))
        assert Memory.objects.count() == number
    with count_statements() as statements:
        job = clear_all(owner=alice.pk, now=timezone.now())
    assert job.total == number
    assert len(statements) <= 8
    assert agent.get("memories").json()["total"] == 0
    assert agent.recall("book number 3")["memories"] == []
    with count_statements() as statements:
        run_due_jobs()
    assert len(statements) <= number // 1000 * 20 + 60
    with owner_scope(alice.pk):
        assert (Memory.objects.count(), Posting.objects.count()) == (0, 0)
        job.refresh_from_db()
    # It tells how far it is after each batch.
    told = [one for one in statements if one.startswith('UPDATE "memory_job" SET "done"')]
    assert (len(told), job.done, job.total) == (number // 1000, number, number)


def test_no_key_of_an_agent_can_clear(agent: ApiClient, alice: User) -> None:
    row = agent.write("likes tea")["memory"]
    assert agent.delete("memories").status_code == 405
    assert agent.post(reverse("clear"), {"typed": "clear all"}).status_code in (302, 403)
    assert agent.get(f"memories/{row['id']}").status_code == 200
