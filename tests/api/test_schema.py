"""Whatever is sent, the API answers as openapi.json says it does, and never with a 500."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, Phase, strategies
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from memory.services.dispatch import run_due_jobs
from tests.conftest import ApiClient, MakeAgent

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
]  # fmt: skip
# Of these half the cases name something that is there, so that not all is 404.
NAMED = ("memory", "job", "recall")


@pytest.fixture
def ids(committed: None, agent: ApiClient) -> dict[str, str]:
    row = agent.write("I live in Lisbon", key="user.residence", value="Lisbon")["memory"]["id"]
    agent.write("Perhaps I use a Mac", source="inferred")
    doomed = agent.write("I like jazz")["memory"]["id"]
    talk = {"messages": [{"role": "user", "content": "I drink tea every morning"}]}
    job = agent.post("conversations", talk).json()["job"]["id"]
    run_due_jobs()
    recall = agent.recall("Where do I live?")["id"]
    return {"memory": row, "doomed": doomed, "job": job, "recall": recall}


def cases_of(operation: Any, ids: dict[str, str]) -> Iterator[Any]:
    """Valid and invalid requests; where the address names something, also of what is there."""
    for mode in GenerationMode:
        yield operation.as_strategy(generation_mode=mode)
    named = [word for word in NAMED if f"{{{word}}}" in operation.path]
    if named:
        there = {word: ids[word] for word in named}
        if operation.method == "delete":
            there["memory"] = ids["doomed"]
        yield operation.as_strategy(path_parameters=there)
    if operation.method == "patch":
        yield operation.as_strategy(path_parameters=there, body={"version": 1})
    if "recall" in named:
        body = {"memory": ids["memory"], "outcome": "used"}
        yield operation.as_strategy(path_parameters=there, body=body)


def attack(agent: ApiClient, ids: dict[str, str], *, each: int) -> Counter[tuple[str, int]]:
    """So many cases of each operation; how often each answered with which status."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", WSGIHandler())
    answered: Counter[tuple[str, int]] = Counter()
    for found in schema.get_all_operations():
        operation = found.ok()

        @hypothesis.settings(
            max_examples=each, database=None, derandomize=True, deadline=None,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @hypothesis.given(case=strategies.one_of(*cases_of(operation, ids)))
        def send(case: Any) -> None:
            # A key that is good, whatever the case made of the header.
            case.headers["Authorization"] = f"Bearer {agent.key}"
            response = case.call()
            answered[case.operation.label, response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        send()
    return answered


def expect_all_answered(answered: Counter[tuple[str, int]], least: int) -> None:
    assert answered.total() >= least
    operations = {label for label, _status in answered}
    assert len(operations) == 13
    for label in operations:
        worked = [status for name, status in answered if name == label and status < 300]
        assert worked, f"{label} was never allowed, so nothing of it was tried"


def test_answers_are_those_of_the_schema(agent: ApiClient, ids: dict[str, str]) -> None:
    expect_all_answered(attack(agent, ids, each=16), least=150)


@pytest.mark.long
def test_two_thousand_answers_are_those_of_the_schema(
    agent: ApiClient, ids: dict[str, str]
) -> None:
    answered = attack(agent, ids, each=200)
    expect_all_answered(answered, least=2000)


def test_the_schema_says_how_to_sign_in_and_what_is_refused(
    alice: User, make_agent: MakeAgent
) -> None:
    schema = make_agent(alice).get("openapi.json").json()
    assert schema["components"]["securitySchemes"]["KeyAuth"]["scheme"] == "bearer"
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            wanted = {"503"} if path.endswith("/health") else {"401", "429", "503"}
            assert wanted <= set(operation["responses"]), (method, path)
