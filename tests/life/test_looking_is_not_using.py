"""Reading moves no counter, no anchor, no updated_at and no version."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, Conflict, Memory, MemoryUse
from memory.services.retain import sweep
from tests.conftest import NOW, ApiClient
from tests.life.conftest import Put
from tests.panel.test_public_urls import patterns

# Pages that act when they are fetched, on purpose.
ACTS = {"account_logout", "account_confirm_email", "sign_in_by_link"}


@pytest.fixture
def store(alice: User, agent: ApiClient) -> dict[str, str]:
    """One row of each sort: served, protected, stale, waiting, archived, past, deleted."""
    facts = [
        agent.write("对花生过敏"),
        agent.write("I live in Hangzhou", key="user.residence", value="Hangzhou"),
        agent.write("I moved to Berlin", key="user.residence", value="Berlin"),
        agent.write("might use a Mac", source="inferred"),
        agent.write("had coffee today"),
        agent.write("had tea today"),
    ]
    ids = [fact["memory"]["id"] for fact in facts]
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=ids[4]).update(archived_at=NOW)
        Memory.objects.filter(pk=ids[5]).update(status="stale", status_reason="faded")
        entry = Conflict.objects.of(alice).first()
    assert entry is not None
    asked = agent.recall("where do I live, peanuts", reinforce=False)
    return {
        "memory": ids[0],
        "conflict": str(entry.pk),
        "recall": asked["id"],
        "all": " ".join(ids),
    }


def rows_of(owner: User) -> list[dict[str, Any]]:
    with owner_scope(owner.pk):
        names = [f.attname for f in Memory._meta.concrete_fields if f.attname != "embedding"]
        return [
            *Memory.objects.filter(owner=owner).order_by("pk").values(*names),
            *MemoryUse.objects.filter(owner=owner).order_by("pk").values(),
        ]


def test_no_read_of_the_api_is_a_use(alice: User, agent: ApiClient, store: dict[str, str]) -> None:
    before = rows_of(alice)
    paths = agent.get("openapi.json").json()["paths"]
    walked = []
    for path, operations in paths.items():
        if "get" not in operations:
            continue
        kind = "conflict" if "conflict" in path else "memory"
        url = re.sub(r"\{[^}]+\}", store[kind], path)
        answer = agent.get(url, {"q": "coffee"} if url.endswith("/memories") else None)
        assert answer.status_code in (200, 404), (url, answer.content)
        walked.append((path, answer.status_code))
        assert rows_of(alice) == before, path
    read = {path for path, status in walked if status == 200}
    assert {"/api/v1/memories", "/api/v1/conflicts"} <= read
    assert any(path.startswith("/api/v1/memories/{") for path in read)


def test_no_page_is_a_use(alice: User, store: dict[str, str], signed_in: Client) -> None:
    before = rows_of(alice)
    fetched = []
    with owner_scope(alice.pk):
        agent_id = Agent.objects.of(alice).get().pk
    for path, pattern in patterns(get_resolver()):
        if path.startswith("api/") or pattern.name in ACTS:
            continue
        url = "/" + re.sub(r"<(?:\w+:)?(?:conflict|entry)>", store["conflict"], path)
        url = re.sub(r"<(?:\w+:)?recall>", store["recall"], url)
        url = re.sub(r"<(?:\w+:)?\w+>", store["memory"], url)
        if re.search(r"[\\^$(?]", url):
            continue
        asked = {"/": {"q": "coffee"}, "/recalls/try/": {"q": "coffee", "agent": agent_id}}
        answer = signed_in.get(url, asked.get(url))
        assert answer.status_code < 500, url
        fetched += [url] * (answer.status_code == 200)
        assert rows_of(alice) == before, url
    assert len(fetched) >= 5
    assert {"/recalls/", "/recalls/try/", f"/recalls/{store['recall']}/"} <= set(fetched)


@pytest.mark.parametrize("asked", [{"reinforce": False}, {"as_of": "2026-01-01T00:00:00Z"}])
def test_a_recall_that_says_so_is_no_use(
    alice: User, agent: ApiClient, store: dict[str, str], asked: dict[str, Any]
) -> None:
    before = rows_of(alice)
    assert agent.recall("where do I live, coffee", **asked)["memories"]
    assert rows_of(alice) == before


def test_a_recall_is_a_use_of_what_it_returned_and_of_nothing_else(
    alice: User, agent: ApiClient, store: dict[str, str]
) -> None:
    before = {row["memory_id"]: row for row in rows_of(alice) if "memory_id" in row}
    answer = agent.recall("where do I live", top_k=1)
    after = {row["memory_id"]: row for row in rows_of(alice) if "memory_id" in row}
    changed = {str(pk) for pk in after if after[pk]["times_served"] != before[pk]["times_served"]}
    assert changed == {item["memory"]["id"] for item in answer["memories"]}
    [pk] = [pk for pk in after if str(pk) in changed]
    assert after[pk]["times_served"] == 1


def test_a_dry_sweep_is_no_use(alice: User, store: dict[str, str], put: Put) -> None:
    put(alice, "due", days=9)
    before = rows_of(alice)
    sweep(now=NOW, dry_run=True)
    assert rows_of(alice) == before
