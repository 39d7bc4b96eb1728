"""`manage.py mcp` as clients meet it: the text of the page as pasted, and over HTTP."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.test import Client as Browser
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from accounts.models import User
from config.embedded import Home, running
from memory.border import owner_scope
from memory.models import Memory
from panel.mcp_text import mcp_text
from tests.conftest import MakeAgent
from tests.looping import run_async
from tests.product import ROOT, Product, free_port

KAYAK = "My kayak is called Rosa"


def pasted(page: str) -> dict[str, Any]:
    """The one server in the text for clients that speak MCP."""
    [text] = re.findall(r'id="copy-mcp"[^>]*>(.*?)</pre>', page, re.S)
    servers = json.loads(html.unescape(text))["mcpServers"]
    assert list(servers) == ["memoir"]
    server: dict[str, Any] = servers["memoir"]
    return server


def of_the_tests() -> dict[str, str]:
    """What leads to the tests' database, which no page could know of."""
    named = Product(configured.DATABASES["default"]["NAME"]).environment
    return {name: named[name] for name in ("DATABASE_URL", "BROKER_URL", "SECRET_KEY")}


async def remember_and_recall(client: Client) -> str:
    stored = await client.call_tool("remember", {"facts": [{"content": KAYAK}]})
    assert not stored.is_error, stored.content
    found = await client.call_tool("recall", {"query": "What is my kayak called?"})
    assert found.structured_content is not None
    return str(found.structured_content["context"])


def kept(owner: User) -> list[str]:
    with owner_scope(owner.pk):
        return list(Memory.objects.values_list("content", flat=True))


# -- Over standard input and output ----------------------------------------------------------------


@pytest.fixture
def at_home(settings: Any) -> None:
    """As `make run` without any setting."""
    settings.EMBEDDED = True
    settings.MEMOIR_BASE_URL = "http://127.0.0.1:8000"
    settings.EMBEDDING_URL = settings.LLM_URL = settings.MEMOIR_MCP_URL = ""


def test_the_text_of_the_page_works_as_it_is_pasted(
    committed: None, at_home: None, signed_in: Browser, alice: User
) -> None:
    wanted = {"name": "Claude", "scopes": ["recall", "write"]}
    server = pasted(signed_in.post("/agents/connect/", wanted).content.decode())
    program = StdioServerParameters(
        command=server["command"],
        args=server["args"],
        env={**server["env"], **of_the_tests()},
        cwd="/",
    )

    async def ask() -> str:
        async with Client(stdio_client(program)) as client:
            return await remember_and_recall(client)

    assert KAYAK in run_async(ask)
    assert kept(alice) == [KAYAK]


@pytest.mark.usefixtures("at_home")
class TestWhatThePageOffers:
    def test_only_what_differs_is_said(self, settings: Any) -> None:
        settings.MEMOIR_HOME = settings.BASE_DIR / "var"
        text = mcp_text("mk_x")
        assert text is not None
        assert json.loads(text)["mcpServers"]["memoir"]["env"] == {"MEMOIR_KEY": "mk_x"}

    def test_an_address_goes_before_the_program(self, settings: Any) -> None:
        settings.MEMOIR_MCP_URL = "https://memoir.example.com/mcp"
        text = mcp_text("mk_x")
        assert text is not None
        assert json.loads(text)["mcpServers"]["memoir"] == {
            "url": "https://memoir.example.com/mcp",
            "headers": {"Authorization": "Bearer mk_x"},
        }

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("EMBEDDED", False),
            ("MEMOIR_BASE_URL", "https://memoir.example.com"),
            ("EMBEDDING_URL", "http://127.0.0.1:1/v1"),
            ("LLM_URL", "http://127.0.0.1:1/v1"),
        ],
    )
    def test_nothing_where_it_would_not_work(
        self, db: None, signed_in: Browser, settings: Any, name: str, value: Any
    ) -> None:
        setattr(settings, name, value)
        page = signed_in.post("/agents/connect/", {"name": "x", "scopes": ["recall"]})
        assert "copy-curl" in page.content.decode()
        assert "mcpServers" not in page.content.decode()


def test_without_a_key_it_says_what_is_missing(settings: Any) -> None:
    settings.MEMOIR_KEY = ""
    with pytest.raises(CommandError, match="MEMOIR_KEY must hold an agent's key"):
        call_command("mcp")


def test_where_nothing_runs_it_says_so_and_starts_nothing(tmp_path: Any) -> None:
    """It stays for days: a database it had started would keep `make run` from starting."""
    program = StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "manage.py"), "mcp"],
        env={"MEMOIR_KEY": "mk_x", "MEMOIR_HOME": str(tmp_path)},
    )

    async def ask() -> str:
        async with Client(stdio_client(program)) as client:
            result = await client.call_tool("list_memories", {})
        assert result.is_error
        return str(result.content[0].text)  # type: ignore[union-attr]

    assert run_async(ask) == (
        "Memoir does not answer. If it is not running, start it and try again."
    )
    assert not running(Home(tmp_path))
    assert not (tmp_path / "postgres").exists()


# -- Over HTTP -------------------------------------------------------------------------------------


@pytest.fixture
def address(committed: None) -> Iterator[str]:
    """`manage.py mcp --http` on the tests' database."""
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "mcp", "--http", "--port", str(port)],
        cwd=ROOT, env={**kept, **of_the_tests()}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if "running on" in line:
            break
    yield f"http://127.0.0.1:{port}/mcp"
    process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    log, _ = process.communicate(timeout=10)
    assert time.monotonic() - began < 5
    assert "Traceback" not in log
    assert KAYAK not in log


LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def test_over_http_each_request_brings_its_key(
    address: str, alice: User, bob: User, make_agent: MakeAgent
) -> None:
    ours, theirs = make_agent(alice), make_agent(bob)

    async def ask(key: str, tool: str) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            if tool == "remember":
                return await remember_and_recall(client)
            return (await client.call_tool(tool, {})).structured_content

    assert KAYAK in run_async(ask, ours.key, "remember")
    assert run_async(ask, theirs.key, "list_memories")["total"] == 0
    assert kept(alice) == [KAYAK]

    headers = {"Accept": "application/json, text/event-stream"}
    good = {**headers, "Authorization": f"Bearer {ours.key}"}
    with httpx2.Client() as plain:
        wrong = {**headers, "Authorization": "Bearer mk_x"}
        for sent, code in ((headers, "missing_key"), (wrong, "unknown_key")):
            answer = plain.post(address, json=LIST, headers=sent)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        answer = plain.post(address, json=LIST, headers=good)
        assert answer.headers["Content-Type"] == "application/json"
        assert len(answer.json()["result"]["tools"]) == 4
        assert "Mcp-Session-Id" not in answer.headers
        # What a page of a browser could be made to send.
        assert plain.post(address, json=LIST, headers={**good, "Host": "evil.test"}).is_error
        assert plain.post(
            address, json=LIST, headers={**good, "Origin": "http://evil.test"}
        ).is_error
        assert plain.get(address, headers=good).status_code == 405
        flood = {**LIST, "params": {"cursor": "x" * 2_000_000}}
        assert plain.post(address, json=flood, headers=good).status_code == 413
