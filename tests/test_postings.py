"""Keyword search: the SQL's BM25 is the rules' BM25, in Chinese and English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain import ranking, text
from memory.domain.policy import DEFAULT_POLICY
from memory.models import Memory, Posting
from memory.querysets.callers import Caller
from memory.querysets.candidates import find_candidates
from tests.conftest import ApiClient

ROWS = (
    "我住在杭州西湖区",
    "Alice喜欢北京烤鸭employees",
    "编号ＣＮ－Ａ１０２９３",
    "likes green tea",
    "tea tea tea",
)


@pytest.fixture
def rows(alice: User, make_memory: Callable[..., Memory]) -> list[Memory]:
    return [make_memory(alice, content) for content in ROWS]


@pytest.mark.parametrize("query", ["西湖", "烤鸭", "CN-A10293", "green tea", "employee 杭州", "湖"])
def test_sql_and_rules_score_alike(alice: User, rows: list[Memory], query: str) -> None:
    wanted = sorted(set(text.query_tokens(query)))
    counts = {row.pk: Counter(text.tokens(row.search_text)) for row in rows}
    lengths = {pk: sum(words.values()) for pk, words in counts.items()}
    average = sum(lengths.values()) / len(rows)
    df = {token: sum(token in words for words in counts.values()) for token in wanted}
    expected = {
        pk: sum(
            ranking.bm25(words[token], df[token], len(rows), lengths[pk], average,
                         DEFAULT_POLICY.bm25_k1, DEFAULT_POLICY.bm25_b)
            for token in wanted if words[token]
        )
        for pk, words in counts.items()
    }  # fmt: skip
    most = ranking.most_possible([ranking.idf(df[t], len(rows)) for t in wanted if df[t]])
    with owner_scope(alice.pk):
        found, _ = find_candidates(
            Memory.objects.visible_to(Caller(owner=alice.pk)),
            owner=alice.pk,
            tokens=wanted,
            vector=None,
            embedder="",
            policy=DEFAULT_POLICY,
            limit=9,
        )
    assert {item.memory for item in found} == {pk for pk, score in expected.items() if score}
    for item in found:
        assert item.bm25 == pytest.approx(expected[item.memory], abs=2e-6)
        assert item.most == pytest.approx(most, rel=1e-9)


def test_postings_hold_exactly_the_words_of_the_search_text(
    alice: User, rows: list[Memory]
) -> None:
    with owner_scope(alice.pk):
        for row in rows:
            stored = dict(Posting.objects.filter(memory=row).values_list("token", "count"))
            assert stored == dict(Counter(text.tokens(row.search_text)))
            assert row.word_count == sum(stored.values())


def test_a_thousand_nearer_rows_of_another_agent_hide_nothing(
    alice: User, make_agent: Callable[..., ApiClient]
) -> None:
    loud, quiet = make_agent(alice, "loud"), make_agent(alice, "quiet")
    for start in range(0, 250, 50):
        facts = [{"content": f"green tea, cup number {n}"} for n in range(start, start + 50)]
        loud.post("memories", {"facts": facts})
    own = quiet.write("sometimes green tea with honey in the evening")["memory"]
    answer = quiet.recall("green tea cup")
    assert [item["memory"]["id"] for item in answer["memories"]] == [own["id"]]
