"""An account nobody touched for 400 days, then 30 days of sweeps."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Visibility
from memory.models import Event, Memory
from memory.querysets.callers import Caller
from memory.services.consider import Question
from memory.services.recall import recall
from memory.services.retain import Sweep, sweep
from memory.services.settle import confirm_memory
from memory.services.undo import undo_gesture
from memory.services.write import Fact, write_facts
from tests.conftest import NOW

DAY = timedelta(days=1)
CHATTER = [
    "今天喝了咖啡", "had two meetings today", "刚吃完午饭", "the bus was late", "有点困",
    "watched a film last night", "下雨了", "my desk is untidy", "在调一个脚本", "lunch was fine",
]  # fmt: skip


def test_what_matters_is_there_and_the_rest_can_be_had_back(alice: User, client: Client) -> None:
    """1. Sweeps every day for 30 days after 400 days of silence.

    2. Protected memories are active and told first; chatter is archived.
    3. Every removal has its reason and can be taken back. Nothing was deleted.
    """
    caller = Caller(owner=alice.pk)
    say = [Fact(content=text, visibility=Visibility.USER) for text in CHATTER]
    important = [Fact(content="对花生过敏", visibility=Visibility.USER),
                 Fact(content="I am a backend engineer", visibility=Visibility.USER)]  # fmt: skip
    write_facts(caller, say, now=NOW)
    [allergy, job] = write_facts(caller, important, now=NOW)
    assert allergy.memory is not None
    assert job.memory is not None
    confirm_memory(owner=alice.pk, memory=job.memory.pk, now=NOW)

    with owner_scope(alice.pk):
        count = Memory.objects.count()
    changed = 0
    for day in range(30):
        changed += sum(sweep(now=NOW + (400 + day) * DAY).values())
    later = NOW + 430 * DAY

    with owner_scope(alice.pk):
        rows = {row.pk: row for row in Memory.objects.select_related("use")}
        events = list(Event.objects.of(alice).filter(actor="program"))
    assert len(rows) == count
    kept = {allergy.memory.pk, job.memory.pk}
    for pk, row in rows.items():
        if pk in kept:
            assert (row.status, row.archived_at) == ("active", None)
        else:
            assert row.archived_at is not None, row.content
            assert row.deleted_at is None
    assert changed == len(events)
    assert {event.memory_id for event in events} == set(rows) - kept
    assert {(event.verb, event.reason) for event in events} == {
        ("archived", "faded"), ("outdated", "faded"),
    }  # fmt: skip
    assert all(event.data["retention"] < event.data["line"] for event in events)

    answer = recall(caller, Question(query="能吃花生酱吗", reinforce=False), now=later)
    assert answer.standing[0][0].pk == allergy.memory.pk
    assert answer.context.startswith("- 对花生过敏")
    answer = recall(caller, Question(query="what is my work", reinforce=False), now=later)
    assert answer.served[0].memory.pk == job.memory.pk

    client.force_login(alice)
    assert "Undo" in client.get("/activity/").content.decode()
    for event in reversed(events):
        undo_gesture(owner=alice.pk, gesture=event.gesture, now=later)
    with owner_scope(alice.pk):
        assert not Memory.objects.exclude(status="active", archived_at=None).exists()
    assert sweep(now=later + timedelta(hours=1), only=[Sweep.ARCHIVE, Sweep.STALE]) == {
        "stale": 0, "archive": 0,
    }  # fmt: skip
