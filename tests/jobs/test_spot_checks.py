"""Spot checks: a few extractions a week ask the owner whether they are right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from memory import tasks
from memory.border import owner_scope
from memory.models import Memory, SpotCheck
from memory.services import check, dispatch
from memory.services.check import answer_spot_check, draw_spot_checks
from memory.services.errors import AlreadySettled, NotFound
from memory.services.undo import undo_gesture
from tests.conftest import ApiClient

FACTS = [
    "我住在杭州", "我喜欢喝绿茶", "我讨厌香菜", "我养了一只狗", "我会弹钢琴", "我对花生过敏",
]  # fmt: skip


@pytest.fixture
def now(agent: ApiClient, alice: User) -> datetime:
    """A moment of the week in which six facts were drawn from a conversation, and one was not."""
    agent.write("我在阿里云做后端")
    agent.post("conversations", {"messages": [{"role": "user", "content": f} for f in FACTS]})
    dispatch.run_due_jobs()
    with owner_scope(alice.pk):
        rows = Memory.objects.filter(message__isnull=False, status="active")
        assert rows.count() == len(FACTS)
        # A Wednesday, so that the week does not end while the test runs.
        moment = datetime(2026, 6, 3, 12, tzinfo=UTC)
        Memory.objects.update(created_at=moment - timedelta(hours=1))
    return moment


def drawn(owner: User) -> list[SpotCheck]:
    with owner_scope(owner.pk):
        return list(SpotCheck.objects.of(owner).waiting().select_related("memory"))


def test_three_a_week_are_drawn_however_often_the_draw_runs(alice: User, now: datetime) -> None:
    assert draw_spot_checks(alice.pk, now) == 3
    assert draw_spot_checks(alice.pk, now) == 0
    assert draw_spot_checks(alice.pk, now + timedelta(days=3)) == 0
    assert draw_spot_checks(alice.pk, now + timedelta(days=5)) == 3
    checks = drawn(alice)
    assert len({row.memory_id for row in checks}) == 6
    assert all(row.memory.message_id is not None for row in checks)


def test_what_is_older_than_a_week_is_not_drawn(alice: User, now: datetime) -> None:
    assert draw_spot_checks(alice.pk, now + timedelta(days=8)) == 0


def test_right_changes_nothing_and_is_not_asked_again(alice: User, now: datetime) -> None:
    draw_spot_checks(alice.pk, now)
    row = drawn(alice)[0]
    with owner_scope(alice.pk):
        before = Memory.objects.filter(pk=row.memory_id).values().get()
    answer_spot_check(alice.pk, row.pk, True, now)
    with owner_scope(alice.pk):
        assert Memory.objects.filter(pk=row.memory_id).values().get() == before
    assert len(drawn(alice)) == 2
    with pytest.raises(AlreadySettled):
        answer_spot_check(alice.pk, row.pk, False, now)


def test_wrong_denies_and_it_is_not_learned_again(
    agent: ApiClient, alice: User, now: datetime
) -> None:
    draw_spot_checks(alice.pk, now)
    row = drawn(alice)[0]
    answer_spot_check(alice.pk, row.pk, False, now)
    with owner_scope(alice.pk):
        memory = Memory.objects.get(pk=row.memory_id)
    assert (memory.status, memory.status_reason) == ("superseded", "denied")
    assert agent.write(memory.content)["decision"] == "REFUSED"


def test_wrong_may_be_corrected_and_all_of_it_undone(alice: User, now: datetime) -> None:
    draw_spot_checks(alice.pk, now)
    row = drawn(alice)[0]
    said = row.memory.content
    gesture = answer_spot_check(alice.pk, row.pk, False, now, "我对虾过敏")
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=row.memory_id).content == "我对虾过敏"
    undo_gesture(owner=alice.pk, gesture=gesture, now=now)
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=row.memory_id).content == said
    assert row.pk in {other.pk for other in drawn(alice)}


def test_nobody_answers_anothers(alice: User, bob: User, now: datetime) -> None:
    draw_spot_checks(alice.pk, now)
    with pytest.raises(NotFound):
        answer_spot_check(bob.pk, drawn(alice)[0].pk, True, now)


def test_what_was_taken_away_meanwhile_waits_no_more(
    agent: ApiClient, alice: User, now: datetime
) -> None:
    from memory.services.erase import delete_memory

    draw_spot_checks(alice.pk, now)
    row = drawn(alice)[0]
    delete_memory(owner=alice.pk, memory=row.memory_id, now=now)
    assert row.pk not in {other.pk for other in drawn(alice)}


def test_the_task_draws_for_everybody(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.timezone, "now", lambda: now)
    assert tasks.draw_spot_checks() == 3
    assert check.draw_for_all(now) == 0
