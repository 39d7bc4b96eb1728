"""What two agents keep apart: no row changes, neither is told, the owner is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Memory
from tests.conftest import ApiClient
from tests.panel.conftest import text_of

HOME = {"key": "user.residence"}


@pytest.fixture
def two(alice: User, make_agent: Callable[..., ApiClient]) -> tuple[ApiClient, ApiClient]:
    return make_agent(alice, "chat"), make_agent(alice, "cursor")


def entries(owner: User) -> list[Conflict]:
    with owner_scope(owner.pk):
        return list(Conflict.objects.of(owner).waiting())


@pytest.mark.parametrize("words", ["I live in Porto", "I moved to Porto"])
def test_the_owner_is_asked_and_no_agent_is_told(
    alice: User, signed_in: Client, two: tuple[ApiClient, ApiClient], words: str
) -> None:
    chat, cursor = two
    chat.write("I live in Lisbon", value="Lisbon", **HOME)
    answer = cursor.write(words, value="Porto", **HOME)
    assert answer["decision"] == "ADD"
    assert (answer["target"], answer["conflict"]) == (None, None)
    [entry] = entries(alice)
    assert entry.reason == "elsewhere"
    for agent in two:
        assert agent.get("conflicts").json()["total"] == 0
        [row] = agent.get("memories").json()["results"]
        assert (row["status"], row["contested"]) == ("active", False)
        history = agent.get(f"memories/{row['id']}/history").json()
        assert "elsewhere" not in str(history)
        assert str(entry.pk) not in str(history)
        assert agent.recall("where do I live")["needs_confirmation"] == []
    page = text_of(signed_in.get("/review/").content.decode())
    assert "Two of your agents keep what does not go together" in page
    assert "Lisbon" in page
    assert "Porto" in page


@pytest.mark.parametrize(
    ("word", "expected"),
    [("first", ["active", "superseded"]), ("both", ["active", "active"]),
     ("neither", ["superseded", "superseded"])],
)  # fmt: skip
def test_the_answer_rules_in_both_places(
    alice: User, signed_in: Client, two: tuple[ApiClient, ApiClient], word: str, expected: list[str]
) -> None:
    rows = [
        agent.write(f"I live in {place}", value=place, **HOME)["memory"]["id"]
        for agent, place in zip(two, ("Lisbon", "Porto"), strict=True)
    ]
    [entry] = entries(alice)
    sent = {"first": f"keep:{rows[0]}"}.get(word, word)
    assert signed_in.post(f"/review/{entry.pk}/answer/", {"answer": sent}).status_code == 302
    with owner_scope(alice.pk):
        assert [Memory.objects.get(pk=pk).status for pk in rows] == expected
    assert entries(alice) == []


def test_what_goes_together_or_may_be_seen_is_not_asked_about(
    alice: User, two: tuple[ApiClient, ApiClient]
) -> None:
    chat, cursor = two
    chat.write("I live in Lisbon", value="Lisbon", **HOME)
    cursor.write("I live in Lisbon now", value="Lisbon", **HOME)
    chat.write("I like tea", key="user.likes", value="tea")
    cursor.write("I like coffee", key="user.likes", value="coffee")
    assert entries(alice) == []


def test_it_is_asked_once_and_not_when_the_row_is_gone(
    alice: User, signed_in: Client, two: tuple[ApiClient, ApiClient]
) -> None:
    chat, cursor = two
    row = chat.write("I live in Lisbon", value="Lisbon", **HOME)["memory"]
    cursor.write("I live in Porto", value="Porto", **HOME)
    cursor.write("I moved to Rome", value="Rome", **HOME)
    assert len(entries(alice)) == 1
    chat.delete(f"memories/{row['id']}")
    assert "Nothing needs you" in text_of(signed_in.get("/review/").content.decode())
