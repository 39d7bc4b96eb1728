from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import ranking
from memory.domain.errors import NaiveTime
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.ranking import Candidate, DropRule
from memory.domain.values import Preset, Strategy, TimeSignal

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)
# Only meaning counts, so that relevance is the source's semantic score.
BY_MEANING = Policy(keyword_weight=0.0, semantic_weight=1.0)


def candidate(name="a", **parts):
    return Candidate(**{"id": name, "created_at": NOW, "retention": 1.0, "semantic": 0.8, **parts})


def final(strategy, *, preset=Preset.STANDARD, policy=BY_MEANING, **parts):
    return ranking.explain(
        candidate(**parts), strategy=strategy, preset=preset, policy=policy
    ).final


@pytest.mark.parametrize(
    ("retention", "expected"), [(1.0, 0.8), (0.7165, 0.5732), (0.3, 0.24), (0.29, 0.0232)]
)
def test_multiplicative_is_s0s_formula(retention, expected):
    assert final(Strategy.MULTIPLICATIVE, retention=retention) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        (Preset.STANDARD, 0.5 * 0.8 + 0.3 * 0.6 + 0.2 * 0.9),
        (Preset.KNOWLEDGE, 0.7 * 0.8 + 0.2 * 0.6 + 0.1 * 0.9),
        (Preset.ASSISTANT, 0.4 * 0.8 + 0.4 * 0.6 + 0.2 * 0.9),
        (Preset.BUSINESS, 0.5 * 0.8 + 0.2 * 0.6 + 0.3 * 0.9),
    ],
)
def test_weighted_is_a_sum_times_status_and_source(preset, expected):
    parts = {"retention": 0.6, "importance": 0.9, "preset": preset}
    assert final(Strategy.WEIGHTED, **parts) == pytest.approx(expected)
    assert final(Strategy.WEIGHTED, status_weight=0.5, source_weight=0.3, **parts) == (
        pytest.approx(expected * 0.15)
    )


def test_weighted_can_count_time_by_half_lives():
    policy = Policy(keyword_weight=0.0, semantic_weight=1.0, time_signal=TimeSignal.RECENCY30)
    explained = ranking.explain(candidate(hours=720.0), strategy=Strategy.WEIGHTED, policy=policy)
    assert explained.freshness == 0.5
    assert explained.final == pytest.approx(0.5 * 0.8 + 0.3 * 0.5)


def test_tempered_bounds_what_decay_and_importance_can_take():
    best = final(Strategy.TEMPERED, retention=1.0, importance=1.0)
    worst = final(Strategy.TEMPERED, retention=0.0, importance=0.0)
    assert best == pytest.approx(0.8)
    assert worst == pytest.approx(0.8 * 0.8 * 0.9)
    assert final(Strategy.TEMPERED, retention=0.5, importance=0.86) == pytest.approx(
        0.8 * 0.9 * 0.986
    )


def test_a_protected_memory_is_scored_at_its_floor():
    assert final(Strategy.MULTIPLICATIVE, retention=0.0, protected=True) == pytest.approx(0.28)


def test_relevance_joins_words_and_meaning():
    both = candidate(bm25=7.0, bm25_max=20.0)
    assert ranking.keyword_relevance(7.0, 20.0) == pytest.approx(0.5)
    assert ranking.relevance(both) == pytest.approx(0.6 * 0.5 + 0.4 * 0.8)
    assert ranking.relevance(candidate(semantic=None)) == 0
    assert ranking.keyword_relevance(20.0, 20.0) == 1
    assert ranking.keyword_relevance(0.0, 0.0) == 0


def test_stage_one_drops_by_quality_and_by_decay_and_counts():
    rows = [
        candidate("meant", semantic=0.15),
        candidate("vague", semantic=0.149),
        candidate("named", semantic=None, bm25=1.0, bm25_max=9.0),
        candidate("gone", retention=0.019),
        candidate("kept", retention=0.0, protected=True),
        candidate("faded", retention=0.02),
    ]
    result = ranking.rank(rows)
    assert {drop.candidate.id: drop.rule for drop in result.dropped} == {
        "vague": DropRule.BELOW_QUALITY,
        "gone": DropRule.DROPPED_BY_DECAY,
    }
    assert {row.candidate.id for row in result.ranked} == {"meant", "named", "kept", "faded"}
    assert (result.candidates, result.below_quality, result.dropped_by_decay) == (6, 1, 1)
    assert result.survivors == 4


def test_go_stands_above_the_faded_rust_note():
    rows = [
        candidate("go", semantic=0.8, retention=0.93),
        candidate("rust", semantic=0.85, retention=0.0),
        *(candidate(f"other{n}", semantic=0.4, retention=0.5) for n in range(5)),
    ]
    result = ranking.rank(rows, strategy=Strategy.MULTIPLICATIVE, policy=BY_MEANING, top_k=5)
    names = [row.candidate.id for row in result.ranked]
    assert names[0] == "go"
    assert "rust" not in names


