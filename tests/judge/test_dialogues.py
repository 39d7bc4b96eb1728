"""Forty messages in two languages over HTTP: the facts listed beforehand, by whichever judge.

The second dialogue was written before tuning and not looked at since.
"""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import UUID

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.polarity import is_negative
from memory.domain.text import match_form
from memory.domain.values import Source
from memory.models import Memory, Message
from memory.services import dispatch
from tests.conftest import ApiClient, MakeAgent
from tests.domain.labelled import read_dialogue
from tests.judge.conftest import answer_well
from tests.judge.server import Endpoint

Kept = list[tuple[int, Memory]]
Listed = list[dict[str, Any]]


def hand_over(agent: ApiClient, owner: User, name: str) -> tuple[Listed, Kept]:
    """The facts listed for a dialogue, and the memories that come of it with their messages."""
    script = read_dialogue(name)
    owner.zone = script["zone"]
    owner.save()
    before = {agent.write(known)["memory"]["id"] for known in script["known"]}
    for known in script["known"]:  # what was recalled may be quoted back
        assert agent.recall(known)["memories"]
    assert len(script["messages"]) == 40
    answer = agent.post("conversations", {"messages": script["messages"]})
    assert answer.status_code == 202, answer.content
    dispatch.run_due_jobs()
    job = agent.get(f"jobs/{answer.json()['job']['id']}").json()
    assert job["status"] == "done", job
    ids = {r["memory"]["id"] for r in job["results"] if r["memory"] is not None} - before
    with owner_scope(owner.pk):
        place = dict(Message.objects.values_list("pk", "position"))
        kept = [
            (place[row.message_id], row)
            for row in Memory.objects.filter(pk__in=map(UUID, ids)).order_by("created_at", "pk")
            if row.message_id
        ]
    # What tools and pages say is refused: nobody allowed it for this agent.
    return [fact for fact in script["expected"] if fact["source"] != Source.EXTERNAL], kept


def compare(listed: Listed, kept: Kept) -> tuple[list[tuple[dict[str, Any], Memory]], Kept]:
    """Each listed fact with the memory that tells it, and the memories nobody listed."""
    left, pairs = list(kept), []
    for wanted in listed:
        for place, row in left:
            told = match_form(row.content)
            if place == wanted["message"] and all(match_form(w) in told for w in wanted["words"]):
                left.remove((place, row))
                pairs.append((wanted, row))
                break
    return pairs, left


def check_each(pairs: list[tuple[dict[str, Any], Memory]]) -> None:
    for wanted, row in pairs:
        assert row.source == wanted["source"], row.content
        if wanted["subject"] not in (None, "user"):
            # Somebody else's: it says whose, and stands under none of the owner's topics.
            assert match_form(wanted["subject"]) in match_form(row.content)
            assert not (row.key or "").startswith("user."), (row.key, row.content)
        assert is_negative(row.content) == is_negative(row.quote), (row.content, row.quote)


@pytest.fixture(params=["tuning", "held_out"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_with_no_judge(agent: ApiClient, alice: User, name: str, record_property: Any) -> None:
    listed, kept = hand_over(agent, alice, name)
    pairs, invented = compare(listed, kept)
    precision, recall = len(pairs) / len(kept), len(pairs) / len(listed)
    record_property("precision", precision)
    record_property("recall", recall)
    assert precision >= 0.9, [row.content for _, row in invented]
    assert recall >= 0.7
    check_each(pairs)


def sentences(asked: dict[str, Any], listed: Listed) -> list[dict[str, Any]]:
    """What a good judge answers: each listed fact by the words of its message that tell it."""
    facts = []
    shown = {message["n"]: message["content"] for message in asked["messages"]}
    for wanted in listed:
        content = shown.get(wanted["message"] + 1)
        if content is None:
            continue
        clauses = [content[a:b] for a, b in _spans(content)]
        quote = min(
            (c for c in clauses if all(match_form(w) in match_form(c) for w in wanted["words"])),
            key=len,
        )
        facts.append(
            {"message": wanted["message"] + 1, "quote": quote, "content": quote,
             "source": wanted["source"]}
        )  # fmt: skip
    return facts


def _spans(content: str) -> list[tuple[int, int]]:
    """Every run of whole clauses."""
    ends = [0, *(m.end() for m in re.finditer(r"[,.!?;，。！？；、]\s*", content)), len(content)]
    return [(a, b) for a in ends for b in ends if a < b]


def test_a_good_judge_loses_none_and_invents_none(
    agent: ApiClient,
    alice: User,
    name: str,
    endpoint: Endpoint,
) -> None:
    known = [f for f in read_dialogue(name)["expected"] if f["source"] != Source.EXTERNAL]

    def say(asked: dict[str, Any]) -> str:
        if "messages" in asked:
            return json.dumps({"facts": sentences(asked, known)})
        return answer_well(asked)

    endpoint.say = say
    listed, kept = hand_over(agent, alice, name)
    pairs, invented = compare(listed, kept)
    assert any("messages" in asked for asked in endpoint.asked)
    # One sentence may tell two of them: the judge quotes it once, and it is kept once.
    lost = [wanted["words"] for wanted in listed if not compare([wanted], kept)[0]]
    assert lost == []
    assert [row.content for _, row in invented] == []
    check_each(pairs)


RUBBISH = [
    "{",
    pytest.param("[]", marks=pytest.mark.long),
    '{"facts": [{"message": 1, "quote": "I own a yacht", "content": "owns a yacht",'
    ' "source": "user_stated"}]}',
    pytest.param(
        '{"facts": [{"message": 99, "quote": "x", "content": "x", "source": "user_stated"}]}',
        marks=pytest.mark.long,
    ),
]


@pytest.mark.parametrize(
    "name", ["tuning", pytest.param("held_out", marks=pytest.mark.long)], indirect=True
)
@pytest.mark.parametrize("said", RUBBISH)
def test_rubbish_leaves_exactly_what_the_rules_find(
    agent: ApiClient,
    alice: User,
    bob: User,
    make_agent: MakeAgent,
    name: str,
    said: str,
    endpoint: Endpoint,
    settings: Any,
) -> None:
    endpoint.say = lambda asked: said if "messages" in asked else answer_well(asked)
    _, with_rubbish = hand_over(agent, alice, name)
    settings.LLM_URL = ""
    _, by_rules = hand_over(make_agent(bob), bob, name)
    assert [(p, m.content, m.source) for p, m in with_rubbish] == [
        (p, m.content, m.source) for p, m in by_rules
    ]
