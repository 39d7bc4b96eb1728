"""Recall's two stages: gates that drop candidates, then a score with its reasons attached.

`explain` makes both, so that a score can never differ from its explanation.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.domain.decay import effective_retention, freshness
from memory.domain.errors import NaiveTime
from memory.domain.policy import DEFAULT_POLICY, WEIGHTS, Policy
from memory.domain.values import Preset, Strategy, TimeSignal

HOURS_PER_DAY = 24


class DropRule(StrEnum):
    """Why stage 1 left a candidate out."""

    BELOW_QUALITY = "below_quality"
    DROPPED_BY_DECAY = "dropped_by_decay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A row that recall considers, with everything its score is made of.

    `semantic` is the calibrated cosine, 0 to 1, None where the row has no vector of the current
    embedder. `bm25` and `bm25_max` are the row's sum and the most this question could score in
    the owner's store. `retention` is the raw R, `strength` S in days, `hours` since `anchor`.
    """

    id: str
    created_at: datetime
    retention: float
    semantic: float | None = None
    bm25: float = 0.0
    bm25_max: float = 0.0
    importance: float = 0.0
    status_weight: float = 1.0
    source_weight: float = 1.0
    protected: bool = False
    strength: float = 0.0
    hours: float = 0.0
    anchor: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Every part of a score. None where the strategy has no such part.

    `retention` is the effective one, which the score was made of; `strength` is in days.
    """

    relevance: float
    semantic: float
    keyword: float
    retention: float
    strength: float
    hours: float
    anchor: datetime | None
    freshness: float
    importance: float
    status_weight: float
    source_weight: float
    strategy: Strategy
    final: float
    a: float | None = None
    b: float | None = None
    w1: float | None = None
    w2: float | None = None
    w3: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A survivor with its place, from 1."""

    candidate: Candidate
    explanation: Explanation
    rank: int

    @property
    def score(self) -> float:
        return self.explanation.final


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A candidate that stage 1 left out, and the rule that did."""

    candidate: Candidate
    rule: DropRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The survivors in order, the dropped, and how many met each fate before any `top_k`."""

    ranked: tuple[Ranked, ...]
    dropped: tuple[Dropped, ...]
    candidates: int
    below_quality: int
    dropped_by_decay: int
    survivors: int


def keyword_relevance(bm25_sum: float, most: float, policy: Policy = DEFAULT_POLICY) -> float:
    """min(1, BM25 / (.7 * most)); 0 when nothing of the question is in the store."""
    if most <= 0 or bm25_sum <= 0:
        return 0.0
    return min(1.0, bm25_sum / (policy.keyword_scale * most))


def relevance(candidate: Candidate, policy: Policy = DEFAULT_POLICY) -> float:
    """.6 * keyword + .4 * semantic, 0 to 1; no vector counts as no similarity."""
    keyword = keyword_relevance(candidate.bm25, candidate.bm25_max, policy)
    return policy.keyword_weight * keyword + policy.semantic_weight * _unit(
        candidate.semantic or 0.0
    )


def explain(
    candidate: Candidate,
    *,
    strategy: Strategy = Strategy.TEMPERED,
    preset: Preset = Preset.STANDARD,
    policy: Policy = DEFAULT_POLICY,
) -> Explanation:
    """The score of a candidate and every part of it (requirements 31, 72, 93; 5.5 a).

    `preset` matters only to `weighted`.
    """
    fit = relevance(candidate, policy)
    left = effective_retention(
        _unit(candidate.retention), protected=candidate.protected, policy=policy
    )
    fresh = left
    if policy.time_signal is TimeSignal.RECENCY30:
        fresh = freshness(age_days=candidate.hours / HOURS_PER_DAY, policy=policy)
    trust = candidate.status_weight * candidate.source_weight
    a = b = w1 = w2 = w3 = None
    if strategy is Strategy.TEMPERED:
        a, b = policy.tempered_a, policy.tempered_b
        final = fit * (1 - a + a * left) * (1 - b + b * candidate.importance) * trust
    elif strategy is Strategy.WEIGHTED:
        w1, w2, w3 = WEIGHTS[preset]
        final = (w1 * fit + w2 * fresh + w3 * candidate.importance) * trust
    else:
        forgotten = policy.forgotten_multiplier if left < policy.archive_line else 1.0
        final = fit * left * forgotten * trust
    return Explanation(
        relevance=fit,
        semantic=_unit(candidate.semantic or 0.0),
        keyword=keyword_relevance(candidate.bm25, candidate.bm25_max, policy),
        retention=left,
        strength=candidate.strength,
        hours=candidate.hours,
        anchor=candidate.anchor,
        freshness=fresh,
        importance=candidate.importance,
        status_weight=candidate.status_weight,
        source_weight=candidate.source_weight,
        strategy=strategy,
        final=final,
        a=a,
        b=b,
        w1=w1,
        w2=w2,
        w3=w3,
    )