def test_ties_go_to_the_newest_then_to_the_smaller_id():
    rows = [
        candidate("b"),
        candidate("a"),
        candidate("new", created_at=NOW + timedelta(days=1)),
    ]
    assert [row.candidate.id for row in ranking.rank(rows).ranked] == ["new", "a", "b"]


def test_top_k_cuts_after_counting():
    result = ranking.rank([candidate(str(n)) for n in range(5)], top_k=2)
    assert len(result.ranked) == 2
    assert result.survivors == 5
    assert [row.rank for row in result.ranked] == [1, 2]


def test_a_naive_creation_is_an_error():
    with pytest.raises(NaiveTime):
        ranking.rank([candidate(created_at=NOW.replace(tzinfo=None))])


def test_the_explanation_names_only_the_parts_of_its_strategy():
    def parts(strategy):
        explained = ranking.explain(candidate(), strategy=strategy)
        return {
            name for name in ("a", "b", "w1", "w2", "w3") if getattr(explained, name) is not None
        }

    assert parts(Strategy.TEMPERED) == {"a", "b"}
    assert parts(Strategy.WEIGHTED) == {"w1", "w2", "w3"}
    assert parts(Strategy.MULTIPLICATIVE) == set()


share = st.floats(0, 1)
candidates = st.lists(
    st.builds(
        Candidate,
        id=st.uuids().map(str),
        created_at=st.sampled_from([NOW, NOW - timedelta(days=3)]),
        retention=share,
        semantic=st.none() | share,
        bm25=st.sampled_from([0.0, 1.0, 5.0]),
        bm25_max=st.just(10.0),
        importance=share,
        status_weight=st.sampled_from([1.0, 0.5, 0.1]),
        protected=st.booleans(),
    ),
    unique_by=lambda row: row.id,
    max_size=12,
)


@given(candidates, st.sampled_from(list(Strategy)), st.randoms())
def test_ranking_does_not_depend_on_the_order_of_its_input(rows, strategy, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    first = ranking.rank(rows, strategy=strategy)
    assert ranking.rank(shuffled, strategy=strategy) == first
    scores = [row.score for row in first.ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert first.candidates == len(rows) == first.survivors + len(first.dropped)


def test_bm25_saturates_below_the_most_possible():
    weight = ranking.idf(2, 100)
    assert weight == pytest.approx(3.6988, abs=1e-4)
    once = ranking.bm25(1, 2, 100, 10, 10.0)
    assert once == pytest.approx(weight)
    assert once < ranking.bm25(5, 2, 100, 10, 10.0) < ranking.most_possible([weight])
    assert ranking.bm25(1, 2, 100, 40, 10.0) < once
    assert ranking.most_possible([]) == ranking.bm25(0, 2, 100, 10, 10.0) == 0
    assert ranking.idf(0, 100) == 0


@given(
    st.integers(1, 9), st.integers(1, 50), st.integers(1, 50), st.integers(1, 99), st.floats(1, 99)
)
def test_a_token_never_scores_beyond_the_most_possible(tf, df, n, length, average):
    part = ranking.bm25(tf, min(df, n), n, length, average)
    most = ranking.most_possible([ranking.idf(min(df, n), n)])
    assert 0 < part < most + 1e-9


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"days": 0}, 0.5 * 0.9 + 0.3 + 0.2),
        ({"days": 30}, 0.5 * 0.9 + 0.15 + 0.2),
        ({"days": 30, "status_weight": 0.5}, 0.4),
        ({"days": 30, "status_weight": 0.1}, 0.08),
        ({"days": 0, "preset": Preset.KNOWLEDGE}, 0.7 * 0.9 + 0.2 + 0.1),
    ],
)
def test_s1s_own_score(parts, expected):
    assert ranking.s1_score(0.9, **parts) == pytest.approx(expected)


def test_s1s_scale_reaches_one_point_two():
    assert ranking.s1_score(1.0, days=0, weight=2.0) == pytest.approx(1.2)
    assert [ranking.s1_weight(value) for value in (0, 1 / 3, 1)] == pytest.approx([0.5, 1, 2])
    assert ranking.product(0.8, recency=0.5, importance=0.5, status_weight=0.1) == pytest.approx(
        0.02
    )


def test_s1s_minimum_check_finds_the_right_one_in_the_first_three():
    # Requirement 74: 3 outdated, 2 important, 5 ordinary; the important ones are asked for.
    rows = [
        *(candidate(f"old{n}", semantic=0.9, retention=0.2, status_weight=0.1) for n in range(3)),
        *(candidate(f"key{n}", semantic=0.85, retention=0.9, importance=0.9) for n in range(2)),
        *(candidate(f"any{n}", semantic=0.5, retention=0.7, importance=0.3) for n in range(5)),
    ]
    for strategy in Strategy:
        top = [row.candidate.id for row in ranking.rank(rows, strategy=strategy).ranked[:3]]
        assert {"key0", "key1"} <= set(top)
    assert DEFAULT_POLICY.status_superseded == 0.1
