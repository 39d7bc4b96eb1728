"""The tools of the MCP server: the API's services, rules and refusals in an assistant's words."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult

from accounts.ids import uuid7
from accounts.models import User
from memory.border import owner_scope
from memory.mcp import server
from memory.mcp.server import AT_ONCE, in_thread, make_server
from memory.models import AgentKey, Memory, Reading
from memory.services.pause import set_paused
from tests.border.test_matrix import SEES
from tests.border.world import SHARING, WORDS, fingerprint, make_world, rows_shown
from tests.conftest import NOW, ApiClient, MakeAgent
from tests.looping import run_apart, run_async

TEA = "I drink green tea in the morning"
GOOD: dict[str, dict[str, Any]] = {
    "remember": {"facts": [{"content": TEA}]},
    "recall": {"query": "What do I drink?"},
    "list_memories": {},
    "forget": {"id": str(uuid7())},
}
SCOPES = {"remember": "write", "recall": "recall", "list_memories": "recall", "forget": "delete"}

every_tool = pytest.mark.parametrize("tool", GOOD)


def call(key: str, tool: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
    """As a client of the SDK calls it, on the test's own connection."""

    async def ask() -> CallToolResult:
        async with Client(make_server(key)) as client:
            return await client.call_tool(tool, arguments if arguments is not None else GOOD[tool])

    return run_async(ask)


def told(agent: ApiClient, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """What came of a call that succeeded: the same as structure and as text."""
    result = call(agent.key, tool, arguments)
    assert not result.is_error, result.content
    [block] = result.content
    assert json.loads(block.text) == result.structured_content
    return result.structured_content


def refused(key: str, tool: str, arguments: dict[str, Any] | None = None) -> tuple[str, str]:
    """The code and the sentence of a refusal."""
    result = call(key, tool, arguments)
    assert result.is_error
    [block] = result.content
    assert result.structured_content is not None
    error = result.structured_content["error"]
    assert block.text == error["message"]
    return error["code"], block.text


def contents(owner: User) -> set[str]:
    with owner_scope(owner.pk):
        return set(Memory.objects.filter(deleted_at=None).values_list("content", flat=True))


# -- What there is ---------------------------------------------------------------------------------


def test_the_tools_say_what_they_take_and_what_they_do(agent: ApiClient) -> None:
    async def ask() -> Any:
        async with Client(make_server(agent.key)) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in run_async(ask)}
    assert set(tools) == set(GOOD)
    for name, tool in tools.items():
        assert tool.input_schema["type"] == "object"
        assert set(GOOD[name]) <= set(tool.input_schema["properties"]), name
        assert 50 < len(tool.description) < 600
    assert {n for n, tool in tools.items() if tool.annotations.read_only_hint} == {
        "recall", "list_memories",
    }  # fmt: skip
    assert {n for n, tool in tools.items() if tool.annotations.destructive_hint} == {"forget"}


def test_what_is_remembered_is_recalled_listed_and_forgotten(alice: User, agent: ApiClient) -> None:
    fact = {"content": TEA, "key": "user.drink.morning", "value": "Green tea"}
    [result] = told(agent, "remember", {"facts": [fact]})["results"]
    assert (result["decision"], result["memory"]["content"]) == ("ADD", TEA)
    pk = result["memory"]["id"]
    answer = told(agent, "recall", {"query": "What do I drink?", "max_tokens": 200})
    assert TEA in answer["context"]
    assert [memory["id"] for memory in answer["memories"]] == [pk]
    assert told(agent, "forget", {"id": pk}) == {"forgotten": pk}
    assert told(agent, "recall")["memories"] == []
    assert told(agent, "list_memories")["results"] == []
    with owner_scope(alice.pk):
        row = Memory.objects.get(pk=pk)
        assert row.deleted_at is not None
        assert (row.agent_id, row.value) == (agent.caller.agent, "Green tea")


def test_the_list_is_paged_to_its_end_and_noted_as_read(alice: User, agent: ApiClient) -> None:
    for city in ("Lisbon", "Oslo", "Lima", "Kyoto", "Dakar"):
        agent.write(f"I have friends in {city}")
    pages, cursor = [], None
    while True:
        page = told(agent, "list_memories", {"limit": 2, **({"cursor": cursor} if cursor else {})})
        pages.append([memory["content"] for memory in page["results"]])
        assert page["total"] == 5
        if (cursor := page["next"]) is None:
            break
    assert [len(page) for page in pages] == [2, 2, 1]
    assert {content for page in pages for content in page} == contents(alice)
    assert told(agent, "list_memories", {"q": "Kyoto"})["total"] == 1
    with owner_scope(alice.pk):
        assert sum(Reading.objects.values_list("rows", flat=True)) == 6


