"""`manage.py reembed`: every row gets a vector of the embedder in force, and may be resumed."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connections

from accounts.models import User
from config.checks import check_stored_vectors
from memory.adapters.embedders import EmbedderDown, HashEmbedder
from memory.border import owner_scope
from memory.models import Memory
from memory.services.settle import confirm_memory, deny_memory
from tests.conftest import NOW, ApiClient

EMBEDDERS = ("memory.services.reembed.get_embedder", "memory.services.consider.get_embedder",
             "memory.services.recall.get_embedder",
             "memory.management.commands.reembed.get_embedder")  # fmt: skip


@pytest.fixture
def another_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in EMBEDDERS:
        monkeypatch.setattr(place, HashEmbedder)


def reembed() -> dict[str, object]:
    out = StringIO()
    call_command("reembed", stdout=out, stderr=StringIO())
    figures: dict[str, object] = json.loads(out.getvalue())
    return figures


def test_rows_move_and_are_found_by_words_meanwhile(
    alice: User, bob: User, agent: ApiClient, make_memory: Callable[..., Memory],
    another_embedder: None,
) -> None:  # fmt: skip
    row = agent.write("likes green tea")["memory"]
    make_memory(bob, "likes coffee")
    assert [m["memory"]["id"] for m in agent.recall("green tea")["memories"]] == [row["id"]]
    assert reembed() == {"embedder": "hash-64", "moved": 2}
    assert reembed() == {"embedder": "hash-64", "moved": 0}
    with owner_scope(alice.pk):
        [moved] = Memory.objects.all()
    assert (moved.embedder, len(moved.embedding), moved.version) == ("hash-64", 64, 1)
    assert [m["memory"]["id"] for m in agent.recall("green tea")["memories"]] == [row["id"]]


def test_nothing_but_the_vector_changes(
    alice: User, agent: ApiClient, make_memory: Callable[..., Memory], another_embedder: None
) -> None:
    """What the owner confirmed stays confirmed, what was denied stays denied, what waits waits."""
    confirmed = make_memory(alice, "likes green tea")
    confirm_memory(owner=alice.pk, memory=confirmed.pk, now=NOW)
    denied = make_memory(alice, "likes opera", source="inferred")
    deny_memory(owner=alice.pk, memory=denied.pk, now=NOW)
    agent.write("may use a Mac", source="inferred")
    vector = ("embedding", "embedder")

    def rows() -> list[dict[str, object]]:
        with owner_scope(alice.pk):
            found = list(Memory.objects.order_by("pk").values())
        return [{name: v for name, v in row.items() if name not in vector} for row in found]

    before = rows()
    assert {row["status"] for row in before} == {"active", "superseded", "conflict"}
    assert reembed()["moved"] == 3
    assert rows() == before


def test_an_embedder_that_is_down_stops_it_in_one_sentence(
    agent: ApiClient, another_embedder: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.write("likes green tea")

    def fail(self: HashEmbedder, texts: object) -> None:
        raise EmbedderDown("planted")

    monkeypatch.setattr(HashEmbedder, "embed", fail)
    with pytest.raises(CommandError, match="run the command again"):
        call_command("reembed", stderr=StringIO())


def test_the_check_names_both_embedders_and_the_command(
    committed: None, agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_stored_vectors(databases=["schema"]) == []
    agent.write("likes green tea")
    assert check_stored_vectors(databases=["schema"]) == []
    monkeypatch.setattr("config.checks.get_embedder", HashEmbedder)
    assert check_stored_vectors(databases=None) == []
    [warning] = run_checks(databases=["schema"])
    assert warning.id == "memoir.W003"
    assert "embedded by use-multilingual-v3" in warning.msg
    assert "in force is hash-64" in warning.msg
    assert "manage.py reembed" in str(warning.hint)
    for place in EMBEDDERS:
        monkeypatch.setattr(place, HashEmbedder)
    assert reembed() == {"embedder": "hash-64", "moved": 1}
    assert run_checks(databases=["schema"]) == []
    connections["schema"].close()
