"""An LLM as judge, behind any OpenAI-compatible endpoint; without one the rules judge.

A judge only ever gives an opinion in a fixed shape. Whatever it says wrongly, or not in time, is a
`JudgeDown`, and the caller goes on by the rules. Its prompts are files in `prompts/`.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import structlog
from django.conf import settings
from pydantic import ValidationError

from memory.adapters.answers import RELATIONS, Answer, FoundFact, FoundFacts, Ruling, Scores
from memory.adapters.circuits import Circuit, CircuitOpen
from memory.domain.importance import Dimensions
from memory.domain.text import estimate_tokens
from memory.domain.values import Decision, Kind, Relation

log = structlog.get_logger(__name__)

_PROMPTS = Path(__file__).with_name("prompts")
_FENCE_OPENS = re.compile(r"\A```[a-zA-Z]*")
# Below this, asking is not worth the connection.
LEAST_SECONDS = 0.05


def _unfenced(answer: str) -> str:
    """An answer without the code fence that some models put around their JSON."""
    bare = answer.strip()
    if bare.startswith("```") and bare.endswith("```"):
        return _FENCE_OPENS.sub("", bare).removesuffix("```").strip()
    return bare


class JudgeDown(Exception):
    """No opinion to be had; `code` says why, and nothing of what was asked or answered."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Budget:
    """The time one request may spend on its judge, all its questions together."""

    seconds: float
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        return self.seconds - (time.monotonic() - self.began)


@dataclass(slots=True)
class Cost:
    """What was spent so far: questions asked, those that came to nothing, tokens."""

    calls: int = 0
    failures: int = 0
    tokens: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A fact to be scored."""

    content: str
    kind: Kind
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message as the judge sees it; `number` is what it cites."""

    number: int
    role: str
    content: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A known memory as the judge sees it: by number, so that it can name no other."""

    content: str
    key: str
    value: str
    status: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a statement stands to one of the candidates shown; `candidate` is its place, from 0."""

    decision: Decision
    relation: Relation
    candidate: int | None


A = TypeVar("A", bound=Answer)


# -- Judges ----------------------------------------------------------------------------------------


class Judge(Protocol):
    """Gives opinions within a budget, and adds what they cost. Each raises JudgeDown."""

    def score(self, facts: Sequence[Scored], *, budget: Budget, cost: Cost) -> list[Dimensions]:
        """The six dimensions of each fact, in order."""

    def extract(
        self, turns: Sequence[Turn], *, zone: str, budget: Budget, cost: Cost
    ) -> list[FoundFact]:
        """What a dialogue says about its owner; every message cited is one of `turns`."""

    def route(
        self,
        new: Candidate,
        known: Sequence[Candidate],
        *,
        budget: Budget,
        cost: Cost,
    ) -> Verdict:
        """How a statement stands to what is known; the candidate is one of `known`."""


