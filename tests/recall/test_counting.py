"""Recalls at once: every serving counts once, and none waits for another for ever."""

from __future__ import annotations

import random
import threading
from collections import Counter
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.evaluation.dialogues import StoredRow
from memory.evaluation.recall import store_rows
from memory.models import MemoryUse, Recall, RecallItem
from memory.querysets.callers import Caller
from memory.services.index import index_texts
from memory.services.recall import Question, recall
from tests.conftest import NOW, ApiClient

CLIENTS, EACH = 12, 200


def run_at_once(acts: list[list[Question]], caller: Caller) -> None:
    """Each list of questions by a thread of its own, all starting together."""
    gate, failures = threading.Barrier(len(acts)), []

    def client(questions: list[Question]) -> None:
        try:
            gate.wait(30)
            for question in questions:
                recall(caller, question, now=timezone.now())
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=client, args=(questions,)) for questions in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_fifty_at_once_count_fifty(committed: None, alice: User, agent: ApiClient) -> None:
    row = agent.write("I like hiking in the mountains")["memory"]
    before = agent.get(f"memories/{row['id']}").json()
    run_at_once([[Question(query="hiking")] * 5 for _ in range(10)], agent.caller)
    with owner_scope(alice.pk):
        use = MemoryUse.objects.get(memory=row["id"])
        assert (use.times_served, use.missed_chances) == (50, 0)
        assert use.anchor == use.last_served_at
        assert Recall.objects.of(alice).count() == 50
    after = agent.get(f"memories/{row['id']}").json()
    assert {name for name in after if after[name] != before[name]} <= {
        "access_count", "last_served_at", "retention"
    }  # fmt: skip


@pytest.mark.long
def test_thousands_that_overlap_never_deadlock(committed: None, alice: User) -> None:
    """Twelve agents' worth of recalls over the same rows, each ranking them in another order."""
    topics = ["tea", "hiking", "jazz", "chess", "cats", "rain", "trains", "maps"]
    rows = [
        StoredRow(f"{topics[n % 8]} and {topics[(n * 3 + 1) % 8]}, day {n}", NOW, (str(n),))
        for n in range(24)
    ]
    with owner_scope(alice.pk):
        store_rows(alice.pk, rows, index_texts([row.content for row in rows]))
    chance = random.Random(7)
    acts = [
        [
            Question(query=" ".join(chance.sample(topics, 4)), top_k=chance.randint(1, 8))
            for _ in range(EACH)
        ]
        for _ in range(CLIENTS)
    ]
    run_at_once(acts, Caller(owner=alice.pk))
    with owner_scope(alice.pk):
        assert Recall.objects.of(alice).count() == EACH * CLIENTS
        served: Counter[UUID] = Counter(
            RecallItem.objects.of(alice).filter(place="memory").values_list("memory", flat=True)
        )
        counted = dict(MemoryUse.objects.of(alice).values_list("memory", "times_served"))
    assert sum(served.values()) > EACH * CLIENTS
    assert {pk: count for pk, count in counted.items() if count} == dict(served)
