"""What no well-behaved client sends: bodies, addresses and headers as raw bytes, over a socket."""

from __future__ import annotations

import gzip
import http.client
import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import pytest
from django.test.testcases import LiveServerThread

from tests import hostile
from tests.boundary.conftest import fault_in_error
from tests.conftest import ApiClient

JSON = "application/json"


@pytest.fixture
def wire(committed: None, agent: ApiClient) -> Iterator[Wire]:
    """A server with connections of its own, so what it reads must be committed."""
    thread = LiveServerThread("127.0.0.1", lambda application: application)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    assert thread.error is None, thread.error
    yield Wire(thread.port, agent.key)
    thread.terminate()


class Answered:
    def __init__(self, status: int, headers: Any, content: bytes, seconds: float) -> None:
        self.status_code, self.headers, self.content = status, headers, content
        self.seconds = seconds


class Wire:
    def __init__(self, port: int, key: str) -> None:
        self.port, self.key = port, key

    def send(
        self,
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        *,
        chunked: bool = False,
        **headers: str,
    ) -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Authorization": f"Bearer {self.key}", "Content-Type": JSON, "Connection": "close"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in sent.items() if value}
        began = perf_counter()
        # Past the client's own checks of what an address may hold.
        connection._validate_path = lambda _: None  # type: ignore[attr-defined]
        connection._encode_request = lambda line: line.encode("latin-1")  # type: ignore[attr-defined]
        connection.request(method, path, body, sent, encode_chunked=chunked)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return Answered(answer.status, answer.headers, content, perf_counter() - began)


def _facts(**fields: Any) -> bytes:
    return json.dumps({"facts": [{"content": "Tea", **fields}]}).encode()


BODIES: dict[str, tuple[bytes, set[int]]] = {
    "nothing": (b"", {400, 422}),
    "depth 100,000 of arrays": (b"[" * 100_000 + b"]" * 100_000, {400, 422}),
    "depth 100,000 of objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, {400, 422}),
    "a million items": (b"[" + b"0," * 500_000 + b"0]", {400, 413, 422}),
    "a million bytes and more": (_facts(quote="a" * (1024 * 1024)), {413}),
    "one byte too many": (b" " * (1024 * 1024 + 1), {413}),
    "a name twice": (b'{"facts": [], "facts": [{"content": "a"}]}', {400}),
    "a name twice, inside": (b'{"facts": [{"content": "a", "content": "b"}]}', {400}),
    "a name twice, escaped": (b'{"facts": [{"content": "a", "\\u0063ontent": "b"}]}', {400}),
    "Latin-1": ('{"facts": [{"content": "é"}]}'.encode("latin-1"), {400}),
    "UTF-16": ('{"facts": [{"content": "a"}]}'.encode("utf-16"), {400}),
    "UTF-8 with BOM": (b"\xef\xbb\xbf" + _facts(), {400}),
    "surrogate as bytes": (b'{"facts": [{"content": "\xed\xa0\x80"}]}', {400}),
    "overlong": (b'{"facts": [{"content": "\xc0\xaf"}]}', {400}),
    "cut off": (b'{"facts": [{"content": "\xe6\x88', {400}),
    "bare NUL": (b'{"facts": [{"content": "\0"}]}', {400}),
    "two values": (_facts() + _facts(), {400}),
    "single quotes": (b"{'facts': []}", {400}),
    "gzip": (gzip.compress(_facts()), {400}),
}


@pytest.mark.parametrize("path", ["/api/v1/memories", "/api/v1/recall"])
def test_a_broken_body_is_refused_at_once(path: str, wire: Wire) -> None:
    faults = []
    for name, (body, statuses) in BODIES.items():
        answer = wire.send("POST", path, body)
        fault = fault_in_error(answer)
        if not fault and answer.status_code not in statuses:
            fault = f"answered {answer.status_code}"
        # What it must not do is think for minutes; how fast the machine is does not matter.
        if not fault and answer.seconds > 10:
            fault = f"took {answer.seconds:.1f} s"
        if fault:
            faults.append(f"{name}: {fault}")
    assert not faults, "\n".join(faults)


