"""What all boundary tests share: a client that never raises, and savepoints."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from memory.adapters.embedders import BundledEmbedder, HashEmbedder

# API.md, "Errors".
CODES = {
    400: {"invalid_json"},
    401: {"missing_key", "unknown_key", "revoked_key", "expired_key"},
    403: {"scope_missing", "owner_only"},
    404: {"not_found"},
    409: {"version_conflict", "already_settled", "idempotency_mismatch"},
    413: {"too_large"},
    415: {"unsupported_media_type"},
    422: {"validation_failed"},
    429: {"rate_limited"},
    503: {"unavailable"},
}


@pytest.fixture(autouse=True)
def _without_side_effects(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """No broker, no limits on tries; vectors and hashes that cost nothing."""
    for module in ("memories", "conversations"):
        monkeypatch.setattr(f"memory.api.{module}.nudge", lambda: None)
    settings.ACCOUNT_RATE_LIMITS = False
    # One test gives every text to the real one.
    monkeypatch.setattr(BundledEmbedder, "embed", HashEmbedder().embed)
    # Thousands of refusals are the point; 500s still show.
    monkeypatch.setattr(logging.getLogger("django.request"), "level", logging.ERROR)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens inside leaves no trace."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def never_raising(**headers: str) -> Client:
    """A client that shows a 500 as its visitor sees it."""
    return Client(raise_request_exception=False, headers=headers)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def read_strictly(body: bytes) -> Any:
    """JSON as RFC 8259 has it: UTF-8, no NaN."""
    return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)


def fault_in_error(answer: Any) -> str:
    """What is wrong with an error answer of the API; empty where nothing is."""
    try:
        body = read_strictly(answer.content)
    except ValueError as error:
        return f"{answer.status_code} is not strict JSON ({error}): {answer.content[:120]!r}"
    if not isinstance(body, dict) or set(body) != {"error"}:
        return f"{answer.status_code} has not the shape of an error: {str(body)[:120]}"
    error = body["error"]
    if set(error) != {"code", "message", "details"} or not isinstance(error["details"], dict):
        return f"{answer.status_code} has not the shape of an error: {str(body)[:120]}"
    if error["code"] not in CODES.get(answer.status_code, ()):
        return f"{answer.status_code} carries {error['code']}"
    if not isinstance(error["message"], str) or not error["message"]:
        return f"{answer.status_code} says nothing"
    if error["code"] == "validation_failed" and not error["details"].get("fields"):
        return "422 names no field"
    if len(answer.content) > 8_000:
        return f"{answer.status_code} echoes {len(answer.content):,} bytes"
    return ""


class Faults:
    """Collects what went wrong, by the value that did it, to fail once with all of it."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}

    def note(self, value: str, fault: str) -> None:
        if fault:
            self._found.setdefault(fault, []).append(value)

    def expect_none(self) -> None:
        lines = [
            f"{fault}\n    for {len(values)}: {'; '.join(values[:8])}"
            for fault, values in self._found.items()
        ]
        if lines:
            pytest.fail(f"{len(lines)} kinds of fault\n" + "\n".join(lines), pytrace=False)
