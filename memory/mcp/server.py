"""The MCP server: the tools of `tools.py`, over standard input and output or over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import anyio
from anyio.lowlevel import RunVar
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.db import connections
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as Shown

from memory.adapters.embedders import get_embedder
from memory.api.boundary import render_json
from memory.api.errors import DATABASE_AWAY, ApiError, explain
from memory.api.keys import let_in
from memory.border import BorderDown, check_border
from memory.mcp.tools import TOOLS, Tool, use_tool
from memory.querysets.callers import Caller

log = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Memoir keeps what is known about the person you work for, and shows it to them. Recall before "
    "you answer what may depend on them; remember what they tell you that will matter later."
)
# How many calls use the database at once; the others wait.
AT_ONCE = 4

Context = ServerRequestContext[Any, Any]
Found = TypeVar("Found")


def make_server(key: str | None = None) -> Server[Any]:
    """A server for one key; without one, each request brings the caller its gate let in."""

    def let_in_from(context: Context) -> Caller:
        if key is not None:
            return let_in_checked(key)
        assert context.request is not None
        caller: Caller = context.request.state.caller
        return caller

    async def list_tools(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[_show(tool) for tool in TOOLS.values()])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message="There is no tool of this name.")

        def act() -> dict[str, Any]:
            return use_tool(let_in_from(context), tool, params.arguments or {})

        try:
            return _answer(await in_thread(act))
        except ApiError as error:
            return _answer(error.body(), said=error.message)

    return Server(
        "memoir",
        version=settings.VERSION,
        title="Memoir",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _show(tool: Tool) -> Shown:
    return Shown(
        name=tool.name,
        title=tool.title,
        description=tool.says,
        input_schema=tool.takes.model_json_schema(),
        annotations=ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=tool.destroys, open_world_hint=False
        ),
    )


def _answer(found: dict[str, Any], *, said: str | None = None) -> CallToolResult:
    """As structure, and as text for those who read only that; `said`: it is an error."""
    text = render_json(found) if said is None else said
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=found,
        is_error=said is not None,
    )


# -- From asynchronous to Django -------------------------------------------------------------------


async def in_thread(act: Callable[[], Found]) -> Found:
    """Act in a thread with connections of its own, closed afterwards. Raises ApiError only.

    A client may stay for days and ask twice: it must hold no connection meanwhile.
    """

    def act_and_close() -> Found:
        try:
            return act()
        except DATABASE_AWAY as error:
            said = explain(error)
            said.message = "Memoir does not answer. If it is not running, start it and try again."
            raise said from error
        except ApiError:
            raise
        except Exception as error:
            # Its words could be anybody's: they go to the log, not to whoever asks.
            log.exception("a tool failed")
            raise ApiError(500, "internal", "Something went wrong here; the log has it.") from error
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close()

    async with _turns(), ThreadSensitiveContext():
        return await sync_to_async(act_and_close, thread_sensitive=True)()


_limit: RunVar[anyio.CapacityLimiter] = RunVar("limit")


def _turns() -> anyio.CapacityLimiter:
    """The one of this event loop."""
    try:
        return _limit.get()
    except LookupError:
        _limit.set(anyio.CapacityLimiter(AT_ONCE))
        return _limit.get()


def let_in_checked(key: str) -> Caller:
    """As the API lets in, once it is certain that the border between owners holds."""
    try:
        _look_once()
    except BorderDown as error:
        log.error("not served: %s", error)
        raise ApiError(
            503, "unavailable", "Memoir is not set up rightly; the log says why."
        ) from error
    return let_in(key)


@cache
def _look_once() -> None:
    check_border()


def prepare() -> None:
    """Load the model before the first calls come at once and each load it."""
    get_embedder()


# -- Over standard input and output ----------------------------------------------------------------


async def serve_stdio(key: str) -> None:
    """Until the client closes our input."""
    prepare()
    server = make_server(key)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
