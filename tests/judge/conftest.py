"""A judge that answers, and the ways it goes wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from memory.adapters import judges
from tests.judge.server import Endpoint, running_endpoint

DIMENSIONS = ("relevance", "factuality", "actionability", "personal", "time", "safety")


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Endpoint]:
    """The judge of this installation, for one test; it scores .7 and says ADD unless told."""
    with running_endpoint() as running:
        settings.LLM_URL = running.url
        settings.LLM_MODEL = "test"
        settings.LLM_API_KEY = "the-key"
        # Long enough for a busy machine; the tests of slowness shorten it.
        settings.MEMOIR_JUDGE_SECONDS = settings.MEMOIR_JUDGE_JOB_SECONDS = 10.0
        judges._judge.cache_clear()
        running.say = answer_well
        yield running
        # Calls whose budget ran out were left behind: let them end, with their connections.
        for thread in threading.enumerate():
            if thread.name == "judge":
                thread.join(10)
        if judges._judge.cache_info().currsize:
            judges._judge(running.url, "test", "the-key").close()
        judges._judge.cache_clear()


def answer_well(asked: dict[str, Any]) -> str:
    if "facts" in asked:
        return scores(*[0.7] * len(asked["facts"]))
    if "new" in asked:
        return json.dumps({"decision": "ADD", "relation": "new", "known": None})
    return json.dumps({"facts": []})


def scores(*values: float, safety: float = 0.0) -> str:
    return json.dumps(
        {
            "scores": [
                {"n": n, **dict.fromkeys(DIMENSIONS, value), "safety": safety}
                for n, value in enumerate(values, 1)
            ]
        }
    )