def drop_rule(candidate: Candidate, policy: Policy = DEFAULT_POLICY) -> DropRule | None:
    """The gate of stage 1 that a candidate fails, if any (requirements 30, 33, 94).

    A candidate with a keyword passes the quality line whatever its cosine; a protected one
    passes the decay floor whatever its age.
    """
    if (candidate.semantic or 0.0) < policy.quality_line and candidate.bm25 <= 0:
        return DropRule.BELOW_QUALITY
    if candidate.retention < policy.decay_floor and not candidate.protected:
        return DropRule.DROPPED_BY_DECAY
    return None


def rank(
    candidates: Iterable[Candidate],
    *,
    strategy: Strategy = Strategy.TEMPERED,
    preset: Preset = Preset.STANDARD,
    policy: Policy = DEFAULT_POLICY,
    top_k: int | None = None,
) -> Ranking:
    """Both stages: the survivors by score, newest and then smallest id first among equals.

    Independent of the order of `candidates`; `dropped` is ordered by rule and id.
    Raises `NaiveTime`.
    """
    survivors: list[tuple[Candidate, Explanation]] = []
    dropped: list[Dropped] = []
    for candidate in candidates:
        if candidate.created_at.tzinfo is None:
            raise NaiveTime("created_at")
        rule = drop_rule(candidate, policy)
        if rule is None:
            survivors.append(
                (candidate, explain(candidate, strategy=strategy, preset=preset, policy=policy))
            )
        else:
            dropped.append(Dropped(candidate=candidate, rule=rule))
    survivors.sort(key=_order)
    dropped.sort(key=lambda drop: (drop.rule.value, drop.candidate.id))
    decayed = sum(1 for drop in dropped if drop.rule is DropRule.DROPPED_BY_DECAY)
    return Ranking(
        ranked=tuple(
            Ranked(candidate=candidate, explanation=explanation, rank=place)
            for place, (candidate, explanation) in enumerate(survivors[:top_k], start=1)
        ),
        dropped=tuple(dropped),
        candidates=len(survivors) + len(dropped),
        below_quality=len(dropped) - decayed,
        dropped_by_decay=decayed,
        survivors=len(survivors),
    )


def idf(df: int, n: int) -> float:
    """ln(1 + (N - df + .5) / (df + .5)): never negative, 0 for a token the store lacks."""
    if df <= 0 or n <= 0:
        return 0.0
    return math.log(1 + (max(n, df) - df + 0.5) / (df + 0.5))


def bm25(
    tf: int,
    df: int,
    n: int,
    length: int,
    avg_length: float,
    k1: float = DEFAULT_POLICY.bm25_k1,
    b: float = DEFAULT_POLICY.bm25_b,
) -> float:
    """One token's part of a row's BM25.

    `tf` in the row, `df` rows of the owner that have it, `n` rows in all, lengths in tokens.
    """
    if tf <= 0:
        return 0.0
    norm = 1 - b + b * length / avg_length if avg_length > 0 else 1.0
    return idf(df, n) * tf * (k1 + 1) / (tf + k1 * norm)


def most_possible(idfs: Sequence[float], k1: float = DEFAULT_POLICY.bm25_k1) -> float:
    """The most a question could score in a store: every distinct token, saturated.

    Tokens that the store lacks have idf 0 and add nothing.
    """
    return (k1 + 1) * sum(idfs)


def product(relevance: float, *, recency: float, importance: float, status_weight: float) -> float:
    """S1's plain product (requirement 61). For tests against the source only (5.5 a)."""
    return relevance * recency * importance * status_weight


def s1_weight(importance: float) -> float:
    """An importance of 0 to 1 on S1's scale of .5 to 2 (5.5 i)."""
    return 0.5 + 1.5 * importance


def s1_score(
    relevance: float,
    *,
    days: float,
    weight: float = 1.0,
    status_weight: float = 1.0,
    preset: Preset = Preset.STANDARD,
    policy: Policy = DEFAULT_POLICY,
) -> float:
    """S1's score with its own weight scale, up to 1.2 (requirement 72). For tests only."""
    w1, w2, w3 = WEIGHTS[preset]
    return (w1 * relevance + w2 * freshness(age_days=days, policy=policy) + w3 * weight) * (
        status_weight
    )


def _unit(value: float) -> float:
    return max(0.0, min(1.0, value))


def _order(scored: tuple[Candidate, Explanation]) -> tuple[float, float, str]:
    candidate, explanation = scored
    return (-explanation.final, -candidate.created_at.timestamp(), candidate.id)
