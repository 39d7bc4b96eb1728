"""What a client that speaks MCP is configured with, as text to paste."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

LOCAL = {"127.0.0.1", "localhost", "::1"}


def mcp_text(key: str) -> str | None:
    """For this key; None where no text would work wherever it is pasted.

    The address, where there is one. Else the program itself, for clients of this machine: only
    with what comes along, since with services of one's own it would need their passwords.
    """
    if settings.MEMOIR_MCP_URL:
        server: dict[str, Any] = {
            "url": settings.MEMOIR_MCP_URL,
            "headers": {"Authorization": f"Bearer {key}"},
        }
    elif starts_here():
        server = {
            "command": sys.executable,
            "args": [str(settings.BASE_DIR / "manage.py"), "mcp"],
            "env": {"MEMOIR_KEY": key, **_own_settings()},
        }
    else:
        return None
    return json.dumps({"mcpServers": {"memoir": server}}, indent=2, ensure_ascii=False)


def starts_here() -> bool:
    """Whether people use this installation on the machine it runs on, with all it brings along."""
    return (
        settings.EMBEDDED
        and urlsplit(settings.MEMOIR_BASE_URL).hostname in LOCAL
        and not (settings.EMBEDDING_URL or settings.LLM_URL)
    )


def _own_settings() -> dict[str, str]:
    """What the client's environment would not have, and memories are kept by."""
    own = {}
    if settings.MEMOIR_HOME != settings.BASE_DIR / "var":
        own["MEMOIR_HOME"] = str(settings.MEMOIR_HOME)
    if settings.MEMOIR_POLICY:
        own["MEMOIR_POLICY"] = json.dumps(settings.MEMOIR_POLICY)
    return own