def test_only_json_is_read(wire: Wire) -> None:
    for kind in (
        "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a",
        "application/xml", "application/jsonx", "a", "application/json, text/plain", "*/*",
        "application/json\xe9",
    ):  # fmt: skip
        answer = wire.send("POST", "/api/v1/memories", _facts(), Content_Type=kind)
        assert answer.status_code == 415, kind
        assert not fault_in_error(answer)
    for kind in (JSON, f"{JSON}; charset=utf-8", f"{JSON}; charset=latin-1", "Application/JSON"):
        answer = wire.send("POST", "/api/v1/memories", _facts(), Content_Type=kind)
        assert answer.status_code == 201, kind


def test_a_body_in_pieces_does_no_harm(wire: Wire) -> None:
    """The built-in server reads none of it; gunicorn would. Either way no server error."""
    answer = wire.send(
        "POST", "/api/v1/memories", iter([_facts()]), chunked=True, Transfer_Encoding="chunked"
    )
    assert answer.status_code in (201, 400, 422)


ADDRESSES: dict[str, set[int]] = {
    "/api/v1/memories?q=%00": {422},
    "/api/v1/memories?%00=1": {422},
    "/api/v1/memories?q=%ff": {422},
    "/api/v1/memories?q=\xff": {422},
    "/api/v1/memories?q=%ed%a0%80": {422},
    "/api/v1/memories?limit=-1": {422},
    "/api/v1/memories?limit=0": {422},
    "/api/v1/memories?limit=101": {422},
    "/api/v1/memories?limit=99999999999999999999": {422},
    "/api/v1/memories?limit=" + "9" * 5_000: {422},
    "/api/v1/memories?limit=NaN": {422},
    "/api/v1/memories?limit=1e1": {422},
    "/api/v1/memories?limit=%D9%A1": {200, 422},
    "/api/v1/memories?limit=": {422},
    "/api/v1/memories?limit": {422},
    "/api/v1/memories?limit=5&limit=5": {422},
    "/api/v1/memories?offset=-1": {422},
    "/api/v1/memories?unknown=1": {422},
    "/api/v1/memories?q=a&q=b": {422},
    "/api/v1/memories?cursor=x": {422},
    "/api/v1/memories?cursor=": {200, 422},
    "/api/v1/memories?" + "&".join(f"a{n}=1" for n in range(1_200)): {422},
    "/api/v1/memories?" + "&".join("status=active" for _ in range(1_200)): {422},
    "/api/v1/memories/%00": {404},
    "/api/v1/memories/%ff": {404},
    "/api/v1/memories/\xff": {404},
    "/api/v1/memories/..%2f..%2fhealth": {404},
    "/api/v1/memories/": {404},
    "/api/v1//memories": {404},
    "/api/v1/health/": {404},
    "/api/v1/": {404},
    "/api/v2/memories": {404},
    "/api/": {404},
}


def test_a_broken_address_is_refused_in_the_shape_of_the_api(wire: Wire) -> None:
    faults = []
    for path, statuses in ADDRESSES.items():
        answer = wire.send("GET", path)
        fault = "" if answer.status_code == 200 else fault_in_error(answer)
        if not fault and answer.status_code not in statuses:
            fault = f"answered {answer.status_code}"
        if fault:
            faults.append(f"{path[:70]!r}: {fault}")
    assert not faults, "\n".join(faults)


def test_no_method_fails(wire: Wire) -> None:
    faults = []
    for path in (
        "/api/v1/memories",
        "/api/v1/recall",
        "/api/v1/me",
        "/api/v1/health",
        "/api/x",
        "/",
    ):
        for method in ("HEAD", "OPTIONS", "PUT", "TRACE", "DELETE", "PATCH", "PROPFIND", "G\xcbT"):
            answer = wire.send(method, path, b"{}" if method in ("PUT", "PATCH") else None)
            if answer.status_code >= 500:
                faults.append(f"{method} {path}: {answer.status_code}")
    assert not faults, "\n".join(faults)


def test_no_header_fails(wire: Wire) -> None:
    faults = []
    for name, text in hostile.texts_about("nul", "header", "sql", "html").items():
        value = text.encode("utf-8", "surrogatepass").decode("latin-1")
        value = value.replace("\r", "").replace("\n", " ").replace("\0", "")[:60_000]
        answer = wire.send("GET", "/api/v1/me", Accept=value, Cookie=value, X_Request_Id=value)
        if answer.status_code >= 500:
            faults.append(f"{name}: {answer.status_code}")
    assert not faults, "\n".join(faults)
