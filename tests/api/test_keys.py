"""Who is let in: keys, scopes, and the shape of a refusal."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import AgentKey
from tests.conftest import ApiClient, MakeAgent

PATHS = ("me", "memories")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "missing_key"),
        ("Bearer ", "missing_key"),
        ("Basic abc", "missing_key"),
        ("Bearer mk_00000000_nonsense", "unknown_key"),
        ("Bearer 中文", "unknown_key"),
    ],
)
def test_without_a_known_key_nobody_is_let_in(
    database: None, client: Client, path: str, header: str | None, code: str
) -> None:
    answer = client.get(f"/api/v1/{path}", headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == code
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_valid_key_is_let_in(agent: ApiClient) -> None:
    assert agent.get("me").json() == {
        "owner": "Alice",
        "agent": "cursor",
        "scopes": ["delete", "recall", "write"],
        "projects": [],
        "paused": False,
    }


def test_revoked_and_expired_keys_say_so(alice: User, make_agent: MakeAgent) -> None:
    late = make_agent(alice, expires_at=timezone.now() - timedelta(seconds=1))
    assert late.get("me").json()["error"]["code"] == "expired_key"
    gone = make_agent(alice)
    with owner_scope(alice.pk):
        AgentKey.objects.filter(prefix=gone.key.split("_")[1]).update(revoked_at=timezone.now())
    assert gone.get("me").json()["error"]["code"] == "revoked_key"


@pytest.mark.parametrize(
    ("scope", "allowed", "refused"),
    [("recall", ("get", "memories", {}), ("post", "memories", {"facts": [{"content": "a b"}]})),
     ("write", ("post", "memories", {"facts": [{"content": "a b"}]}), ("get", "memories", {}))],
)  # fmt: skip
def test_a_key_may_only_what_its_scopes_say(
    alice: User, make_agent: MakeAgent, scope: str, allowed: tuple, refused: tuple
) -> None:
    program = make_agent(alice, scopes=(scope,))
    assert program.request(*allowed).status_code < 300
    answer = program.request(*refused)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "scope_missing")


def test_the_key_itself_is_stored_nowhere(alice: User, make_agent: MakeAgent) -> None:
    program = make_agent(alice)
    with owner_scope(alice.pk):
        [row] = AgentKey.objects.all()
        assert program.key.encode() not in bytes(row.hash)
        assert program.key.startswith(f"mk_{row.prefix}")


def test_an_inactive_owners_keys_are_unknown(alice: User, agent: ApiClient) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert agent.get("me").json()["error"]["code"] == "unknown_key"


def test_health_needs_no_key(database: None, client: Client) -> None:
    answer = client.get("/api/v1/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_an_unknown_address_answers_in_the_apis_shape(database: None, client: Client) -> None:
    answer = client.get("/api/v1/nothing/here")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_the_key_is_noted_as_used(alice: User, agent: ApiClient) -> None:
    agent.get("me")
    with owner_scope(alice.pk):
        [row] = AgentKey.objects.all()
        assert row.last_used_at is not None
