"""No value in any field of any operation of the API does harm, or is kept other than documented."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from time import process_time
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.urls import get_resolver

from accounts.models import User
from memory.adapters.embedders import get_embedder
from memory.api import schemas
from memory.api.app import api
from memory.api.boundary import show_time
from memory.border import owner_scope
from memory.models import Event, Memory
from tests import hostile
from tests.boundary.conftest import Faults, fault_in_error, never_raising, read_strictly, undone
from tests.conftest import ApiClient, MakeAgent

# What each field of each operation holds. A field that is missing here fails a test below.
_FILTERS = {
    "status": "choices", "kind": "choices", "tier": "choices", "source": "choices",
    "key": "lines", "topic": "lines", "created_after": "time", "created_before": "time",
}  # fmt: skip
_ID = {"memory": "id"}
# Fields that are not in the body.
_IN_ADDRESS = {"memory", "job", "recall", "wait", "Idempotency-Key"}
FIELDS: dict[str, dict[str, str]] = {
    "post /memories": {
        "facts": "list", "facts.content": "text", "facts.kind": "choice", "facts.key": "line",
        "facts.value": "text", "facts.source": "choice", "facts.quote": "text",
        "facts.conversation": "id", "facts.message": "id", "facts.importance": "share",
        "facts.occurred_at": "time", "facts.valid_from": "time", "facts.valid_to": "time",
        "facts.project": "line", "facts.visibility": "choice", "facts.metadata": "object",
        "facts.resolves": "id", "Idempotency-Key": "header",
    },
    "post /conversations": {
        "messages": "list", "messages.role": "choice", "messages.content": "text",
        "messages.at": "time", "messages.id": "line", "project": "line", "title": "line",
        "incognito": "flag", "wait": "whole", "Idempotency-Key": "header",
    },
    "get /jobs/{job}": {"job": "id"},
    "get /conflicts": {"limit": "whole", "cursor": "text"},
    "post /recalls/{recall}/feedback": {"recall": "id", "memory": "id", "outcome": "choice"},
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
    "get /jobs/{job}": schemas.JobOut,
    "get /conflicts": schemas.ConflictPageOut,
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
    ids: dict[str, str]

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
    recall = agent.recall("Where do I live?")["id"]
    said = [{"role": "user", "content": "Ich trinke gern Tee."}]
    job = agent.post("conversations", {"messages": said}).json()["job"]["id"]
    return Target(agent, alice, memory, {"memory": memory, "recall": recall, "job": job})


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
        ids = self.target.ids | ({"memory": memory} if memory else {})
        address = "/api/v1" + self.path.format(**ids)
        if query:
            pairs = [tuple(part.encode("utf-8", "surrogatepass") for part in q) for q in query]
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
        answer_schema = _ANSWERS.get(self.operation)
        if self.operation == "post /conversations":
            answer_schema = schemas.ReceivedOut if "conversation" in body else schemas.JobOut
        assert answer_schema is not None
        try:
            answer_schema.model_validate(body)
        except ValueError as error:
            return f"{status} has not the documented shape: {str(error)[:200]}"
        return ""


def _usual_body(operation: str) -> dict[str, Any]:
    if operation == "post /memories":
        return {
            "facts": [{"content": "Ich wohne in Zürich", "key": "user.home", "value": "Zürich"}]
        }
    if operation == "patch /memories/{memory}":
        return {"version": 1}
    if operation == "post /conversations":
        return {"messages": [{"role": "user", "content": "Ich wohne in Zürich."}]}
    if operation == "post /recalls/{recall}/feedback":
        return {"memory": str(uuid4()), "outcome": "used"}
    return {"query": "Wo wohne ich?", "reinforce": False}


def _put(body: dict[str, Any], field: str, value: Any) -> None:
    *path, name = field.split(".")
    for part in path:
        body = body.setdefault(part, {})
        body = body[0] if isinstance(body, list) else body
    body[name] = value


_WITH_BODY = [name for name in FIELDS if name.startswith(("post", "patch"))]
_TEXT_FIELDS = {
    operation: [
        *(f for f, kind in FIELDS[operation].items() if kind in ("text", "line", "lines")),
        # Metadata holds texts, too: in a name, in a value, and further down.
        *(
            f"{f}:{place}"
            for f, kind in FIELDS[operation].items()
            if kind == "object" and f.endswith("metadata")
            for place in ("name", "value", "deep")
        ),
    ]
    for operation in _WITH_BODY
}
_OTHER_FIELDS = [
    (operation, field)
    for operation in _WITH_BODY
    for field in FIELDS[operation]
    if field not in _TEXT_FIELDS[operation]
    and (field not in _IN_ADDRESS or (operation.endswith("feedback") and field == "memory"))
]


# Which texts look like what a field holds.
_GROUPS: dict[str, tuple[str, ...]] = {
    "text": tuple({name.partition(": ")[0] for name in hostile.TEXTS}),
    "line": ("nul", "surrogate", "long", "lines", "blank", "sql", "hidden"),
    "choice": ("word", "blank"),
    "id": ("id",),
    "time": ("time", "digits"),
    "share": ("number", "digits"),
    "whole": ("number", "digits"),
    "flag": ("flag",),
    "object": ("json",),
    "list": ("json",),
}
_GROUPS |= {"lines": _GROUPS["line"], "choices": _GROUPS["choice"]}


def _fill(operation: str, fields: list[str], value: Any) -> dict[str, Any]:
    """A body with this value in each of these fields."""
    body = _usual_body(operation)
    metadata: dict[str, Any] = {}
    for field in fields:
        name, _, place = field.partition(":")
        if not place:
            _put(body, name, [value] if FIELDS[operation][name] in ("lines", "choices") else value)
            continue
        if place == "name":
            metadata[value] = 1
        elif place == "value":
            metadata["a"] = value
        else:
            metadata["b"] = [{"c": value}]
        _put(body, name, metadata)
    return body


def _try(
    caller: Caller, before: Any, name: str, fields: list[str], value: Any, faults: Faults
) -> int:
    """One request; its status. Notes what is wrong with the answer or with what was kept."""
    with undone():
        body = _fill(caller.operation, fields, value)
        answer = caller.send(body=body)
        fault = caller.fault(answer)
        if not fault and answer.status_code < 300:
            fault = _fault_in_kept(caller, fields, value, body, answer)
        elif not fault and target_changed(caller.target, before):
            fault = f"{answer.status_code}, and yet something was stored"
        shown = answer.content[:160].decode(errors="replace")
        faults.note(f"{name} in {', '.join(fields)} → {shown}", fault)
    return int(answer.status_code)


def target_changed(target: Target, before: Any) -> bool:
    return bool(target.state() != before)


@pytest.mark.parametrize("operation", _WITH_BODY)
def test_no_text_does_harm(operation: str, target: Target) -> None:
    """Each text in all fields at once; where that is refused, in each field alone."""
    faults = Faults()
    caller, before = Caller(target, operation), target.state()
    fields = _TEXT_FIELDS[operation]
    # A slug must exist, so it would refuse all others with it.
    together = [field for field in fields if not field.endswith("project")]
    texts = hostile.TEXTS
    if operation != "post /memories":
        texts = hostile.texts_about("nul", "surrogate", "only hidden", "bidi", "lines", "blank")
    for name, text in texts.items():
        refused = _try(caller, before, name, together, text, faults) >= 400
        for field in fields if refused else set(fields) - set(together):
            _try(caller, before, name, [field], text, faults)
    faults.expect_none()


@pytest.mark.parametrize("operation", _WITH_BODY)
def test_no_value_of_another_type_does_harm(operation: str, target: Target) -> None:
    faults = Faults()
    caller, before = Caller(target, operation), target.state()
    for field in _TEXT_FIELDS[operation]:
        for name, value in hostile.VALUES.items():
            if not field.endswith((":name", ":deep")):
                _try(caller, before, name, [field], value, faults)
    faults.expect_none()


@pytest.mark.parametrize(("operation", "field"), _OTHER_FIELDS)
def test_no_value_of_a_field_does_harm(operation: str, field: str, target: Target) -> None:
    faults = Faults()
    caller, before = Caller(target, operation), target.state()
    texts = hostile.texts_about(*_GROUPS[FIELDS[operation][field]])
    for name, value in (texts | hostile.VALUES).items():
        _try(caller, before, name, [field], value, faults)
    faults.expect_none()


def _fault_in_kept(
    caller: Caller, fields: list[str], value: Any, sent: dict[str, Any], answer: Any
) -> str:
    """Whether what was accepted is there as documented, and can be read again."""
    if isinstance(value, str) and not hostile.storable(value):
        return "a text that cannot be stored was accepted"
    target = caller.target
    if caller.operation.startswith(("post /conversations", "post /recalls")):
        return ""
    body = answer.json()
    if caller.operation == "post /recall":
        asked = sent["query"]
        same = not isinstance(asked, str) or body["query"] == hostile.stored(asked)
        return "" if same else "the question came back otherwise than it was asked"
    memory = body["results"][0]["memory"] if "results" in body else body
    if memory is None:
        return ""
    # The first answer was read from the row already: again only where there is something to lose.
    again = not isinstance(value, str) or hostile.stored(value) != value or len(value) > 1_000
    if not again:
        read = None
    elif caller.operation.startswith("post"):
        reader = Caller(target, "get /memories/{memory}")
        read = reader.send(memory=memory["id"])
    else:
        reader = Caller(target, "get /memories")
        read = reader.send(query=[("limit", "10")])
    if read is not None:
        if fault := reader.fault(read):
            return f"reading it again: {fault}"
        shown = [_without_clock(row) for row in (read.json(), *read.json().get("results", ()))]
        if _without_clock(memory) not in shown:
            return "read again it is not what the first answer showed"
    if not isinstance(value, str) and any("metadata" in field for field in fields):
        return _fault_in_sending_back(caller, memory)
    facts = sent["facts"][0] if "facts" in sent else sent
    for field in fields:
        name = field.removeprefix("facts.").partition(":")[0]
        if fault := _fault_in_value(memory, name, FIELDS[caller.operation], field, facts.get(name)):
            return fault
    return ""


def _without_clock(memory: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in memory.items() if name != "retention"}


def _fault_in_value(
    memory: dict[str, Any], name: str, kinds: dict[str, str], field: str, sent: Any
) -> str:
    kind = kinds[field.partition(":")[0]]
    # Importance is one opinion among others, and a slug has its own rules.
    if name not in memory and name != "quote":
        return ""
    if name in ("importance", "project", "version"):
        return ""
    kept = memory["provenance"]["quote"] if name == "quote" else memory[name]
    if name == "metadata":
        same = kept in (sent, _cleaned(sent))
    elif kind in ("text", "line") and isinstance(sent, str):
        same = kept == (hostile.stored(sent, multiline=kind == "text") or None)
    elif kind == "time" and isinstance(sent, str):
        same = kept == show_time(datetime.fromisoformat(sent))
    else:
        same = kept == sent
    return "" if same else f"{name} was not kept as documented"


def _fault_in_sending_back(caller: Caller, memory: dict[str, Any]) -> str:
    """What comes out must be good enough to go in again."""
    again = Caller(caller.target, "patch /memories/{memory}")
    kept, version = memory["metadata"], memory["version"]
    answer = again.send(memory=memory["id"], body={"version": version, "metadata": kept})
    if answer.status_code != 200:
        return f"metadata sent back as it came is refused: {answer.content[:120].decode()}"
    if answer.json()["metadata"] != kept:
        return "metadata sent back as it came has changed"
    return again.fault(answer)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return hostile.stored(value)
    if isinstance(value, dict):
        return {hostile.stored(name): _cleaned(item) for name, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


_QUERIES = [
    *(("get /memories", field) for field in FIELDS["get /memories"]),
    *(("get /conflicts", field) for field in FIELDS["get /conflicts"]),
    ("post /conversations", "wait"),
]


@pytest.mark.parametrize(("operation", "field"), _QUERIES)
def test_no_query_parameter_does_harm(
    operation: str, field: str, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.api.conversations.POLL", 0)
    monkeypatch.setattr("memory.api.conversations._wait", lambda *_, **__: False)
    faults = Faults()
    caller = Caller(target, operation)
    groups = _GROUPS[FIELDS[operation][field]]
    for name, value in hostile.texts_about(*groups).items():
        with undone():
            answer = caller.send(query=[(field, value)], body=_usual_body(operation))
            fault = caller.fault(answer)
            if not fault and answer.status_code == 200 and not hostile.storable(value):
                fault = "a text that cannot be stored was accepted"
            faults.note(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)
    faults.expect_none()


@pytest.mark.parametrize("operation", FIELDS)
def test_no_unknown_parameter_or_field_is_accepted(operation: str, target: Target) -> None:
    faults = Faults()
    caller = Caller(target, operation)
    before = target.state()
    for name in (*hostile.texts_about("json").values(), "unknown", "owner", "owner_id", "agent"):
        with undone():
            answer = caller.send(query=[(name, "1")], body=_usual_body(operation))
            fault = caller.fault(answer)
            known = hostile.stored(name) if hostile.storable(name) else name
            if not fault and answer.status_code != 422 and known not in FIELDS[operation]:
                fault = f"unknown parameter answered {answer.status_code}"
            if not fault and target.state() != before:
                fault = "an unknown parameter, and yet something was stored"
            faults.note(repr(name[:80]), fault)
    faults.expect_none()


@pytest.mark.parametrize("operation", _WITH_BODY)
def test_no_unknown_field_of_a_body_is_accepted(operation: str, target: Target) -> None:
    faults = Faults()
    caller = Caller(target, operation)
    for name in (*hostile.texts_about("json").values(), "unknown", "owner", "owner_id", "agent"):
        body = _usual_body(operation)
        if name in body or name in FIELDS[operation]:
            continue
        with undone():
            answer = caller.send(body=body | {name: 1})
            fault = caller.fault(answer)
            if not fault and answer.status_code != 422:
                fault = f"unknown field answered {answer.status_code}"
            faults.note(f"{name[:80]!r} → {answer.content[:160].decode(errors='replace')}", fault)
    faults.expect_none()


@pytest.mark.parametrize("operation", _WITH_BODY)
def test_no_body_of_another_type_does_harm(operation: str, target: Target) -> None:
    faults = Faults()
    caller = Caller(target, operation)
    before = target.state()
    for name, value in (hostile.texts_about("json") | hostile.VALUES).items():
        with undone():
            answer = caller.send(body=value)
            fault = caller.fault(answer)
            if not fault and answer.status_code < 400:
                fault = f"accepted with {answer.status_code}"
            if not fault and target.state() != before:
                fault = "refused, and yet something was stored"
            faults.note(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)
    faults.expect_none()


# -- Ids, headers, cookies -------------------------------------------------------------------------


def _on_the_wire(text: str) -> str:
    """A text as WSGI hands its bytes over."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


