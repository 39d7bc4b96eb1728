"""Topics in the panel: renamed, merged, and how many values one holds, by plain forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory
from tests.conftest import ApiClient, count_statements
from tests.panel.conftest import text_of

Make = Callable[..., Memory]


def keys(owner: User) -> list[str]:
    with owner_scope(owner.pk):
        return list(Memory.objects.of(owner).order_by("id").values_list("key", flat=True))


def rename(client: Client, key: str, name: str) -> int:
    return client.post("/topics/rename/", {"key": key, "name": name}).status_code


@pytest.fixture
def two(agent: ApiClient) -> None:
    agent.write("drinks oolong", key="user.beverage", value="oolong")
    agent.write("my editor is Vim", key="user.editor", value="Vim")


def test_a_topic_is_renamed_and_that_is_undone(
    signed_in: Client, alice: User, two: None, agent: ApiClient
) -> None:
    assert rename(signed_in, "user.beverage", "What I drink") == 302
    assert keys(alice) == ["user.what_i_drink", "user.editor"]
    page = signed_in.get("/topics/").content.decode()
    assert "is called “What i drink” now: 1 memory moved." in text_of(page)
    undo = re.search(r'action="(/undo/[^"]+)"', page)
    assert undo
    signed_in.post(undo[1], {"next": "/topics/"})
    assert keys(alice) == ["user.beverage", "user.editor"]


@pytest.mark.parametrize("name", ["Editor", "编辑器", "user.editor"])
def test_the_name_of_another_in_either_language_makes_the_two_one(
    signed_in: Client, alice: User, two: None, name: str
) -> None:
    rename(signed_in, "user.beverage", name)
    assert keys(alice) == ["user.editor", "user.editor"]
    text = text_of(signed_in.get("/topics/").content.decode())
    assert "is part of “Editor” now" in text
    assert "Review asks you" in text
    assert "1 of 1" in text_of(signed_in.get("/review/").content.decode())


def test_the_same_name_is_refused_and_kept(signed_in: Client, alice: User, two: None) -> None:
    response = signed_in.post("/topics/rename/", {"key": "user.editor", "name": "Editor"})
    assert response.status_code == 422
    assert "Give it another name" in response.content.decode()
    assert keys(alice) == ["user.beverage", "user.editor"]


def test_several_values_may_stand_side_by_side(
    signed_in: Client, alice: User, two: None, agent: ApiClient
) -> None:
    assert "one value at a time" in text_of(signed_in.get("/topics/").content.decode())
    sent = {"key": "user.editor", "values": "many"}
    assert signed_in.post("/topics/values/", sent).status_code == 302
    assert "several values side by side" in text_of(signed_in.get("/topics/").content.decode())
    answer = agent.write("my editor is Zed", key="user.editor", value="Zed")
    assert answer["decision"] == "ADD"


def test_strangers_topics_are_404(client: Client, bob: User, alice: User, two: None) -> None:
    client.force_login(bob)
    assert rename(client, "user.editor", "mine") == 404
    sent = {"key": "user.editor", "values": "many"}
    assert client.post("/topics/values/", sent).status_code == 404
    assert "No topics yet" in client.get("/topics/").content.decode()
    assert keys(alice) == ["user.beverage", "user.editor"]


def test_as_many_statements_for_two_topics_as_for_twenty(
    signed_in: Client, alice: User, two: None, put: Any
) -> None:
    counts = []
    for number in (0, 18):
        for n in range(number):
            put(alice, f"fact {n}", key=f"user.topic{n}", value=str(n))
        signed_in.get("/topics/")
        with count_statements() as counted:
            assert signed_in.get("/topics/").status_code == 200
        counts.append(len(counted))
    assert counts[0] == counts[1] <= 12
