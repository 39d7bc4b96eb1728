"""The owner's ruling on a contradiction: one wins, all or nothing, and it can be taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Ruling
from memory.models import Conflict, Event, Memory
from memory.services import settle, undo
from memory.services.errors import AlreadySettled, InvalidInput, NotFound
from tests.acts.looking import read, snapshot
from tests.conftest import NOW, ApiClient

Pair = tuple[Memory, Memory]


def entry_of(owner: User) -> Conflict:
    with owner_scope(owner.pk):
        return Conflict.objects.of(owner).get()


def rule(owner: User, ruling: Ruling, **more: Any) -> Any:
    return settle.settle_conflict(
        owner=owner.pk, conflict=entry_of(owner).pk, ruling=ruling, now=NOW, **more
    )


def statuses(owner: User, rows: Pair) -> list[str]:
    return [read(owner, row).status for row in rows]


@pytest.mark.parametrize("side", [0, 1])
def test_keeping_one_side_makes_the_other_its_past(alice: User, pair: Pair, side: int) -> None:
    kept, lost = pair[side], pair[1 - side]
    rule(alice, Ruling.KEPT, keep=kept.pk)
    assert (read(alice, kept).status, read(alice, lost).status) == ("active", "superseded")
    assert read(alice, lost).superseded_by_id == kept.pk
    assert read(alice, kept).replaces_id == lost.pk
    entry = entry_of(alice)
    assert (entry.state, entry.ruling, entry.settled_by_id) == ("settled", "kept", alice.pk)


def test_both_are_true_each_in_its_own_place(alice: User, pair: Pair) -> None:
    rule(alice, Ruling.BOTH, contexts={pair[0].pk: "写后端", pair[1].pk: "写脚本"})
    assert statuses(alice, pair) == ["active", "active"]
    assert read(alice, pair[0]).content == "我喜欢强类型语言（写后端）"


def test_merging_writes_what_is_true_and_keeps_both_as_its_past(alice: User, pair: Pair) -> None:
    rule(alice, Ruling.MERGED, text="后端用强类型，脚本用动态类型")
    assert statuses(alice, pair) == ["superseded", "superseded"]
    new = read(alice, read(alice, pair[0]).superseded_by_id)
    assert (new.status, new.content) == ("active", "后端用强类型，脚本用动态类型")
    assert new.replaces_id == pair[1].pk


def test_neither_denies_all(alice: User, pair: Pair) -> None:
    rule(alice, Ruling.NEITHER)
    assert [read(alice, row).status_reason for row in pair] == ["denied", "denied"]


RULINGS: dict[Ruling, Callable[[Pair], dict[str, Any]]] = {
    Ruling.KEPT: lambda pair: {"keep": pair[0].pk},
    Ruling.BOTH: lambda pair: {"contexts": {pair[0].pk: "上班时"}},
    Ruling.MERGED: lambda pair: {"text": "看情况"},
    Ruling.NEITHER: lambda pair: {},
}


@pytest.mark.parametrize("ruling", RULINGS)
def test_undo_brings_the_question_back_exactly(alice: User, pair: Pair, ruling: Ruling) -> None:
    before = snapshot(alice)
    gesture = rule(alice, ruling, **RULINGS[ruling](pair))
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    after = snapshot(alice)
    assert {pk: after[pk] for pk in before} == before


@pytest.mark.parametrize("ruling", RULINGS)
def test_the_second_ruling_is_told_that_somebody_was_first(
    alice: User,
    pair: Pair,
    ruling: Ruling,
) -> None:
    rule(alice, Ruling.NEITHER)
    before = snapshot(alice)
    with pytest.raises(AlreadySettled):
        rule(alice, ruling, **RULINGS[ruling](pair))
    assert snapshot(alice) == before


def test_two_rulings_at_once_one_wins(committed: None, alice: User, pair: Pair) -> None:
    results: list[str] = []

    def keep(row: Memory) -> None:
        try:
            rule(alice, Ruling.KEPT, keep=row.pk)
            results.append("won")
        except AlreadySettled:
            results.append("late")
        finally:
            connection.close()

    threads = [threading.Thread(target=keep, args=(row,)) for row in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["late", "won"]
    assert sorted(statuses(alice, pair)) == ["active", "superseded"]


def test_a_stranger_and_nonsense_are_refused(alice: User, bob: User, pair: Pair) -> None:
    entry = entry_of(alice)
    with pytest.raises(NotFound):
        settle.settle_conflict(owner=bob.pk, conflict=entry.pk, ruling=Ruling.NEITHER, now=NOW)
    with pytest.raises(InvalidInput):
        rule(alice, Ruling.KEPT, keep=bob.pk)
    with pytest.raises(InvalidInput):
        rule(alice, Ruling.MERGED)
    assert statuses(alice, pair) == ["conflict", "conflict"]


def test_every_ruling_leaves_its_event(alice: User, pair: Pair) -> None:
    rule(alice, Ruling.KEPT, keep=pair[0].pk)
    with owner_scope(alice.pk):
        [event] = Event.objects.filter(verb="settled")
    assert (event.actor, event.reason, event.at) == ("owner", "kept", NOW)


def test_agents_see_what_waits_and_cannot_settle(agent: ApiClient, alice: User) -> None:
    agent.write("我喜欢强类型语言", key="user.style", value="强类型")
    agent.write("我喜欢动态类型语言", key="user.style", value="动态类型")
    [entry] = agent.get("conflicts").json()["results"]
    assert (entry["reason"], len(entry["memories"])) == ("contradiction", 2)
    assert "哪个对" in entry["question"]
    assert agent.post(f"conflicts/{entry['conflict']}", {}).status_code in (404, 405)


def test_another_agents_guess_is_not_listed(
    alice: User, make_agent: Callable[..., ApiClient]
) -> None:
    cursor, chat = make_agent(alice, "cursor"), make_agent(alice, "chat")
    cursor.write("可能用 Mac", source="inferred")
    assert cursor.get("conflicts").json()["total"] == 1
    assert chat.get("conflicts").json() == {
        "results": [], "next": None, "total": 0, "paused": False,
    }  # fmt: skip


def test_wrong_opens_a_review_and_changes_no_fact(agent: ApiClient, alice: User) -> None:
    row = agent.write("likes green tea")["memory"]
    answer = agent.recall("green tea")
    path = f"recalls/{answer['id']}/feedback"
    for _ in range(2):
        said = agent.post(path, {"memory": row["id"], "outcome": "wrong"})
        assert said.status_code == 204
    assert entry_of(alice).reason == "reported"
    assert agent.get(f"memories/{row['id']}").json()["status"] == "active"
    assert len(agent.recall("green tea")["memories"]) == 1


def test_feedback_is_for_what_was_served_alone(
    alice: User, bob: User, make_agent: Callable[..., ApiClient]
) -> None:
    mine, other = make_agent(alice, "cursor"), make_agent(bob, "cursor")
    row = mine.write("likes green tea", visibility="user")["memory"]
    answer = mine.recall("green tea")
    body = {"memory": row["id"], "outcome": "used"}
    assert other.post(f"recalls/{answer['id']}/feedback", body).status_code == 404
    chat = make_agent(alice, "chat")
    assert chat.post(f"recalls/{answer['id']}/feedback", body).status_code == 404
    assert mine.post(f"recalls/{answer['id']}/feedback", body).status_code == 204
