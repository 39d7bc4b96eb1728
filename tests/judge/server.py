"""A judge's endpoint in the tests: speaks the protocol, and misbehaves when it is told to."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], Any]


def completion(text: str | None, **choice: Any) -> dict[str, Any]:
    """The body of a well-formed answer that says `text`."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "test",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
                **choice,
            }
        ],
        "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
    }


class Endpoint:
    """`say` decides what each request gets: a text, a whole body, or a way of misbehaving."""

    def __init__(self) -> None:
        self.say: Reply = lambda asked: "{}"
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.status = 200
        self.misbehave = ""
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                endpoint.paths.append(self.path)
                self.answer(b"{}", 200)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = json.loads(body["messages"][-1]["content"])
                endpoint.paths.append(self.path)
                endpoint.headers.append({k.lower(): v for k, v in self.headers.items()})
                endpoint.asked.append({"prompt": body["messages"][0]["content"], **asked})
                with contextlib.suppress(OSError):
                    endpoint.reply(self, asked)

            def answer(self, data: bytes, status: int, **headers: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def reply(self, handler: Any, asked: dict[str, Any]) -> None:
        how = self.misbehave
        if how == "closes":
            handler.connection.shutdown(socket.SHUT_RDWR)
        elif how == "slow":
            time.sleep(3)
            handler.answer(json.dumps(completion("{}")).encode(), 200)
        elif how == "drips":
            handler.send_response(200)
            for number in range(60):
                handler.wfile.write(f"X-Drip-{number}: 1\r\n".encode())
                handler.wfile.flush()
                time.sleep(0.03)
        elif how == "redirects":
            handler.answer(b"", 302, Location=f"{self.url}/elsewhere")
        elif how == "huge":
            handler.answer(json.dumps(completion("x" * 3_000_000)).encode(), 200)
        elif how == "compressed":
            handler.answer(b"\x1f\x8b\x08\x00", 200, Content_Encoding="gzip")
        elif how == "no choices":
            handler.answer(b'{"choices": []}', 200)
        elif how == "not the protocol":
            handler.answer(b"[1, 2", 200)
        elif how == "html":
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html")
            handler.send_header("Content-Length", "6")
            handler.end_headers()
            handler.wfile.write(b"<html>")
        elif how == "refuses":
            body = completion(None)
            body["choices"][0]["message"]["refusal"] = "I would rather not."
            handler.answer(json.dumps(body).encode(), 200)
        elif how == "truncates":
            handler.answer(json.dumps(completion('{"fac', finish_reason="length")).encode(), 200)
        elif self.status != 200:
            handler.answer(
                b'{"error": {"message": "the secret words of the upstream"}}', self.status
            )
        else:
            said = self.say(asked)
            body = said if isinstance(said, dict) and "choices" in said else completion(said)
            handler.answer(json.dumps(body).encode(), 200)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def running_endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    try:
        yield endpoint
    finally:
        endpoint.close()