def test_it_answers_as_the_api_does(agent: ApiClient) -> None:
    agent.write("I may own a boat", source="inferred")
    agent.write("I am allergic to peanuts")
    question = {"query": "What must I not eat on my boat?"}
    ours, theirs = told(agent, "recall", question), agent.recall(**question, reinforce=False)
    assert ours["context"] == theirs["context"]
    assert [m["id"] for m in ours["memories"]] == [
        entry["memory"]["id"] for entry in (*theirs["standing"], *theirs["memories"])
    ]
    [asked] = ours["needs_confirmation"]
    assert asked["question"] == theirs["needs_confirmation"][0]["question"]


# -- Who is let in ---------------------------------------------------------------------------------


@every_tool
def test_a_key_that_is_unknown_revoked_or_over_says_so(
    alice: User, make_agent: MakeAgent, tool: str
) -> None:
    assert refused("mk_00000000_nonsense", tool)[0] == "unknown_key"
    late = make_agent(alice, expires_at=timezone.now() - timedelta(seconds=1))
    assert refused(late.key, tool)[0] == "expired_key"
    gone = make_agent(alice)
    with owner_scope(alice.pk):
        AgentKey.objects.filter(prefix=gone.key.split("_")[1]).update(revoked_at=timezone.now())
    code, said = refused(gone.key, tool)
    assert (code, said) == (
        "revoked_key", "This key was revoked. Make a new one on the Agents page.",
    )  # fmt: skip
    assert contents(alice) == set()


@every_tool
def test_a_key_may_only_what_its_scopes_say(alice: User, make_agent: MakeAgent, tool: str) -> None:
    lacking = make_agent(alice, scopes=tuple({"recall", "write", "delete"} - {SCOPES[tool]}))
    before = fingerprint(alice)
    code, said = refused(lacking.key, tool)
    assert (code, SCOPES[tool] in said) == ("scope_missing", True)
    assert {k: v for k, v in fingerprint(alice).items() if k != "memory_agentkey"} == {
        k: v for k, v in before.items() if k != "memory_agentkey"
    }


def test_while_paused_nothing_is_kept_and_nothing_told(alice: User, agent: ApiClient) -> None:
    pk = agent.write(TEA)["memory"]["id"]
    set_paused(owner=alice.pk, paused=True, now=NOW)
    [result] = told(agent, "remember", {"facts": [{"content": "I live in Porto"}]})["results"]
    assert (result["decision"], result["memory"]) == ("IGNORED", None)
    answer = told(agent, "recall")
    assert (answer["paused"], answer["context"], answer["memories"]) == (True, "", [])
    assert told(agent, "list_memories") == {
        "results": [], "next": None, "total": 0, "paused": True,
    }  # fmt: skip
    assert told(agent, "forget", {"id": pk})["decision"] == "IGNORED"
    assert contents(alice) == {TEA}


def test_a_key_used_too_often_waits(agent: ApiClient, settings: Any) -> None:
    settings.MEMOIR_REQUESTS_A_MINUTE, settings.MEMOIR_REQUESTS_BURST = 1, 2
    told(agent, "list_memories")
    told(agent, "list_memories")
    assert refused(agent.key, "list_memories")[0] == "rate_limited"


# -- Who sees what ---------------------------------------------------------------------------------


def test_no_agent_sees_or_takes_back_what_is_not_its_own(
    alice: User, bob: User, make_agent: MakeAgent
) -> None:
    world = make_world(alice, bob, make_agent)
    names = {pk: name for name, pk in world.rows.items()}
    for actor, allowed in SEES.items():
        agent = world.agents[actor]
        words = {word for name in allowed for word in rows_shown(WORDS[name])}
        page = told(agent, "list_memories", {"limit": 100})
        assert {names[m["id"]] for m in page["results"] if m["id"] in names} == allowed, actor
        assert page["total"] == len(page["results"])
        for asked in ({"q": "k"}, {"status": ["active", "conflict"]}):
            assert rows_shown(json.dumps(told(agent, "list_memories", asked))) <= words, actor
        for question in WORDS.values():
            answer = told(agent, "recall", {"query": question, "top_k": 50})
            assert rows_shown(json.dumps(answer)) <= words, (actor, question)
        for name in world.rows.keys() - allowed:
            nothing = refused(agent.key, "forget", {"id": str(uuid7())})
            assert refused(agent.key, "forget", {"id": world.rows[name]}) == nothing, (actor, name)
        for name in allowed & SHARING.keys() if actor != "writer" else ():
            said = refused(agent.key, "forget", {"id": world.rows[name]})
            assert said == ("owner_only", "Only the owner may change this memory."), (actor, name)
    assert {WORDS[name] for name in SHARING} <= contents(alice)


