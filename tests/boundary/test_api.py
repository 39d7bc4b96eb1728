"""No value in any field of any operation of the API does harm, or is kept other than documented."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.urls import get_resolver
from django.utils.http import urlencode

from accounts.models import User
from memory.api import schemas
from memory.api.app import api
from memory.api.boundary import show_time
from memory.border import owner_scope
from memory.models import Event, Memory
from tests import hostile
from tests.boundary.conftest import fault_in_error, never_raising, read_strictly, undone
from tests.conftest import ApiClient, MakeAgent

Note = Callable[[str, str], None]

# What each field of each operation holds. A field that is missing here fails a test below.
_FILTERS = {
    "status": "choices", "kind": "choices", "tier": "choices", "source": "choices",
    "key": "lines", "topic": "lines", "created_after": "time", "created_before": "time",
}  # fmt: skip
_ID = {"memory": "id"}
FIELDS: dict[str, dict[str, str]] = {
    "post /memories": {
        "facts": "list", "facts.content": "text", "facts.kind": "choice", "facts.key": "line",
        "facts.value": "text", "facts.source": "choice", "facts.quote": "text",
        "facts.conversation": "id", "facts.message": "id", "facts.importance": "share",
        "facts.occurred_at": "time", "facts.valid_from": "time", "facts.valid_to": "time",
        "facts.project": "line", "facts.visibility": "choice", "facts.metadata": "object",
        "facts.resolves": "id",
    },
    "get /memories": {
        **_FILTERS, "visibility": "choices", "project": "line", "q": "text", "sort": "choice",
        "limit": "whole", "cursor": "text",
    },
    "get /memories/{memory}": _ID,
    "get /memories/{memory}/history": _ID,
    "patch /memories/{memory}": {
        **_ID, "content": "text", "key": "line", "value": "text", "kind": "choice",
        "visibility": "choice", "metadata": "object", "version": "whole",
    },
    "delete /memories/{memory}": _ID,
    "post /recall": {
        "query": "text", "top_k": "whole", "project": "line", "strategy": "choice",
        "preset": "choice", "include_history": "flag", "include_archived": "flag",
        "include_dropped": "flag", "explain": "flag", "standing": "flag", "max_tokens": "whole",
        "reinforce": "flag", "as_of": "time", "filters": "object",
        **{f"filters.{name}": kind for name, kind in _FILTERS.items()},
    },
    "get /me": {},
    "get /health": {},
}  # fmt: skip

_ANSWERS: dict[str, Any] = {
    "post /memories": schemas.ResultsOut,
    "get /memories": schemas.PageOut,
    "get /memories/{memory}": schemas.MemoryOut,
    "get /memories/{memory}/history": schemas.ChangesOut,
    "patch /memories/{memory}": schemas.MemoryOut,
    "post /recall": schemas.RecallOut,
    "get /me": schemas.MeOut,
    "get /health": schemas.HealthOut,
}

_SCHEMA = api.get_openapi_schema()
_OPERATIONS = {
    f"{method} {path.removeprefix('/api/v1')}": operation
    for path, operations in _SCHEMA["paths"].items()
    for method, operation in operations.items()
}


def _resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema a reference, or a choice between it and null, stands for."""
    while True:
        if "$ref" in schema:
            schema = _SCHEMA["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        elif "allOf" in schema:
            [schema] = schema["allOf"]
        else:
            return schema


def _fields_of(schema: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, field in _resolve(schema).get("properties", {}).items():
        yield prefix + name
        for choice in [field, *field.get("anyOf", [])]:
            inner = _resolve(choice)
            yield from _fields_of(_resolve(inner.get("items", inner)), f"{prefix}{name}.")


def _documented(operation: dict[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", []):
        yield parameter["name"]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from _fields_of(content["schema"])


def test_every_operation_and_field_is_attacked() -> None:
    documented = {name: set(_documented(op)) for name, op in _OPERATIONS.items()}
    assert documented == {name: set(fields) for name, fields in FIELDS.items()}


# -- Sending ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A memory of Alice's that this agent wrote, and what must stay as it was."""

    agent: ApiClient
    owner: User
    memory: str

    def state(self) -> Any:
        with owner_scope(self.owner.pk):
            rows = Memory.objects.of(self.owner.pk)
            row = rows.filter(pk=self.memory).values(
                "content", "key", "value", "kind", "visibility", "metadata", "version", "deleted_at"
            )
            return rows.count(), list(row)


@pytest.fixture
def target(agent: ApiClient, alice: User, make_agent: MakeAgent) -> Target:
    # A twin of the agent that also has a project, so that slugs and "group" can succeed.
    agent = make_agent(alice, project="q2")
    memory = agent.write("我住在杭州西湖区", key="user.residence", value="杭州")["memory"]["id"]
    agent.write("I drink oolong", kind="procedural", visibility="user", metadata={"a": [1, "b"]})
    return Target(agent, alice, memory)


class Caller:
    """Sends one request and says what is wrong with its answer."""

    def __init__(self, target: Target, operation: str) -> None:
        self.target, self.operation = target, operation
        self.method, self.path = operation.split(" ")
        self.client = never_raising(Authorization=f"Bearer {target.agent.key}")

    def send(
        self,
        *,
        query: list[tuple[str, str]] | None = None,
        body: Any = None,
        memory: str | None = None,
        **more: Any,
    ) -> Any:
        address = "/api/v1" + self.path.replace("{memory}", memory or self.target.memory)
        if query:
            pairs = [(name, value.encode("utf-8", "surrogatepass")) for name, value in query]
            address += "?" + urlencode(pairs)
        if self.method in ("post", "patch"):
            more |= {"data": hostile.encode(body), "content_type": "application/json"}
        return getattr(self.client, self.method)(address, **more)

    def fault(self, answer: Any) -> str:
        """What no answer may be, whatever was sent."""
        status = answer.status_code
        if status >= 500:
            return f"{status}"
        responses = {int(code) for code in _OPERATIONS[self.operation]["responses"]}
        if status not in responses:
            return f"{status} is not documented for {self.operation}"
        if status >= 400:
            return fault_in_error(answer)
        if status == 204:
            return ""
        try:
            body = read_strictly(answer.content)
        except ValueError as error:
            return f"{status} is not strict JSON: {error}"
        try:
            _ANSWERS[self.operation].model_validate(body)
        except ValueError as error:
            return f"{status} has not the documented shape: {str(error)[:200]}"
        return ""


def _values() -> Iterator[tuple[str, Any]]:
    yield from hostile.TEXTS.items()
    yield from hostile.VALUES.items()


def _usual_body(operation: str) -> dict[str, Any]:
    if operation == "post /memories":
        return {"facts": [{"content": "Ich wohne in Zürich", "key": "user.home", "value": "Zürich"}]}
    if operation == "patch /memories/{memory}":
        return {"version": 1}
    return {"query": "Wo wohne ich?", "reinforce": False}


def _put(body: dict[str, Any], field: str, value: Any) -> None:
    *path, name = field.split(".")
    for part in path:
        body = body.setdefault(part, {})
        body = body[0] if isinstance(body, list) else body
    body[name] = value


_BODY_FIELDS = [
    (operation, field)
    for operation, fields in FIELDS.items()
    if operation.startswith(("post", "patch"))
    for field in fields
    if "{" + field + "}" not in operation
]


@pytest.mark.parametrize(("operation", "field"), _BODY_FIELDS)
def test_no_value_of_a_field_does_harm(
    operation: str, field: str, target: Target, no_faults: Note
) -> None:
    caller, kind = Caller(target, operation), FIELDS[operation][field]
    before = target.state()
    for name, value in _values():
        body = _usual_body(operation)
        _put(body, field, [value] if kind in ("choices", "lines") else value)
        with undone():
            answer = caller.send(body=body)
            fault = caller.fault(answer)
            if not fault and answer.status_code < 300:
                fault = _fault_in_kept(caller, field, kind, value, answer)
            elif not fault and target.state() != before:
                fault = f"{answer.status_code}, and yet something was stored"
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)


def _fault_in_kept(caller: Caller, field: str, kind: str, value: Any, answer: Any) -> str:
    """Whether what was accepted is there as documented, and can be read again."""
    if isinstance(value, str) and not hostile.storable(value):
        return "a text that cannot be stored was accepted"
    target, body = caller.target, answer.json()
    if caller.operation == "post /recall":
        if field == "query" and body["query"] != hostile.stored(value):
            return "the question came back otherwise than it was asked"
        return ""
    memory = body["results"][0]["memory"] if "results" in body else body
    if memory is None:
        return ""
    page = Caller(target, "get /memories")
    one, listed = Caller(target, "get /memories/{memory}"), page.send(query=[("limit", "1")])
    read = one.send(memory=memory["id"])
    fault = one.fault(read) or page.fault(listed)
    if fault:
        return f"reading it again: {fault}"
    if read.json() != memory:
        return "read again it is not what the first answer showed"
    return _fault_in_value(memory, field.removeprefix("facts."), kind, value)


def _fault_in_value(memory: dict[str, Any], name: str, kind: str, value: Any) -> str:
    if name in ("facts", "importance", "project", "version", "content") and not (
        name == "content" and isinstance(value, str)
    ):
        return ""
    if name == "quote":
        kept, sent = memory["provenance"]["quote"], value
    else:
        kept, sent = memory[name], value
    if kind in ("text", "line") and isinstance(value, str):
        sent = hostile.stored(value, multiline=kind == "text") or None
    elif kind == "time" and isinstance(value, str):
        sent = show_time(datetime.fromisoformat(value))
    elif kind == "object" and isinstance(value, hostile.Raw):
        return ""
    return "" if kept == sent else f"{name} was not kept as documented"


@pytest.mark.parametrize("operation", ["post /memories", "patch /memories/{memory}"])
@pytest.mark.parametrize("place", ["name", "value", "deep inside"])
def test_no_value_inside_metadata_does_harm(
    operation: str, place: str, target: Target, no_faults: Note
) -> None:
    caller = Caller(target, operation)
    before = target.state()
    for name, value in _values():
        if place == "name" and not isinstance(value, str):
            continue
        metadata = {
            "name": lambda v: {v: 1},
            "value": lambda v: {"a": v},
            "deep inside": lambda v: {"a": [{"b": v}]},
        }[place](value)
        body = _usual_body(operation)
        _put(body, "facts.metadata" if "facts" in body else "metadata", metadata)
        with undone():
            answer = caller.send(body=body)
            fault = caller.fault(answer)
            if not fault and answer.status_code < 300:
                fault = _fault_in_metadata(caller, answer, metadata, value)
            elif not fault and target.state() != before:
                fault = f"{answer.status_code}, and yet something was stored"
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)


def _fault_in_metadata(caller: Caller, answer: Any, sent: Any, value: Any) -> str:
    if isinstance(value, str) and not hostile.storable(value):
        return "a text that cannot be stored was accepted"
    body = answer.json()
    memory = body["results"][0]["memory"] if "results" in body else body
    kept = memory["metadata"]
    if not isinstance(value, hostile.Raw) and kept not in (sent, _cleaned(sent)):
        return "metadata was not kept as it was sent"
    # What comes out must be good enough to go in again.
    again = Caller(caller.target, "patch /memories/{memory}")
    answer = again.send(
        memory=memory["id"], body={"version": memory["version"], "metadata": kept}
    )
    if answer.status_code != 200:
        return f"sent back as it came, metadata is refused: {answer.content[:200].decode()}"
    if answer.json()["metadata"] != kept:
        return "sent back as it came, metadata changed"
    return again.fault(answer)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return hostile.stored(value)
    if isinstance(value, dict):
        return {hostile.stored(name): _cleaned(item) for name, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("field", FIELDS["get /memories"])
def test_no_query_parameter_does_harm(field: str, target: Target, no_faults: Note) -> None:
    caller = Caller(target, "get /memories")
    for name, value in hostile.TEXTS.items():
        with undone():
            answer = caller.send(query=[(field, value)])
            fault = caller.fault(answer)
            if not fault and answer.status_code == 200 and not hostile.storable(value):
                fault = "a text that cannot be stored was accepted"
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)


@pytest.mark.parametrize("operation", FIELDS)
def test_no_unknown_parameter_or_field_is_accepted(
    operation: str, target: Target, no_faults: Note
) -> None:
    caller = Caller(target, operation)
    before = target.state()
    for name in (*hostile.TEXTS.values(), "unknown", "owner", "owner_id", "agent"):
        with undone():
            answer = caller.send(query=[(name, "1")], body=_usual_body(operation))
            fault = caller.fault(answer)
            known = hostile.stored(name) if hostile.storable(name) else name
            if not fault and answer.status_code != 422 and known not in FIELDS[operation]:
                fault = f"unknown parameter answered {answer.status_code}"
            if not fault and target.state() != before:
                fault = "an unknown parameter, and yet something was stored"
            no_faults(repr(name[:80]), fault)


@pytest.mark.parametrize("operation", [name for name in FIELDS if name.startswith(("post", "patch"))])
def test_no_unknown_field_of_a_body_is_accepted(
    operation: str, target: Target, no_faults: Note
) -> None:
    caller = Caller(target, operation)
    for name in (*hostile.TEXTS.values(), "unknown", "owner", "owner_id", "agent"):
        body = _usual_body(operation)
        if name in body or name in FIELDS[operation]:
            continue
        with undone():
            answer = caller.send(body=body | {name: 1})
            fault = caller.fault(answer)
            if not fault and answer.status_code != 422:
                fault = f"unknown field answered {answer.status_code}"
            no_faults(f"{name[:80]!r} → {answer.content[:160].decode(errors='replace')}", fault)


@pytest.mark.parametrize("operation", [name for name in FIELDS if name.startswith(("post", "patch"))])
def test_no_body_of_another_type_does_harm(
    operation: str, target: Target, no_faults: Note
) -> None:
    caller = Caller(target, operation)
    before = target.state()
    for name, value in _values():
        with undone():
            answer = caller.send(body=value)
            fault = caller.fault(answer)
            if not fault and answer.status_code < 400:
                fault = f"accepted with {answer.status_code}"
            if not fault and target.state() != before:
                fault = "refused, and yet something was stored"
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)


# -- Ids, headers, cookies ---------------------------------------------------------------------------


def _on_the_wire(text: str) -> str:
    """A text as WSGI hands its bytes over."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


@pytest.mark.parametrize("operation", [name for name in FIELDS if "{memory}" in name])
def test_every_malformed_id_is_not_found(operation: str, target: Target, no_faults: Note) -> None:
    caller = Caller(target, operation)
    ids = dict(hostile.TEXTS)
    own = target.memory
    ids |= {
        "own in braces": f"{{{own}}}", "own as urn": f"urn:uuid:{own}", "own with a space": f"{own} ",
        "own with NUL": f"{own}\0", "own with BOM": f"\ufeff{own}", "own full-width": own.replace("0", "０"),
        "own without hyphens": own.replace("-", ""), "another": str(uuid4()),
    }  # fmt: skip
    for name, value in ids.items():
        path = "/api/v1" + caller.path.replace("{memory}", _on_the_wire(value))
        more: dict[str, Any] = {"PATH_INFO": path}
        with undone():
            answer = caller.send(body=_usual_body(operation), memory="x", **more)
            fault = caller.fault(answer)
            # An address with a slash, or nothing, in it is another one, or none.
            plain = value.strip("/") == value and value and "/" not in value
            if plain and not fault and answer.status_code != 404:
                fault = f"answered {answer.status_code}"
            if answer.status_code == 405:
                fault = ""
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)
    upper = caller.send(body=_usual_body(operation), memory=own.upper())
    assert upper.status_code < 300


@pytest.mark.parametrize("operation", [name for name in FIELDS if name != "get /health"])
def test_no_authorization_but_the_key_lets_in(
    operation: str, target: Target, no_faults: Note
) -> None:
    caller = Caller(target, operation)
    key = target.agent.key
    texts = {name: text for name, text in hostile.TEXTS.items() if len(text) < 70_000}
    headers = {f"{name}, bare": text for name, text in texts.items()}
    headers |= {f"{name}, bearer": f"Bearer {text}" for name, text in texts.items()}
    headers |= {
        "twice": f"Bearer {key} {key}", "list": f"Bearer {key}, Bearer {key}", "cut": f"Bearer {key[:-1]}",
        "longer": f"Bearer {key}x", "other case": f"Bearer {key.swapcase()}", "basic": f"Basic {key}",
        "NUL": f"Bearer {key}\0", "BOM": f"Bearer \ufeff{key}", "bare": key, "64 kB": "Bearer " + "k" * 65_536,
    }  # fmt: skip
    for name, value in headers.items():
        with undone():
            answer = caller.send(
                body=_usual_body(operation), HTTP_AUTHORIZATION=_on_the_wire(value)
            )
            fault = caller.fault(answer)
            if not fault and answer.status_code != 401:
                fault = f"answered {answer.status_code}"
            no_faults(name, fault)


@pytest.mark.parametrize("operation", FIELDS)
@pytest.mark.parametrize(
    "header",
    [
        "HTTP_IDEMPOTENCY_KEY", "HTTP_COOKIE", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_REFERER",
        "HTTP_USER_AGENT", "HTTP_X_FORWARDED_FOR", "HTTP_X_REQUEST_ID", "HTTP_HX_REQUEST",
        "HTTP_HX_TARGET", "HTTP_IF_NONE_MATCH", "HTTP_ORIGIN", "HTTP_X_HTTP_METHOD_OVERRIDE",
    ],
)  # fmt: skip
def test_no_header_does_harm(
    operation: str, header: str, target: Target, no_faults: Note
) -> None:
    if header != "HTTP_IDEMPOTENCY_KEY" and operation not in ("get /me", "get /memories/{memory}"):
        pytest.skip("read by the same code for every operation")
    caller = Caller(target, operation)
    for name, text in hostile.TEXTS.items():
        if len(text) > 70_000:
            continue
        value = _on_the_wire(f"session={text}; csrf={text}; messages={text}; {text}=1")
        value = value if header == "HTTP_COOKIE" else _on_the_wire(text)
        with undone():
            answer = caller.send(body=_usual_body(operation), **{header: value})
            fault = caller.fault(answer)
            if not fault and answer.status_code >= 300 and header != "HTTP_IDEMPOTENCY_KEY":
                fault = f"answered {answer.status_code}"
            if not fault and "Set-Cookie" in answer.headers:
                fault = "sets a cookie"
            no_faults(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)


# -- What only these values reach ---------------------------------------------------------------------


def test_accepted_times_can_be_shown_in_every_zone(target: Target, no_faults: Note) -> None:
    """A time at the end of the calendar has no day in another zone."""
    caller = Caller(target, "post /memories")
    for field in ("occurred_at", "valid_from", "valid_to"):
        for name, text in hostile.TEXTS.items():
            if not name.startswith("time: "):
                continue
            body = _usual_body("post /memories")
            _put(body, f"facts.{field}", text)
            with undone():
                answer = caller.send(body=body)
                if answer.status_code != 201:
                    continue
                shown = answer.json()["results"][0]["memory"][field]
                moment = datetime.fromisoformat(shown)
                for hours in (-14, 14):
                    try:
                        from datetime import timedelta, timezone

                        moment.astimezone(timezone(timedelta(hours=hours)))
                    except OverflowError:
                        no_faults(f"{field} {name}", f"has no day at {hours:+}")


def test_every_accepted_number_is_finite_and_in_its_range(target: Target) -> None:
    for value in (-0.0, 0, 1, 0.5, hostile.Raw("1e-400"), hostile.Raw("5e-324")):
        body = _usual_body("post /memories")
        _put(body, "facts.importance", value)
        with undone():
            answer = Caller(target, "post /memories").send(body=body)
            assert answer.status_code == 201
            importance = answer.json()["results"][0]["memory"]["importance"]
            assert math.isfinite(importance)
            assert 0 <= importance <= 1


def test_refusals_leave_no_event(target: Target) -> None:
    with owner_scope(target.owner.pk):
        before = Event.objects.of(target.owner.pk).count()
    for value in ("\0", "\ud800", "", "a" * 2_001, None, 1, []):
        answer = Caller(target, "post /memories").send(body={"facts": [{"content": value}]})
        assert answer.status_code == 422
        assert any(name.startswith("facts.0.content") for name in answer.json()["error"]["details"]["fields"])
    with owner_scope(target.owner.pk):
        assert Event.objects.of(target.owner.pk).count() == before


def test_the_routes_of_the_api_are_those_documented() -> None:
    """A route left out of openapi.json would escape every test of this file."""
    [patterns] = [
        p.url_patterns for p in get_resolver().url_patterns if str(p.pattern) == "api/v1/"
    ]
    routes = {"/" + str(p.pattern).replace("<memory>", "{memory}") for p in patterns}
    documented = {path.split(" ")[1] for path in FIELDS}
    assert routes - documented == {"/openapi.json", "/docs", "/"}