@pytest.mark.parametrize("operation", [name for name in FIELDS if "{" in name])
def test_every_malformed_id_is_not_found(operation: str, target: Target) -> None:
    faults = Faults()
    caller = Caller(target, operation)
    ids = hostile.texts_about("id", "path", "url", "nul", "surrogate", "blank", "hidden", "sql")
    [place] = re.findall(r"\{(\w+)\}", caller.path)
    own = target.ids[place]
    ids |= {
        "own in braces": f"{{{own}}}", "own as urn": f"urn:uuid:{own}", "own with a space": f"{own} ",
        "own with NUL": f"{own}\0", "own with BOM": f"\ufeff{own}", "own full-width": own.replace("0", "０"),
        "own without hyphens": own.replace("-", ""), "another": str(uuid4()),
    }  # fmt: skip
    for name, value in ids.items():
        path = "/api/v1" + caller.path.replace(f"{{{place}}}", _on_the_wire(value))
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
            faults.note(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)
    faults.expect_none()
    if place != "recall":  # feedback needs a memory that was recalled, too
        target.ids[place] = own.upper()
        assert caller.send(body=_usual_body(operation)).status_code < 300


@pytest.mark.parametrize("operation", [name for name in FIELDS if name != "get /health"])
def test_no_authorization_but_the_key_lets_in(operation: str, target: Target) -> None:
    faults = Faults()
    caller = Caller(target, operation)
    key = target.agent.key
    # The same code admits everywhere.
    texts = {name: text for name, text in hostile.TEXTS.items() if len(text) < 70_000}
    texts = texts if operation == "get /me" else {}
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
            faults.note(name, fault)
    faults.expect_none()


