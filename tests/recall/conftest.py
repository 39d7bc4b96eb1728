"""Shared by the tests of recalls and their pages."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory
from tests.conftest import ApiClient


@pytest.fixture
def told(alice: User, agent: ApiClient) -> dict[str, Any]:
    """One recall that has something of everything: standing, facts, asked back, history."""
    agent.write("对花生过敏")
    agent.write("Always answer briefly", kind="procedural")
    agent.write("I live in Berlin", key="user.residence", value="Berlin")
    moved = agent.write("I moved to Lisbon", key="user.residence", value="Lisbon")
    guess = agent.write("might live near the harbour in Lisbon", source="inferred")
    other = agent.write("The Lisbon office is where I work on Mondays")
    answer = agent.recall("where do I live now, Lisbon", include_history=True, explain=True)
    assert answer["standing"]
    assert answer["memories"]
    assert answer["needs_confirmation"]
    assert answer["history"]
    return {"answer": answer, "moved": moved["memory"], "guess": guess, "other": other["memory"]}


def change(owner: User, pk: str, **fields: Any) -> None:
    """Set a row as a test needs it."""
    with owner_scope(owner.pk):
        Memory.objects.filter(pk=pk).update(**fields)