class EndpointJudge:
    """An LLM behind an OpenAI-compatible endpoint."""

    def __init__(self, *, url: str, model: str, key: str) -> None:
        from memory.adapters.chat import Chat  # the client: only for who has a judge

        self.circuit = Circuit()
        self._chat = Chat(url=url, model=model, key=key)

    def close(self) -> None:
        """Let go of the connections it keeps."""
        self._chat.close()

    def score(self, facts: Sequence[Scored], *, budget: Budget, cost: Cost) -> list[Dimensions]:
        shown = [
            {"n": n, "content": fact.content, "kind": fact.kind.value, "key": fact.key}
            for n, fact in enumerate(facts, 1)
        ]
        answer = self._ask("score", {"facts": shown}, Scores, budget=budget, cost=cost)
        scores = {score.n: score for score in answer.scores}
        if set(scores) != set(range(1, len(facts) + 1)) or len(answer.scores) != len(facts):
            raise self._wrong("wrong_ids", cost)
        return [Dimensions(**scores[n].model_dump(exclude={"n"})) for n in range(1, len(facts) + 1)]

    def extract(
        self, turns: Sequence[Turn], *, zone: str, budget: Budget, cost: Cost
    ) -> list[FoundFact]:
        shown = [
            {"n": turn.number, "role": turn.role, "at": _time(turn.at), "content": turn.content}
            for turn in turns
        ]
        data = {"owner_time_zone": zone, "messages": shown}
        answer = self._ask("extract", data, FoundFacts, budget=budget, cost=cost)
        if not {fact.message for fact in answer.facts} <= {turn.number for turn in turns}:
            raise self._wrong("wrong_ids", cost)
        return answer.facts

    def route(
        self,
        new: Candidate,
        known: Sequence[Candidate],
        *,
        budget: Budget,
        cost: Cost,
    ) -> Verdict:
        data = {
            "new": {
                "content": new.content,
                "key": new.key,
                "value": new.value,
                "said_at": _time(new.since),
            },
            "known": [
                {
                    "n": n,
                    "content": row.content,
                    "key": row.key,
                    "value": row.value,
                    "status": row.status,
                    "since": _time(row.since),
                }
                for n, row in enumerate(known, 1)
            ],
        }
        ruling = self._ask("route", data, Ruling, budget=budget, cost=cost)
        if ruling.relation not in RELATIONS[ruling.decision]:
            raise self._wrong("malformed", cost)
        if ruling.known is None:
            if ruling.relation is not Relation.NEW:
                raise self._wrong("wrong_ids", cost)
        elif not 1 <= ruling.known <= len(known):
            raise self._wrong("wrong_ids", cost)
        place = None if ruling.known is None else ruling.known - 1
        return Verdict(decision=ruling.decision, relation=ruling.relation, candidate=place)

    def _ask(
        self, name: str, data: dict[str, Any], shape: type[A], *, budget: Budget, cost: Cost
    ) -> A:
        """One question, asked twice at most, its answer in the shape asked for."""
        from memory.adapters.chat import ChatFailed

        if budget.left() < LEAST_SECONDS:
            raise JudgeDown("budget")
        try:
            self.circuit.enter()
        except CircuitOpen:
            raise JudgeDown("circuit_open") from None
        prompt, said = read_prompt(name), json.dumps(data, ensure_ascii=False)
        for attempt in (1, 2):
            cost.calls += 1
            try:
                text, tokens = self._chat.ask(prompt, said, seconds=budget.left())
            except ChatFailed as failed:
                cost.tokens += estimate_tokens(prompt + said)
                # Not all at the same moment, when many are told to come back.
                pause = 0.05 + secrets.randbelow(100) / 1000
                if failed.again and attempt == 1 and budget.left() > pause + LEAST_SECONDS:
                    time.sleep(pause)
                    continue
                raise self._wrong(failed.code, cost) from None
            except BaseException:
                self.circuit.fail("error")
                raise
            cost.tokens += tokens or estimate_tokens(prompt + said + text)
            try:
                answer = shape.model_validate_json(_unfenced(text))
            except (ValidationError, RecursionError):
                raise self._wrong("malformed", cost) from None
            self.circuit.succeed()
            return answer
        raise AssertionError("unreachable")

    def _wrong(self, code: str, cost: Cost) -> JudgeDown:
        self.circuit.fail(code)
        cost.failures += 1
        cost.error = code
        log.warning("judge gave no usable answer", why=code, circuit=self.circuit.state)
        return JudgeDown(code)


@cache
def read_prompt(name: str) -> str:
    """What the judge is told: memory/adapters/prompts/<name>.txt."""
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8")


@cache
def _judge(url: str, model: str, key: str) -> EndpointJudge:
    return EndpointJudge(url=url, model=model, key=key)


def get_judge() -> EndpointJudge | None:
    """The judge of this installation: LLM_URL where set, else None and the rules judge."""
    if not settings.LLM_URL:
        return None
    return _judge(settings.LLM_URL, settings.LLM_MODEL, settings.LLM_API_KEY)


def circuit_state() -> dict[str, str]:
    """For the health page: "off" (the rules judge), or this process's circuit and last error."""
    judge = get_judge()
    if judge is None:
        return {"state": "off", "error": ""}
    return {"state": judge.circuit.state, "error": judge.circuit.error}


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
