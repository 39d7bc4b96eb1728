"""`manage.py mcp`: Memoir as an MCP server, for a client that starts it or over HTTP."""

from __future__ import annotations

import logging
import signal
from typing import Any

import anyio
import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.mcp.server import serve_stdio
from memory.mcp.web import make_application

# More than this at once are told to come back.
MOST = 100


class Command(BaseCommand):
    help = (
        "Serve the tools remember, recall, list_memories and forget by the Model Context Protocol: "
        "over standard input and output with the key of MEMOIR_KEY, or over HTTP with a key in "
        "each request. Memoir must be running."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--http", action="store_true", help="over HTTP, at /mcp")
        parser.add_argument(
            "--host", default="127.0.0.1", help="with --http (default: %(default)s)"
        )
        parser.add_argument(
            "--port", type=int, default=8001, help="with --http (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # Of each request it would say that its session ends; there are none.
        logging.getLogger("mcp").setLevel(logging.WARNING)
        if options["http"]:
            uvicorn.run(
                make_application(),
                host=options["host"],
                port=options["port"],
                limit_concurrency=MOST,
                log_config=None,
                access_log=False,
                server_header=False,
                # A client keeps its answer's connection; stopping must not wait for it.
                timeout_graceful_shutdown=4,
            )
            return
        if not settings.MEMOIR_KEY:
            raise CommandError(
                "MEMOIR_KEY must hold an agent's key, mk_…; the Agents page makes one."
            )
        # Ctrl-C ends it at once: nothing is open, and the thread that reads would be waited for.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(serve_stdio, settings.MEMOIR_KEY)
