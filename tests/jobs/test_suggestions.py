"""Repeated feedback becomes one suggestion that waits for the owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, ConflictMember, Memory
from memory.services import dispatch
from memory.services.settle import confirm_memory, deny_memory
from tests.conftest import ApiClient, MakeAgent

FEEDBACK = ["回答太长了", "说重点，别太啰嗦", "请简短一点"]


def suggestions(owner: User) -> list[Memory]:
    with owner_scope(owner.pk):
        return list(Memory.objects.of(owner).filter(status_reason="suggestion"))


def test_three_times_make_one_suggestion_that_cites_them(agent: ApiClient, alice: User) -> None:
    said = [agent.write(words)["memory"]["id"] for words in FEEDBACK[:2]]
    assert suggestions(alice) == []
    said.append(agent.write(FEEDBACK[2])["memory"]["id"])
    [found] = suggestions(alice)
    assert (found.content, found.kind, found.status) == ("回答要简洁", "procedural", "conflict")
    assert found.source == "inferred"
    with owner_scope(alice.pk):
        entry = Conflict.objects.get(reason="suggestion")
        cited = ConflictMember.objects.filter(conflict=entry, bystander=True)
        assert {str(pk) for pk in cited.values_list("memory", flat=True)} == set(said)
    for words in FEEDBACK:
        agent.write(words)
    assert len(suggestions(alice)) == 1


def test_the_same_words_three_times_count_three_times(agent: ApiClient, alice: User) -> None:
    for _ in range(3):
        agent.write("回答太长了")
    [found] = suggestions(alice)
    assert found.content == "回答要简洁"


def test_so_does_feedback_in_conversations(agent: ApiClient, alice: User) -> None:
    for words in ("你的回答太长了，以后简短一点", "别这么啰嗦，以后说重点", "以后回答请简洁一些"):
        agent.post("conversations", {"messages": [{"role": "user", "content": words}]})
        dispatch.run_due_jobs()
    assert [row.content for row in suggestions(alice)] == ["回答要简洁"]


def test_it_is_served_as_a_question_and_not_as_a_rule(agent: ApiClient) -> None:
    for words in FEEDBACK:
        agent.write(words)
    answer = agent.recall("回答要简洁吗")
    assert "回答要简洁" not in answer["context"]
    assert all(s["memory"]["content"] != "回答要简洁" for s in answer["standing"])
    assert any(entry["reason"] == "suggestion" for entry in answer["needs_confirmation"])


def test_confirmed_it_stands(agent: ApiClient, alice: User) -> None:
    for words in FEEDBACK:
        agent.write(words)
    [found] = suggestions(alice)
    confirm_memory(owner=alice.pk, memory=found.pk, now=timezone.now())
    standing = [s["memory"]["content"] for s in agent.recall("推荐一个框架")["standing"]]
    assert "回答要简洁" in standing


def test_denied_it_does_not_return(agent: ApiClient, alice: User) -> None:
    for words in FEEDBACK:
        agent.write(words)
    [found] = suggestions(alice)
    deny_memory(owner=alice.pk, memory=found.pk, now=timezone.now())
    for words in [*FEEDBACK, "太长了，精简一点"]:
        agent.write(words)
    assert suggestions(alice) == []


def test_feedback_of_other_agents_and_of_long_ago_does_not_count(
    agent: ApiClient, alice: User, make_agent: MakeAgent
) -> None:
    agent.write(FEEDBACK[0])
    make_agent(alice, "other").write(FEEDBACK[1])
    agent.write(FEEDBACK[1])
    with owner_scope(alice.pk):
        long_ago = timezone.now() - timedelta(days=100)
        Memory.objects.filter(content=FEEDBACK[1]).update(said_at=long_ago)
    agent.write(FEEDBACK[2])
    assert suggestions(alice) == []


@pytest.mark.parametrize("source", ["inferred", "external"])
def test_guesses_about_feedback_do_not_count(agent: ApiClient, alice: User, source: Any) -> None:
    for words in FEEDBACK:
        agent.write(words, source=source)
    assert suggestions(alice) == []
