"""Whether the newest value of a slot is served, and no older one beside it.

Format: FactConsolidation of MemoryAgentBench (https://github.com/HUST-AI-HYZ/MemoryAgentBench):
numbered facts, of which a later one overrides an earlier one, and questions about them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from memory.border import owner_scope
from memory.domain.dimensions import detect
from memory.domain.text import match_form
from memory.evaluation.throwaway import throwaway_owner
from memory.querysets.callers import Caller
from memory.services.consider import Question
from memory.services.recall import embed_question, find
from memory.services.write import Fact, write_facts

log = structlog.get_logger(__name__)

_START = datetime(2026, 1, 1, tzinfo=UTC)
_STEP = timedelta(minutes=1)
_BATCH = 64
_DEPTH = 5
_LINE = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class SlotFact:
    """A numbered fact; key and value where a keys file names them."""

    serial: int
    content: str
    key: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class SlotSet:
    """One set of facts in their order, with its questions and the answers that are right."""

    name: str
    facts: Sequence[SlotFact]
    questions: Sequence[tuple[str, tuple[str, ...]]]


def read_slots(path: Path, keys: Path | None) -> Iterator[SlotSet]:
    """The sets of a file, with the keys of the other file where one is given."""
    given = json.loads(keys.read_text(encoding="utf-8")) if keys is not None else []
    by_set = {entry["set"]: {fact["serial"]: fact for fact in entry["facts"]} for entry in given}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        name = entry["metadata"]["source"].removeprefix("factconsolidation_")
        named: Mapping[int, Any] = by_set.get(name, {})
        facts = []
        for number, content in _LINE.findall(entry["context"]):
            known = named.get(int(number), {})
            facts.append(
                SlotFact(
                    int(number), content.strip(), known.get("key") or "", known.get("value") or ""
                )
            )
        yield SlotSet(
            name,
            facts,
            [
                (question, tuple(answers))
                for question, answers in zip(entry["questions"], entry["answers"], strict=True)
            ],
        )


def evaluate_slots(sets: Sequence[SlotSet], *, keys: str) -> list[dict[str, Any]]:
    """Write the facts of each set in order, then ask its questions.

    newest@1: the share (0 to 100) of questions whose first memory holds the right answer.
    stale@5: the share of questions with an outdated value of the asked slot, the right one, in
    the first five.
    """
    return [_evaluate_set(one, keys=keys) for one in sets]


def _evaluate_set(one: SlotSet, *, keys: str) -> dict[str, Any]:
    newest, stale = 0, 0
    outdated = _outdated(one.facts)
    with throwaway_owner() as caller:
        _write(caller, one)
        now = _START + _STEP * (len(one.facts) + 1)
        for question, answers in one.questions:
            asked = Question(query=question, include_history=False, standing=False, reinforce=False)
            vector = embed_question(question)
            with owner_scope(caller.owner):
                answer = find(caller, asked, vector=vector, at=now)
            served = [item.memory.content for item in answer.served]
            right = [content for content in served[:1] if _holds(content, answers)]
            newest += bool(right)
            slots = {_slot(content) for content in served[:_DEPTH] if _holds(content, answers)}
            stale += any(
                content in outdated and _slot(content) in slots for content in served[:_DEPTH]
            )
        log.info("asked", set=one.name, questions=len(one.questions), newest=newest, stale=stale)
    return {
        "set": one.name,
        "facts": len(one.facts),
        "questions": len(one.questions),
        "keys": keys,
        "newest@1": round(100 * newest / max(1, len(one.questions)), 2),
        f"stale@{_DEPTH}": round(100 * stale / max(1, len(one.questions)), 2),
    }


def _write(caller: Caller, one: SlotSet) -> None:
    for at in range(0, len(one.facts), _BATCH):
        facts = [
            Fact(
                content=fact.content,
                key=fact.key,
                value=fact.value,
                valid_from=_START + _STEP * (at + place),
            )
            for place, fact in enumerate(one.facts[at : at + _BATCH])
        ]
        write_facts(caller, facts, now=_START + _STEP * (at + len(facts)))
        log.info("written", set=one.name, facts=at + len(facts), of=len(one.facts))


def _slot(content: str) -> str:
    """The statement up to its value: facts that agree in it are about one slot."""
    found = detect(content)
    return found.key if found is not None else content.rsplit(" ", 1)[0]


def _outdated(facts: Sequence[SlotFact]) -> frozenset[str]:
    """The statements that a later one about the same slot overrides."""
    newest: dict[str, str] = {}
    for fact in facts:
        newest[fact.key or _slot(fact.content)] = fact.content
    return frozenset(
        fact.content for fact in facts if newest[fact.key or _slot(fact.content)] != fact.content
    )


def _holds(content: str, answers: Sequence[str]) -> bool:
    said = _NOT_WORDS.sub(" ", match_form(content))
    return any(
        f" {_NOT_WORDS.sub(' ', match_form(answer)).strip()} " in f" {said} " for answer in answers
    )