_HEADERS = (
    "ACCEPT", "ACCEPT_LANGUAGE", "REFERER", "USER_AGENT", "X_FORWARDED_FOR", "X_FORWARDED_PROTO",
    "X_REQUEST_ID", "HX_REQUEST", "HX_TARGET", "HX_CURRENT_URL", "IF_NONE_MATCH",
    "IF_MODIFIED_SINCE", "ORIGIN", "RANGE", "X_HTTP_METHOD_OVERRIDE", "IDEMPOTENCY_KEY",
)  # fmt: skip


def test_no_other_header_and_no_cookie_does_harm(target: Target) -> None:
    faults = Faults()
    caller = Caller(target, "get /me")
    for name, text in hostile.TEXTS.items():
        if len(text) > 70_000:
            continue
        value = _on_the_wire(text)
        cookies = f"session={value}; csrf={value}; messages={value}; {value}=1"
        headers = {f"HTTP_{header}": value for header in _HEADERS}
        for more in (headers, {"HTTP_COOKIE": cookies}):
            answer = caller.send(**more)
            fault = caller.fault(answer)
            if not fault and answer.status_code != 200:
                fault = f"answered {answer.status_code}"
            # Forgetting a session that is none is right; starting one is not.
            if not fault and "session" in answer.cookies and answer.cookies["session"].value:
                fault = "starts a session"
            faults.note(f"{name} → {answer.content[:160].decode(errors='replace')}", fault)
    faults.expect_none()


