"""A key may be used only so often; a broker that is down or stuck refuses nobody."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from memory.adapters import limits
from memory.adapters.circuits import Circuit
from tests.conftest import ApiClient, MakeAgent


@pytest.fixture(autouse=True)
def _limited(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty at once, and one more a minute."""
    settings.MEMOIR_REQUESTS_A_MINUTE = 1
    settings.MEMOIR_REQUESTS_BURST = 50
    monkeypatch.setattr(limits, "_circuit", Circuit(failures=1, pause=5.0))


def test_past_the_limit_the_answer_is_429_and_says_how_long_to_wait(
    alice: User, agent: ApiClient, make_agent: MakeAgent
) -> None:
    answers = [agent.get("me") for _ in range(53)]
    assert [a.status_code for a in answers] == [200] * 50 + [429] * 3
    refused = answers[-1]
    assert refused.json()["error"]["code"] == "rate_limited"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    forged = agent.get("me", headers={"X-Forwarded-For": "203.0.113.9"})
    assert forged.status_code == 429
    # Another key of the same agent has a bucket of its own, and so has everybody without one.
    assert make_agent(alice).get("me").status_code == 200
    assert Client().get("/api/v1/health").status_code == 200


def test_of_two_hundred_at_once_no_more_than_the_limit_pass() -> None:
    bucket = str(uuid4())
    with ThreadPoolExecutor(16) as many:
        waits = list(many.map(lambda _: limits.wait_needed(bucket), range(200)))
    assert waits.count(0) == 50


def test_a_limit_of_nothing_is_none(agent: ApiClient, settings: Any) -> None:
    settings.MEMOIR_REQUESTS_A_MINUTE = 0
    assert {agent.get("me").status_code for _ in range(60)} == {200}


def test_a_broker_that_is_gone_refuses_nobody(
    agent: ApiClient, settings: Any, tmp_path: Path
) -> None:
    settings.BROKER_URL = f"redis+socket://{tmp_path}/none.sock"
    assert {agent.get("me").status_code for _ in range(60)} == {200}


@pytest.fixture
def stuck() -> Iterator[str]:
    """Somebody who takes calls and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def test_a_broker_that_is_stuck_costs_one_request_a_moment(
    agent: ApiClient, settings: Any, stuck: str
) -> None:
    settings.BROKER_URL = stuck
    agent.get("me")
    began = time.monotonic()
    assert {agent.get("me").status_code for _ in range(20)} == {200}
    assert time.monotonic() - began < 20 * limits.SECONDS


def test_beside_a_broker_that_cannot_count_each_process_counts_for_itself(settings: Any) -> None:
    settings.BROKER_URL = "amqp://127.0.0.1//"
    bucket = str(uuid4())
    assert [limits.wait_needed(bucket) for _ in range(51)].count(0) == 50
