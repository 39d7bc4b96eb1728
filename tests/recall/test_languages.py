"""A question finds what was said, in whichever language and script either of them is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from memory.adapters.embedders import HashEmbedder
from memory.border import owner_scope
from memory.models import Memory, MemoryUse
from memory.services.recall import Question, recall
from tests.conftest import NOW, ApiClient

QUESTION_OF_THE_EMBEDDER = ("memory.services.recall.get_embedder",
                            "memory.services.consider.get_embedder",
                            "memory.services.write.get_embedder",
                            "memory.services.index.get_embedder")  # fmt: skip
PEANUTS = "对花生过敏"


def told(agent: ApiClient, query: str, **more: Any) -> list[str]:
    """What is ranked, without what stands before every answer."""
    answer = agent.recall(query, standing=False, **more)
    return [item["memory"]["content"] for item in answer["memories"]]


@pytest.mark.parametrize("query", ["food allergy", "what am I allergic to?", "peanuts"])
def test_an_english_question_finds_chinese_words(agent: ApiClient, query: str) -> None:
    agent.write(PEANUTS)
    for other in ("我住在杭州西湖区", "周三有评审会", "喜欢喝绿茶"):
        agent.write(other)
    assert told(agent, query)[:1] == [PEANUTS]


@pytest.mark.parametrize("query", ["我住在哪里", "我住在哪个城市？"])
def test_a_chinese_question_finds_english_words(agent: ApiClient, query: str) -> None:
    agent.write("I live in Lisbon")
    for other in ("I play the violin", "my cat is called Miso"):
        agent.write(other)
    assert told(agent, query)[:1] == ["I live in Lisbon"]


def test_an_embedder_of_one_language_finds_nothing_and_fails_nothing(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words cross languages by their topic alone: docs/operations.md says so."""
    for place in QUESTION_OF_THE_EMBEDDER:
        monkeypatch.setattr(place, HashEmbedder, raising=False)
    sunset = agent.write("江边的晚霞特别好看")["memory"]["content"]
    assert told(agent, "evening glow by the river") == []
    assert told(agent, "晚霞") == [sunset]


def test_words_are_found_inside_chinese_and_in_full_width(agent: ApiClient) -> None:
    rows = ["我住在杭州西湖区", "Alice喜欢北京烤鸭employees", "编号ＣＮ－Ａ１０２９３"]
    for content in rows:
        agent.write(content)
    for query, content in zip(("西湖", "烤鸭", "CN-A10293"), rows, strict=True):
        found = agent.recall(query, explain=True)["memories"]
        words = {item["memory"]["content"] for item in found if item["explain"]["keyword"] > 0}
        assert words == {content}, query


@pytest.mark.parametrize("times", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_a_thousand_questions_take_nothing_away(
    alice: User, make_memory: Callable[..., Memory], agent: ApiClient, times: int
) -> None:
    """Being asked for can make a memory stronger. It can neither retire nor delete it."""
    row = make_memory(alice, "我每天早上喝龙井茶", visibility="user")

    def now() -> dict[str, Any]:
        with owner_scope(alice.pk):
            return Memory.objects.filter(pk=row.pk).values().get()

    before = now()
    for number in range(times):
        query = ("龙井茶", "早上喝什么", "股票行情", "what do I drink")[number % 4]
        recall(agent.caller, Question(query=query, top_k=3), now=NOW)
    assert now() == before
    with owner_scope(alice.pk):
        assert MemoryUse.objects.get(memory=row).times_served >= times // 4
