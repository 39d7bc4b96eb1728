"""Words that must never take a true fact away: careless, concluded, from outside, unsure, hearsay.

In both languages, against safety facts, what the owner pinned, and what the user said. Nothing was
mended for the `held_out` half and the `second` set before both were measured.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.policy import DEFAULT_POLICY
from memory.domain.values import Reason, Source, Status
from memory.models import Conflict, Memory
from memory.services.pin import pin_memory
from memory.services.recall import Question, recall
from memory.services.write import Fact, write_facts
from tests.conftest import MakeAgent

BEFORE = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOW = BEFORE + timedelta(hours=1)
CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("hostile.jsonl").read_text(encoding="utf-8").splitlines()
]
SOURCES = {"inferred": Source.INFERRED, "external": Source.EXTERNAL}


def name_of(case: dict[str, str]) -> str:
    return f"{case['split']}-{case['how']}-{case['new']}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_fact_stays_served_and_the_owner_is_asked(
    case: dict[str, str], alice: User, make_agent: MakeAgent
) -> None:
    caller = make_agent(alice, external_allowed=True).caller
    [first] = write_facts(caller, [Fact(content=case["old"])], now=BEFORE)
    assert first.memory is not None
    old = first.memory.pk
    if case["how"] == "pinned":
        pin_memory(owner=alice.pk, memory=old, pinned=True, now=BEFORE)
    if case["how"] == "protected":
        assert first.memory.is_protected(DEFAULT_POLICY), "the case needs a safety fact"
    source = SOURCES.get(case["how"], Source.USER_STATED)
    [outcome] = write_facts(caller, [Fact(content=case["new"], source=source)], now=NOW)

    with owner_scope(alice.pk):
        fact = Memory.objects.of(alice.pk).get(pk=old)
        assert (fact.status, fact.deleted_at) == (Status.ACTIVE, None)
        waiting = Conflict.objects.of(alice.pk).waiting().filter(members__memory=old)
        asked = waiting.exclude(reason=Reason.SHARING).exists()
        assert fact.contested == asked
    if case["expected"] == "asked":
        assert asked, outcome.reason
    if asked or source is not Source.USER_STATED:
        # An inference, or text from outside, waits also where nothing is known against it.
        assert outcome.memory is not None
        assert outcome.memory.status == Status.CONFLICT
    answer = recall(caller, Question(query=case["old"], reinforce=False), now=NOW)
    served = [one.memory.pk for one in answer.served]
    served += [memory.pk for memory, _ in answer.standing]
    assert old in served
    if outcome.memory is not None and outcome.memory.status == Status.CONFLICT:
        assert outcome.memory.pk not in served
