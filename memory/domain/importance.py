"""How much a memory matters, scored by rules over six dimensions.

The rules decide alone when no judge is configured and whenever it fails, so tiering never stops
(requirement 22). They must tell an allergy from last week's debugging (requirement 91).
"""

import math
from dataclasses import dataclass

from memory.domain import importance_words as words
from memory.domain.behaviour import is_behaviour
from memory.domain.dangers import denies_danger, is_safety_critical, states_danger
from memory.domain.dimensions import words_of
from memory.domain.errors import BadNumber
from memory.domain.lexicon import Patterns
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.text import match_form, weight_units
from memory.domain.tiers import cap_opinion
from memory.domain.values import Kind

__all__ = ["Dimensions", "ImportanceScore", "combine", "is_safety_critical", "score"]

# Model tokens at which a text counts as long; length adds at most a tenth (requirement 22).
_LONG_TEXT = 60.0
_LENGTH_BONUS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """The six dimensions of requirement 90, each 0 to 1. Raises `BadNumber`.

    `time` is time sensitivity read as durability: how long the fact will still matter.
    """

    relevance: float
    factuality: float
    actionability: float
    personal: float
    time: float
    safety: float

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if not math.isfinite(value) or not 0 <= value <= 1:
                raise BadNumber(name, value, low=0, high=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceScore:
    """An importance with its reasons; `path` records who scored (rules or judge)."""

    importance: float
    dimensions: Dimensions
    safety: float
    path: str = "rules"


def combine(dimensions: Dimensions, *, policy: Policy = DEFAULT_POLICY) -> float:
    """max(weighted sum, .9 if safety >= .8), 0 to 1 (requirement 90; 5.5 m)."""
    weighted = (
        policy.importance_relevance * dimensions.relevance
        + policy.importance_factuality * dimensions.factuality
        + policy.importance_actionability * dimensions.actionability
        + policy.importance_personal * dimensions.personal
        + policy.importance_time * dimensions.time
        + policy.importance_safety * dimensions.safety
    )
    return _lift_for_safety(weighted, dimensions.safety, policy=policy)


def score(
    content: str,
    *,
    kind: Kind = Kind.SEMANTIC,
    key: str | None = None,
    opinion: float | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> ImportanceScore:
    """The importance of a fact by the rules (requirements 19 to 22, 91).

    `opinion`, a caller's importance (0 to 1), is capped and counts half; it never lowers a
    safety fact below its line. Raises `BadNumber`.
    """
    said = match_form(content)
    dimensions = _judge(said, kind=kind, key=key or "", policy=policy)
    importance = combine(dimensions, policy=policy)
    if opinion is not None:
        importance = (importance + cap_opinion(opinion, policy)) / 2
        importance = _lift_for_safety(importance, dimensions.safety, policy=policy)
    return ImportanceScore(
        importance=round(importance, 4), dimensions=dimensions, safety=dimensions.safety
    )


def is_passing(content: str, *, kind: Kind = Kind.SEMANTIC, key: str = "") -> bool:
    """Whether a text is of the day only: what was eaten, the weather, a mood (requirement 59)."""
    said = match_form(content)
    return not states_danger(said) and _passes(said, kind=kind, key_words=words_of(key))


def _lift_for_safety(importance: float, safety: float, *, policy: Policy) -> float:
    lifted = policy.safety_importance if safety >= policy.safety_line else 0.0
    return max(0.0, min(1.0, max(importance, lifted)))


def _judge(said: str, *, kind: Kind, key: str, policy: Policy) -> Dimensions:
    key_words = words_of(key)
    if states_danger(said) or (
        any(word in words.SAFETY_KEYS for word in key_words) and not denies_danger(said)
    ):
        return _dimensions(0.9, 0.95, 0.95, 0.95, 0.9, 0.95)
    named = bool(key_words) and key_words[-1] in words.IDENTITY_KEYS
    identity = named or _has(said, words.IDENTITY)
    changes = _has(said, words.LASTING_CHANGE)
    # "今天入职" is a lasting fact said today; "今天在公司上班很累" is not.
    if _passes(said, kind=kind, key_words=key_words):
        return _dimensions(0.2, 0.6, 0.1, 0.3, 0.1, 0.0)
    if identity:
        return _dimensions(0.9, 0.95, 0.8, 0.95, 0.8, 0.1)
    if kind is Kind.PROCEDURAL or is_behaviour(said):
        return _dimensions(0.9, 0.85, 0.9, 0.9, 0.7, 0.05)
    if _has(said, words.CORE_PREFERENCE) and not _has(said, words.NOT_CORE):
        return _dimensions(0.9, 0.85, 0.9, 0.9, 0.7, 0.05)
    if changes or _has(said, words.ONGOING):
        return _dimensions(0.8, 0.75, 0.7, 0.75, 0.5, 0.0)
    if _has(said, words.LIKING):
        return _dimensions(0.7, 0.7, 0.7, 0.8, 0.6, 0.0)
    longer = _LENGTH_BONUS * min(1.0, weight_units(said) / _LONG_TEXT)
    return _dimensions(0.5 + longer, 0.6 + longer, 0.4, 0.5, 0.4, 0.0)


def _passes(said: str, *, kind: Kind, key_words: list[str]) -> bool:
    if kind is Kind.PROCEDURAL or (key_words and key_words[-1] in words.IDENTITY_KEYS):
        return False
    return _has(said, words.TRANSIENT) and not _has(said, words.LASTING_CHANGE)


def _dimensions(
    relevance: float,
    factuality: float,
    actionability: float,
    personal: float,
    time: float,
    safety: float,
) -> Dimensions:
    return Dimensions(
        relevance=relevance,
        factuality=factuality,
        actionability=actionability,
        personal=personal,
        time=time,
        safety=safety,
    )


def _has(said: str, patterns: Patterns) -> bool:
    return any(pattern.search(said) for pattern in patterns)
