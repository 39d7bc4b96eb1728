"""Where the program calls out, and that only the site's settings say to whom."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from django import forms

import panel.agent_forms
import panel.forms
from memory.api import schemas
from memory.api.boundary import Input
from memory.domain.errors import UnsafePolicy
from memory.domain.policy import Policy

ROOT = Path(__file__).resolve().parent.parent.parent
# Whatever opens a connection to an address somebody gave it.
CALLS_OUT = {"urllib.request", "http.client", "httpx", "httpx2", "openai", "requests", "aiohttp",
             "smtplib", "ftplib", "socket"}  # fmt: skip
# The adapters, each with an address of the site's; and the program's own parts on this machine.
MAY = ("memory/adapters/", "config/embedded/", "config/supervisor.py", "config/preflight.py",
       "config/programs.py", "config/greeting.py")  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in ("config", "panel", "memory", "accounts"):
        for path in (ROOT / package).rglob("*.py"):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_only_the_adapters_call_out() -> None:
    callers = {where for where, tree in modules() if CALLS_OUT & set(imports(tree))}
    assert {where for where in callers if not where.startswith(MAY)} == set()
    assert any(where.startswith("memory/adapters/") for where in callers)


def test_only_the_adapters_read_the_addresses_and_only_from_the_settings() -> None:
    readers = {
        where
        for where, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("LLM_URL", "EMBEDDING_URL")
    }
    # The text for MCP clients depends on whether there is one; it calls nothing.
    readers.discard("panel/mcp_text.py")
    assert readers <= {"memory/adapters/judges.py", "memory/adapters/embedders.py"}
    assert readers


def test_nothing_that_people_or_agents_send_is_an_address() -> None:
    fields: set[str] = set()
    for _name, model in inspect.getmembers(schemas, inspect.isclass):
        if issubclass(model, Input):
            fields |= set(model.model_fields)
    for module in (panel.forms, panel.agent_forms):
        for _name, form in inspect.getmembers(module, inspect.isclass):
            if issubclass(form, forms.BaseForm):
                fields |= set(form.base_fields)
                assert not [
                    f for f in form.base_fields.values() if isinstance(f, forms.URLField)
                ], form
    assert len(fields) > 40
    assert not {f for f in fields if "url" in f or "host" in f or "endpoint" in f or "hook" in f}


@pytest.mark.parametrize("name", ["LLM_URL", "EMBEDDING_URL", "llm_url", "embedding_url"])
def test_no_owners_policy_names_an_address(name: str) -> None:
    with pytest.raises(UnsafePolicy):
        Policy.from_mapping({name: "http://169.254.169.254/"})