@pytest.mark.parametrize("operation", ["post /memories", "post /conversations"])
def test_no_idempotency_key_does_harm(operation: str, target: Target) -> None:
    faults = Faults()
    caller, body = Caller(target, operation), _usual_body(operation)
    for name, text in hostile.texts_about("nul", "header", "hidden", "blank", "id").items():
        if len(text) > 70_000:
            continue
        with undone():
            answer = caller.send(body=body, HTTP_IDEMPOTENCY_KEY=_on_the_wire(text))
            faults.note(f"{name} → {answer.content[:160].decode()}", caller.fault(answer))
    faults.expect_none()


# -- What only these values reach ------------------------------------------------------------------


def test_accepted_times_can_be_shown_in_every_zone(target: Target) -> None:
    """A time at the end of the calendar has no day in another zone."""
    faults = Faults()
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
                        moment.astimezone(timezone(timedelta(hours=hours)))
                    except OverflowError:
                        faults.note(f"{field} {name}", f"has no day at {hours:+}")
    faults.expect_none()


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


def test_marks_out_of_order_cost_no_more_than_others(target: Target) -> None:
    """Putting marks in order is quadratic in their number, in Python's normaliser too."""
    for operation, field in (("post /memories", "facts.content"), ("post /recall", "query")):
        body = _usual_body(operation)
        _put(body, field, "a" + "\u0301\u0316" * 25_000)
        began = process_time()
        assert Caller(target, operation).send(body=body).status_code == 422
        assert process_time() - began < 1


