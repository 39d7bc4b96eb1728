"""The same over HTTP: an application of its own, whose every request brings a key."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import Response

from memory.api.boundary import render_json
from memory.api.errors import ApiError
from memory.api.keys import read_bearer
from memory.mcp.server import in_thread, let_in_checked, make_server, prepare

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class KeyGate:
    """Lets in whose key the API would let in; all others get the API's answer."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["method"] != "POST":
                # Without sessions there is nothing to listen to and nothing to end.
                await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
                return
            header = Headers(scope=scope).get("authorization", "")
            try:
                caller = await in_thread(lambda: let_in_checked(read_bearer(header)))
            except ApiError as error:
                await _refuse(error)(scope, receive, send)
                return
            scope.setdefault("state", {})["caller"] = caller
        await self._inside(scope, receive, send)


def _refuse(error: ApiError) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if error.status in (429, 503):
        headers["Retry-After"] = str(error.details.get("retry_after", 1))
    return Response(render_json(error.body()), error.status, headers, media_type="application/json")


def make_application() -> ASGIApp:
    """POST /mcp, without sessions, answered with JSON."""
    prepare()
    return KeyGate(
        make_server().streamable_http_app(
            json_response=True,
            stateless_http=True,
            max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            transport_security=TransportSecuritySettings(allowed_hosts=allowed_hosts()),
        )
    )


def allowed_hosts() -> list[str]:
    """What may stand in `Host`: our own names. A page of a browser (`Origin`) may never ask."""
    public = urlsplit(settings.MEMOIR_MCP_URL).hostname
    names = [*settings.ALLOWED_HOSTS, *([public] if public else [])]
    return [form for name in names for form in (name, f"{name}:*")]
