"""What was replaced is not told any more; what replaced it comes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accounts.models import User
from memory.domain.values import Decision
from memory.evaluation.routing import APART, NOW, Pair, read_pairs
from memory.querysets.callers import Caller
from memory.services.recall import Question, recall
from memory.services.write import Fact, write_facts

HERE = Path(__file__).resolve().parent.parent
PAIRS = HERE.parent.parent / "shared" / "data" / "routing_dev.jsonl"
QUESTIONS: dict[str, str] = json.loads((HERE / "data" / "update_questions.json").read_text())
# What else such a person has told: none of it answers any of the questions.
BESIDE = [
    "打印机在三楼走廊尽头",
    "周五下班前提交周报",
    "喜欢在雨天听爵士乐",
    "The printer is on the second floor",
    "My sister plays the cello",
    "The office plants are watered on Mondays",
]

# Labelled UPDATE or DELETE and routed otherwise, which `evaluate routing` counts.
ROUTED_OTHERWISE = {"d008"}

pairs = {pair.id: pair for pair in read_pairs(PAIRS)} if PAIRS.is_file() else {}


@pytest.fixture
def pair(request: pytest.FixtureRequest) -> Pair:
    if not pairs:
        pytest.skip("the labelled pairs (routing_dev.jsonl) are not beside this checkout")
    return pairs[request.param]


def test_every_update_and_deletion_has_a_question() -> None:
    if not pairs:
        pytest.skip("the labelled pairs (routing_dev.jsonl) are not beside this checkout")
    assert {pk for pk, pair in pairs.items() if pair.expected in ("UPDATE", "DELETE")} == set(
        QUESTIONS
    )


@pytest.mark.parametrize("pair", sorted(ROUTED_OTHERWISE), indirect=True)
def test_what_is_routed_otherwise_takes_nothing_away(pair: Pair, alice: User) -> None:
    caller = Caller(owner=alice.pk)
    [old] = write_facts(caller, [Fact(content=pair.old)], now=NOW - APART)
    [new] = write_facts(caller, [Fact(content=pair.new)], now=NOW)
    assert new.decision in (Decision.ADD, Decision.CONFLICT)
    assert old.memory is not None
    told = {item.memory.pk for item in recall(caller, Question(query=pair.old), now=NOW).served}
    assert old.memory.pk in told


@pytest.mark.parametrize(
    "pair", [pk for pk in QUESTIONS if pk not in ROUTED_OTHERWISE], indirect=True
)
def test_the_new_fact_comes_first_and_the_old_one_nowhere(pair: Pair, alice: User) -> None:
    caller = Caller(owner=alice.pk)
    write_facts(caller, [Fact(content=words) for words in BESIDE], now=NOW - 2 * APART)
    [old] = write_facts(caller, [Fact(content=pair.old)], now=NOW - APART)
    [new] = write_facts(caller, [Fact(content=pair.new)], now=NOW)
    assert new.decision in (Decision.UPDATE, Decision.DELETE)
    assert old.memory is not None
    assert new.memory is not None
    answer = recall(caller, Question(query=QUESTIONS[pair.id]), now=NOW)
    told = [
        *(item.memory for item in answer.served),
        *(memory for memory, _ in answer.standing),
        *(memory for entry in answer.asked for memory in entry.memories),
    ]
    assert old.memory.pk not in {memory.pk for memory in told}
    assert f"- {pair.old} (" not in answer.context
    assert not answer.history
    key = new.memory.key
    about_it = [
        item.memory.pk
        for item in answer.served
        if item.memory.pk == new.memory.pk or (key and item.memory.key == key)
    ]
    assert about_it[:1] == [new.memory.pk], [item.memory.content for item in answer.served]
    # Nothing that speaks of something else stands before it.
    assert answer.served[0].memory.pk == new.memory.pk