def test_what_another_agent_keeps_to_itself_is_not_given_away_by_writing_it_again(
    alice: User, make_agent: MakeAgent
) -> None:
    make_agent(alice, "writer").write("My kestrel is called Ada", key="user.pet.name", value="Ada")
    other = make_agent(alice, "other")
    fact = {"content": "My kestrel is called Bea", "key": "user.pet.name", "value": "Bea"}
    answer = told(other, "remember", {"facts": [fact]})
    assert "Ada" not in json.dumps(answer)
    assert told(other, "list_memories")["total"] == 1


# -- Bad input -------------------------------------------------------------------------------------

LONG = "x" * 10_000


@pytest.mark.parametrize(
    ("tool", "arguments", "where", "why"),
    [
        ("remember", {}, "facts", "required"),
        ("remember", {"facts": []}, "facts", "at least 1"),
        ("remember", {"facts": "tea"}, "facts", "list"),
        ("remember", {"facts": [{"content": TEA}, {"content": ""}]}, "facts.1.content", "short"),
        ("remember", {"facts": [{"content": TEA}, {"content": LONG}]}, "facts.1.content", "2000"),
        ("remember", {"facts": [{"content": TEA}, {"content": "a\0b"}]}, "facts.1.content", "NUL"),
        ("remember", {"facts": [{"content": TEA, "keey": "a"}]}, "facts.0.keey", "not permitted"),
        ("remember", {"facts": [{"content": TEA, "source": "me"}]}, "facts.0.source", "inferred"),
        ("remember", {"facts": [{"content": TEA, "valid_from": "2026-01-01T00:00:00"}]},
         "facts.0.valid_from", "time zone"),
        ("remember", {"facts": [{"content": TEA}, {"content": "b", "project": "nowhere"}]},
         "facts.1.project", "no project"),
        ("remember", {"facts": [{"content": TEA, "metadata": {"a\0": 1}}]}, "metadata", "stored"),
        ("remember", {"facts": [{"content": TEA}], "owner": "x"}, "owner", "not permitted"),
        ("recall", {"query": LONG}, "query", "4000"),
        ("recall", {"query": "\0"}, "query", "NUL"),
        ("recall", {"query": "tea", "max_tokens": 0}, "max_tokens", "greater"),
        ("recall", {"query": "tea", "project": "nowhere"}, "project", "no project"),
        ("list_memories", {"limit": 101}, "limit", "100"),
        ("list_memories", {"cursor": "x"}, "cursor", "not a cursor"),
        ("list_memories", {"status": ["any"]}, "status.0", "active"),
        ("forget", {"id": "a\0"}, "id", "NUL"),
        ("forget", {}, "id", "required"),
    ],
)  # fmt: skip
def test_bad_input_is_named_and_changes_nothing(
    alice: User, agent: ApiClient, tool: str, arguments: dict[str, Any], where: str, why: str
) -> None:
    agent.write("I was here before")
    code, said = refused(agent.key, tool, arguments)
    assert code == "validation_failed"
    assert where in said
    assert why in said
    assert said.endswith("Nothing was stored.") == (tool == "remember")
    assert contents(alice) == {"I was here before"}


def test_a_refused_fact_does_not_refuse_its_neighbours(alice: User, agent: ApiClient) -> None:
    facts = [{"content": "My password is hunter2hunter2!"}, {"content": TEA}]
    results = told(agent, "remember", {"facts": facts})["results"]
    assert [result["decision"] for result in results] == ["REFUSED", "ADD"]
    assert contents(alice) == {TEA}


def test_an_unknown_id_and_no_id_at_all_are_nothing_here(agent: ApiClient) -> None:
    for given in (str(uuid7()), "1", "x" * 36, "' OR 1=1 --"):
        assert refused(agent.key, "forget", {"id": given})[0] == "not_found"


def test_a_tool_there_is_not_is_an_error_of_the_protocol(agent: ApiClient) -> None:
    async def ask() -> None:
        async with Client(make_server(agent.key)) as client:
            with pytest.raises(MCPError, match="There is no tool of this name"):
                await client.call_tool("clear_all", {})

    run_async(ask)


# -- Threads and connections -----------------------------------------------------------------------


def test_a_call_leaves_no_connection_open(committed: None) -> None:
    def act() -> Any:
        connection.ensure_connection()
        return connections["default"]

    used = run_apart(in_thread(act))
    assert used is not connections["default"]
    assert used.connection is None


def test_no_more_than_a_few_calls_use_the_database_at_once() -> None:
    inside, most = 0, 0

    def act() -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.02)
        inside -= 1

    async def ask() -> None:
        await asyncio.gather(*(in_thread(act) for _ in range(20)))

    run_apart(ask())
    assert 1 < most <= AT_ONCE


def test_what_fails_unforeseen_gives_no_words_away(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: Any) -> None:
        raise RuntimeError("the kestrel lives in my workshop")

    monkeypatch.setattr(server, "use_tool", fail)
    code, said = refused(agent.key, "recall")
    assert (code, said) == ("internal", "Something went wrong here; the log has it.")