def test_the_embedder_takes_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """All others of these tests spare themselves the time."""
    monkeypatch.undo()
    texts = [
        hostile.stored(text)
        for name, text in hostile.texts_about(
            "odd", "marks", "emoji", "blank", "only hidden"
        ).items()
        if hostile.storable(text)
    ]
    for vector in get_embedder().embed(texts):
        assert all(math.isfinite(number) for number in vector)
        assert sum(number * number for number in vector) == pytest.approx(1)


def test_refusals_leave_no_event(target: Target) -> None:
    with owner_scope(target.owner.pk):
        before = Event.objects.of(target.owner.pk).count()
    for value in ("\0", "\ud800", "", "a" * 2_001, None, 1, []):
        answer = Caller(target, "post /memories").send(body={"facts": [{"content": value}]})
        assert answer.status_code == 422
        assert any(
            name.startswith("facts.0.content")
            for name in answer.json()["error"]["details"]["fields"]
        )
    with owner_scope(target.owner.pk):
        assert Event.objects.of(target.owner.pk).count() == before


def test_the_routes_of_the_api_are_those_documented() -> None:
    """A route left out of openapi.json would escape every test of this file."""
    [patterns] = [
        p.url_patterns for p in get_resolver().url_patterns if str(p.pattern) == "api/v1/"
    ]
    routes = {"/" + re.sub(r"<(\w+)>", r"{\1}", str(p.pattern)) for p in patterns}
    documented = {path.split(" ")[1] for path in FIELDS}
    assert routes - documented == {"/openapi.json", "/docs", "/"}
