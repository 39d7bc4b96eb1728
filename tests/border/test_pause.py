"""Paused: nothing is kept, nothing is told; for one agent or for one owner, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, Conversation, Event, Memory
from memory.models.events import Verb
from memory.services.errors import NotFound
from memory.services.pause import set_paused
from memory.services.undo import undo_gesture
from tests.conftest import NOW, ApiClient, MakeAgent

FACT = "I drink green tea"


@pytest.fixture
def other(alice: User, make_agent: MakeAgent) -> ApiClient:
    return make_agent(alice, "chat")


def memories_of(owner: User) -> int:
    with owner_scope(owner.pk):
        return int(Memory.objects.count())


def everything(agent: ApiClient, row: str) -> dict[str, Any]:
    """What every operation answers, by name."""
    talk = {"messages": [{"role": "user", "content": "I live in Lisbon"}]}
    recall = agent.recall(FACT)
    return {
        "write": agent.post("memories", {"facts": [{"content": "I live in Porto"}]}),
        "talk": agent.post("conversations", talk),
        "list": agent.get("memories"),
        "conflicts": agent.get("conflicts"),
        "recall": agent.post("recall", {"query": FACT}),
        "read": agent.get(f"memories/{row}"),
        "history": agent.get(f"memories/{row}/history"),
        "patch": agent.patch(f"memories/{row}", {"content": "changed", "version": 1}),
        "feedback": agent.post(
            f"recalls/{recall['id']}/feedback", {"memory": row, "outcome": "wrong"}
        ),
        "delete": agent.delete(f"memories/{row}"),
        "me": agent.get("me"),
    }


@pytest.mark.parametrize("whole", [True, False], ids=["the owner", "one agent"])
def test_while_paused_nothing_is_kept_and_nothing_is_told(
    alice: User, bob: User, agent: ApiClient, other: ApiClient, make_agent: MakeAgent, whole: bool
) -> None:
    row = agent.write(FACT)["memory"]["id"]
    other.write("I like jazz")
    foreign = make_agent(bob, "cursor")
    foreign.write("I like tea")
    before = memories_of(alice)
    gesture = set_paused(
        owner=alice.pk, paused=True, now=NOW, agent=None if whole else agent.caller.agent
    )
    got = everything(agent, row)
    assert {name: answer.status_code for name, answer in got.items()} == {
        "write": 202, "talk": 202, "list": 200, "conflicts": 200, "recall": 200, "read": 404,
        "history": 404, "patch": 202, "feedback": 202, "delete": 202, "me": 200,
    }  # fmt: skip
    said = {name: answer.json() for name, answer in got.items()}
    assert said["write"]["results"][0]["decision"] == "IGNORED"
    assert said["talk"] == {"conversation": None, "job": None, "paused": True}
    for name in ("list", "conflicts"):
        assert said[name] == {"results": [], "next": None, "total": 0, "paused": True}
    empty = ("standing", "memories", "needs_confirmation", "history", "dropped")
    assert said["recall"]["paused"] is True
    assert {name: said["recall"][name] for name in empty} == {name: [] for name in empty}
    assert said["recall"]["context"] == ""
    for name in ("patch", "feedback", "delete"):
        assert said[name] == {"decision": "IGNORED", "paused": True}
    assert said["me"]["paused"] is True
    assert memories_of(alice) == before
    with owner_scope(alice.pk):
        assert not Conversation.objects.exists()
        assert Memory.objects.get(pk=row).deleted_at is None
    # The other agent shares the owner's pause, not its neighbour's; a stranger shares neither.
    assert other.get("memories").json()["paused"] is whole
    assert foreign.get("memories").json() | {"results": []} == {
        "results": [], "next": None, "total": 1, "paused": False,
    }  # fmt: skip
    undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    assert agent.get("memories").json()["paused"] is False
    assert agent.recall(FACT)["memories"][0]["memory"]["id"] == row


def test_only_its_owner_pauses_an_agent(alice: User, bob: User, agent: ApiClient) -> None:
    with pytest.raises(NotFound):
        set_paused(owner=bob.pk, paused=True, now=NOW, agent=agent.caller.agent)
    set_paused(owner=bob.pk, paused=True, now=NOW)
    assert agent.get("me").json()["paused"] is False
    with owner_scope(alice.pk):
        assert not Agent.objects.get().paused


def test_a_pause_is_an_event(alice: User, agent: ApiClient) -> None:
    set_paused(owner=alice.pk, paused=True, now=NOW, agent=agent.caller.agent)
    set_paused(owner=alice.pk, paused=False, now=NOW, agent=agent.caller.agent)
    with owner_scope(alice.pk):
        lines = Event.objects.filter(verb__in=[Verb.PAUSED, Verb.RESUMED]).order_by("id")
        assert [(e.verb, e.data["row"], e.data["id"]) for e in lines] == [
            (Verb.PAUSED, "agent", str(agent.caller.agent)),
            (Verb.RESUMED, "agent", str(agent.caller.agent)),
        ]
